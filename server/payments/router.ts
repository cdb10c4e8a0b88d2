import * as z from 'zod/mini'
import { EmptyInput } from '#contract/base/empty-input.ts'
import { accessFor } from '#contract/base/staff.ts'
import { HoldRef } from '#contract/booking.ts'
import {
  CaptureInput,
  CaptureResponse,
  CardStart,
  ExportInput,
  PayInput,
  PaymentOptions,
  PaymentStatus,
  RefundInput,
  ReturnInput,
  ReturnResponse,
  StaffHistoryInput,
  StaffPayment,
  StaffPaymentInput,
  StatusInput,
  WalletStart,
} from '#contract/payments.ts'
import {
  AllHistoryInput,
  Earnings,
  HistoryInput,
  HistoryPage,
  HistorySheet,
  Receipt,
  ReceiptInput,
} from '#contract/payments-history.ts'
import {
  DecideReviewInput,
  Difference,
  Differences,
  DifferencesInput,
  IncomeByDay,
  ReviewCount,
  Reviews,
  SettleDifferenceInput,
  SettleRefundInput,
} from '#contract/payments-review.ts'
import { readReceipt } from '#server/payments/history/receipt.ts'
import { startCard, startWallet } from '#server/payments/paying/start-payment.ts'
import { settleDifference } from '#server/payments/reconciliation/reconcile-gateways.ts'
import {
  patientProcedure,
  providerProcedure,
  publicProcedure,
  router,
  signedInProcedure,
  staffProcedure,
} from '#server/trpc.ts'
import { incomeByDay, printOwnHistory, providerHistory, readEarnings } from './history/history.ts'
import { printHistory, staffHistory, staffPayment } from './history/staff-payments.ts'
import { capture, readReturn, readStatus } from './paying/capture.ts'
import { leave } from './paying/close-payment.ts'
import { listDifferences } from './reconciliation/differences.ts'
import { refund } from './refunds/refund.ts'
import { countReview, decideReview, listReviews, settleRefund } from './review/reviews.ts'

export const paymentsRouter = router({
  capture: patientProcedure
    .input(CaptureInput)
    .output(CaptureResponse)
    .mutation(({ ctx, input }) => capture(ctx, input)),
  decideReview: staffProcedure('reviewPayments')
    .input(DecideReviewInput)
    .output(StaffPayment)
    .mutation(({ ctx, input }) => decideReview(ctx, input)),
  differences: staffProcedure()
    .meta({ scope: 'staff-payments:read' })
    .input(DifferencesInput)
    .output(Differences)
    .query(({ ctx, input }) => listDifferences(ctx, input)),
  earnings: providerProcedure
    .meta({ scope: 'payments:read' })
    .input(EmptyInput)
    .output(Earnings)
    .query(({ ctx }) => readEarnings(ctx)),
  incomeByDay: staffProcedure()
    .meta({ scope: 'staff-payments:read' })
    .input(EmptyInput)
    .output(IncomeByDay)
    .query(({ ctx }) => incomeByDay(ctx)),
  leave: patientProcedure
    .meta({ scope: 'visits:write' })
    .input(HoldRef)
    .output(z.object({ released: z.boolean() }))
    .mutation(({ ctx, input }) => leave(ctx, input)),
  options: publicProcedure
    .meta({ scope: 'any' })
    .input(EmptyInput)
    .output(PaymentOptions)
    .query(({ ctx }) => ctx.gateways.options()),
  printHistory: staffProcedure()
    .input(ExportInput)
    .output(HistorySheet)
    .query(({ ctx, input }) => printHistory(ctx, input)),
  printOwnHistory: providerProcedure
    .input(AllHistoryInput)
    .output(HistorySheet)
    .query(({ ctx, input }) => printOwnHistory(ctx, input)),
  providerHistory: providerProcedure
    .meta({ scope: 'payments:read' })
    .input(HistoryInput)
    .output(HistoryPage)
    .query(({ ctx, input }) => providerHistory(ctx, input)),
  receipt: signedInProcedure
    .meta({ may: ['patient', ...accessFor('seeNames').may] })
    .input(ReceiptInput)
    .output(Receipt)
    .query(({ ctx, input }) => readReceipt(ctx, input)),
  refund: staffProcedure('refund')
    .input(RefundInput)
    .output(StaffPayment)
    .mutation(({ ctx, input }) => refund(ctx, input)),
  returned: publicProcedure
    .input(ReturnInput)
    .output(ReturnResponse)
    .query(({ ctx, input }) => readReturn(ctx, input)),
  reviewCount: staffProcedure()
    .meta({ scope: 'staff-payments:read' })
    .input(EmptyInput)
    .output(ReviewCount)
    .query(({ ctx }) => countReview(ctx)),
  reviews: staffProcedure()
    .meta({ scope: 'staff-payments:read' })
    .input(EmptyInput)
    .output(Reviews)
    .query(({ ctx }) => listReviews(ctx)),
  settleDifference: staffProcedure('reviewPayments')
    .input(SettleDifferenceInput)
    .output(Difference)
    .mutation(({ ctx, input }) => settleDifference(ctx, input)),
  settleRefund: staffProcedure('reviewPayments')
    .input(SettleRefundInput)
    .output(StaffPayment)
    .mutation(({ ctx, input }) => settleRefund(ctx, input)),
  staffHistory: staffProcedure()
    .meta({ scope: 'staff-payments:read' })
    .input(StaffHistoryInput)
    .output(HistoryPage)
    .query(({ ctx, input }) => staffHistory(ctx, input)),
  staffPayment: staffProcedure()
    .meta({ scope: 'staff-payments:read' })
    .input(StaffPaymentInput)
    .output(StaffPayment)
    .query(({ ctx, input }) => staffPayment(ctx, input)),
  startCard: patientProcedure
    .input(PayInput)
    .output(CardStart)
    .mutation(({ ctx, input }) => startCard(ctx, input)),
  startWallet: patientProcedure
    .input(PayInput)
    .output(WalletStart)
    .mutation(({ ctx, input }) => startWallet(ctx, input)),
  status: patientProcedure
    .meta({ scope: 'payments:read' })
    .input(StatusInput)
    .output(PaymentStatus)
    .query(({ ctx, input }) => readStatus(ctx, input)),
})
