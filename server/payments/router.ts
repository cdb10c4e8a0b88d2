import * as z from 'zod/mini'
import { EmptyInput } from '#contract/auth.ts'
import { HoldRef } from '#contract/booking.ts'
import {
  CaptureInput,
  CaptureResponse,
  CardStart,
  PayInput,
  PaymentOptions,
  PaymentStatus,
  ReturnInput,
  ReturnResponse,
  StatusInput,
  WalletStart,
} from '#contract/payments.ts'
import {
  AllHistoryInput,
  Earnings,
  HistoryInput,
  HistoryPage,
  HistorySheet,
} from '#contract/payments-history.ts'
import { Receipt, ReceiptInput } from '#contract/payments-receipt.ts'
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
import {
  ExportInput,
  RefundInput,
  StaffHistoryInput,
  StaffPayment,
  StaffPaymentInput,
} from '#contract/payments-staff.ts'
import { settleDifference } from '#server/payments/books/compare-books.ts'
import { listDifferences } from '#server/payments/books/list-differences.ts'
import { incomeByDay, readEarnings } from '#server/payments/history/earnings.ts'
import { printOwnHistory, providerHistory } from '#server/payments/history/list-history.ts'
import { readReceipt } from '#server/payments/history/receipt.ts'
import { printHistory, staffHistory } from '#server/payments/history/staff-history.ts'
import { staffPayment } from '#server/payments/history/staff-payment.ts'
import { capture } from '#server/payments/paying/capture.ts'
import { leave } from '#server/payments/paying/close-payment.ts'
import { readReturn, readStatus } from '#server/payments/paying/read-payment.ts'
import { startCard, startWallet } from '#server/payments/paying/start-payment.ts'
import { refund } from '#server/payments/refunds/refund.ts'
import { countReview, decideReview, settleRefund } from '#server/payments/review/decide-review.ts'
import { listReviews } from '#server/payments/review/list-reviews.ts'
import { publicProcedure, router, sessionProcedure, staffProcedure } from '#server/trpc.ts'

export const paymentsRouter = router({
  capture: sessionProcedure
    .input(CaptureInput)
    .output(CaptureResponse)
    .mutation(({ ctx, input }) => capture(ctx, input)),
  decideReview: staffProcedure('reviewPayments')
    .input(DecideReviewInput)
    .output(StaffPayment)
    .mutation(({ ctx, input }) => decideReview(ctx, input)),
  differences: staffProcedure()
    .input(DifferencesInput)
    .output(Differences)
    .query(({ ctx, input }) => listDifferences(ctx, input)),
  earnings: sessionProcedure
    .input(EmptyInput)
    .output(Earnings)
    .query(({ ctx }) => readEarnings(ctx)),
  incomeByDay: staffProcedure()
    .input(EmptyInput)
    .output(IncomeByDay)
    .query(({ ctx }) => incomeByDay(ctx)),
  leave: sessionProcedure
    .input(HoldRef)
    .output(z.object({ released: z.boolean() }))
    .mutation(({ ctx, input }) => leave(ctx, input)),
  options: publicProcedure
    .input(EmptyInput)
    .output(PaymentOptions)
    .query(({ ctx }) => ctx.gateways.options()),
  printHistory: staffProcedure()
    .input(ExportInput)
    .output(HistorySheet)
    .query(({ ctx, input }) => printHistory(ctx, input)),
  printOwnHistory: sessionProcedure
    .input(AllHistoryInput)
    .output(HistorySheet)
    .query(({ ctx, input }) => printOwnHistory(ctx, input)),
  providerHistory: sessionProcedure
    .input(HistoryInput)
    .output(HistoryPage)
    .query(({ ctx, input }) => providerHistory(ctx, input)),
  receipt: sessionProcedure
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
    .input(EmptyInput)
    .output(ReviewCount)
    .query(({ ctx }) => countReview(ctx)),
  reviews: staffProcedure()
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
    .input(StaffHistoryInput)
    .output(HistoryPage)
    .query(({ ctx, input }) => staffHistory(ctx, input)),
  staffPayment: staffProcedure()
    .input(StaffPaymentInput)
    .output(StaffPayment)
    .query(({ ctx, input }) => staffPayment(ctx, input)),
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
