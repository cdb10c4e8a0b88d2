import { Done, Nothing } from '#contract/auth.ts'
import { ContactInput, ContactReceipt } from '#contract/messages.ts'
import { FailedCount, FailedInput, FailedPage, RetryInput } from '#contract/messages-staff.ts'
import { StaffRole } from '#contract/staff.ts'
import { publicProcedure, router, staffProcedure } from '#server/trpc.ts'
import { contact } from './contact.ts'
import { countFailedDeliveries, listFailedDeliveries } from './list-failed.ts'
import { retryFailed } from './retry-failed.ts'

const anyStaff = staffProcedure(...StaffRole.options)

export const messagesRouter = router({
  contact: publicProcedure
    .input(ContactInput)
    .output(ContactReceipt)
    .mutation(({ ctx, input }) => contact(ctx, input)),
  failed: anyStaff
    .input(FailedInput)
    .output(FailedPage)
    .query(({ ctx, input }) => listFailedDeliveries(ctx, input)),
  failedCount: anyStaff
    .input(Nothing)
    .output(FailedCount)
    .query(({ ctx }) => countFailedDeliveries(ctx)),
  retry: staffProcedure('superuser', 'admin')
    .input(RetryInput)
    .output(Done)
    .mutation(({ ctx, input }) => retryFailed(ctx, input)),
})
