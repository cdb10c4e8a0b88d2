import { Done } from '#contract/base/done.ts'
import { EmptyInput } from '#contract/base/empty-input.ts'
import { ReminderSettings, SaveRemindersInput, UnsubscribeInput } from '#contract/reminders.ts'
import { patientProcedure, publicProcedure, router } from '#server/trpc.ts'
import { readReminderSettings, saveReminderSettings, unsubscribe } from './reminders.ts'

export const remindersRouter = router({
  save: patientProcedure
    .meta({ scope: 'reminders:write' })
    .input(SaveRemindersInput)
    .output(ReminderSettings)
    .mutation(({ ctx, input }) => saveReminderSettings(ctx, input)),
  settings: patientProcedure
    .meta({ scope: 'reminders:read' })
    .input(EmptyInput)
    .output(ReminderSettings)
    .query(({ ctx }) => readReminderSettings(ctx)),
  // Public: links in emails may be opened where nobody is signed in.
  unsubscribe: publicProcedure
    .input(UnsubscribeInput)
    .output(Done)
    .mutation(({ ctx, input }) => unsubscribe(ctx, input)),
})
