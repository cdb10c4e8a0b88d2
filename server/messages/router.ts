import { Done, EmptyInput } from '#contract/auth.ts'
import {
  ContactInput,
  ContactReceipt,
  FailedCount,
  FailedInput,
  FailedPage,
  RetryInput,
} from '#contract/messages.ts'
import { publicProcedure, router, staffProcedure } from '#server/trpc.ts'
import { contact } from './contact.ts'
import { countFailedDeliveries, listFailedDeliveries, retryFailed } from './failed-mail.ts'

export const messagesRouter = router({
  contact: publicProcedure
    .meta({ scope: 'any', bodyLimit: 10_240 })
    .input(ContactInput)
    .output(ContactReceipt)
    .mutation(({ ctx, input }) => contact(ctx, input)),
  failed: staffProcedure()
    .input(FailedInput)
    .output(FailedPage)
    .query(({ ctx, input }) => listFailedDeliveries(ctx, input)),
  failedCount: staffProcedure()
    .input(EmptyInput)
    .output(FailedCount)
    .query(({ ctx }) => countFailedDeliveries(ctx)),
  retry: staffProcedure('retryMail')
    .input(RetryInput)
    .output(Done)
    .mutation(({ ctx, input }) => retryFailed(ctx, input)),
})
