import { ContactInput, ContactReceipt } from '#contract/messages.ts'
import { publicProcedure, router } from '#server/trpc.ts'
import { contact } from './contact.ts'

export const messagesRouter = router({
  contact: publicProcedure
    .input(ContactInput)
    .output(ContactReceipt)
    .mutation(({ ctx, input }) => contact(ctx, input)),
})
