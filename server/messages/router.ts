import { Done } from '#contract/base/done.ts'
import { EmptyInput } from '#contract/base/empty-input.ts'
import {
  ContactInput,
  ContactReceipt,
  FailedCount,
  FailedInput,
  FailedPage,
  RetryInput,
  StopMailInput,
} from '#contract/messages.ts'
import { publicProcedure, router, staffProcedure } from '#server/trpc.ts'
import { contact } from './contact.ts'
import { countFailedDeliveries, listFailedDeliveries, retryFailed } from './failed-mail.ts'
import { stopMail } from './stop-mail.ts'

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
  stop: publicProcedure
    .input(StopMailInput)
    .output(Done)
    .mutation(({ ctx, input }) => stopMail(ctx, input)),
})
