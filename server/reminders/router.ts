import { Done, EmptyInput } from '#contract/auth.ts'
import { ReminderSettings, SaveRemindersInput, UnsubscribeInput } from '#contract/reminders.ts'
import { publicProcedure, router, sessionProcedure } from '#server/trpc.ts'
import { readReminderSettings, saveReminderSettings, unsubscribe } from './reminders.ts'

export const remindersRouter = router({
  save: sessionProcedure
    .input(SaveRemindersInput)
    .output(ReminderSettings)
    .mutation(({ ctx, input }) => saveReminderSettings(ctx, input)),
  settings: sessionProcedure
    .input(EmptyInput)
    .output(ReminderSettings)
    .query(({ ctx }) => readReminderSettings(ctx)),
  // Public: links in emails may be opened where nobody is signed in.
  unsubscribe: publicProcedure
    .input(UnsubscribeInput)
    .output(Done)
    .mutation(({ ctx, input }) => unsubscribe(ctx, input)),
})
