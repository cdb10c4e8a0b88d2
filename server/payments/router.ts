import * as z from 'zod/mini'
import { Nothing } from '#contract/auth.ts'
import { HoldRef } from '#contract/booking.ts'
import {
  CaptureAnswer,
  CaptureInput,
  CardStart,
  PayInput,
  PaymentOptions,
  PaymentStatus,
  ReturnAnswer,
  ReturnInput,
  StatusInput,
  WalletStart,
} from '#contract/payments.ts'
import { Earnings, HistoryInput, HistoryPage } from '#contract/payments-history.ts'
import { IncomeByDay, ReviewCount } from '#contract/payments-review.ts'
import { StaffHistoryInput } from '#contract/payments-staff.ts'
import { StaffRole } from '#contract/staff.ts'
import { publicProcedure, router, sessionProcedure, staffProcedure } from '#server/trpc.ts'
import { capture } from './capture.ts'
import { countReview } from './count-review.ts'
import { incomeByDay } from './income-by-day.ts'
import { leave } from './leave.ts'
import { providerHistory } from './list-history.ts'
import { readEarnings } from './read-earnings.ts'
import { readReturn } from './read-return.ts'
import { readStatus } from './read-status.ts'
import { staffHistory } from './staff-history.ts'
import { startCard, startWallet } from './start-payment.ts'

const anyStaff = staffProcedure(...StaffRole.options)

export const paymentsRouter = router({
  capture: sessionProcedure
    .input(CaptureInput)
    .output(CaptureAnswer)
    .mutation(({ ctx, input }) => capture(ctx, input)),
  earnings: sessionProcedure
    .input(Nothing)
    .output(Earnings)
    .query(({ ctx }) => readEarnings(ctx)),
  incomeByDay: anyStaff
    .input(Nothing)
    .output(IncomeByDay)
    .query(({ ctx }) => incomeByDay(ctx)),
  leave: sessionProcedure
    .input(HoldRef)
    .output(z.object({ released: z.boolean() }))
    .mutation(({ ctx, input }) => leave(ctx, input)),
  options: publicProcedure
    .input(Nothing)
    .output(PaymentOptions)
    .query(({ ctx }) => ctx.gateways.options()),
  providerHistory: sessionProcedure
    .input(HistoryInput)
    .output(HistoryPage)
    .query(({ ctx, input }) => providerHistory(ctx, input)),
  returned: publicProcedure
    .input(ReturnInput)
    .output(ReturnAnswer)
    .query(({ ctx, input }) => readReturn(ctx, input)),
  reviewCount: anyStaff
    .input(Nothing)
    .output(ReviewCount)
    .query(({ ctx }) => countReview(ctx)),
  staffHistory: anyStaff
    .input(StaffHistoryInput)
    .output(HistoryPage)
    .query(({ ctx, input }) => staffHistory(ctx, input)),
  startCard: sessionProcedure
    .input(PayInput)
    .output(CardStart)
    .mutation(({ ctx, input }) => startCard(ctx, input)),
  startWallet: sessionProcedure
    .input(PayInput)
    .output(WalletStart)
    .mutation(({ ctx, input }) => startWallet(ctx, input)),
  status: sessionProcedure
    .input(StatusInput)
    .output(PaymentStatus)
    .query(({ ctx, input }) => readStatus(ctx, input)),
})
