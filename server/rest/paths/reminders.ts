import * as z from 'zod/mini'
import { type ReminderSettings, SaveRemindersInput } from '#contract/reminders.ts'
import { noBody, noQuery, OK, type RestCall, restCall } from '#server/rest/call.ts'

const room = 'Visits'

const { week, day, fromHour, toHour, discreet } = SaveRemindersInput.shape

const settings = { week, day, from_hour: fromHour, to_hour: toHour, discreet }

const Answer = z.object({ status: z.literal(true), ...settings })

function answerOf({ fromHour: from_hour, toHour: to_hour, ...rest }: ReminderSettings) {
  return { ...OK, ...rest, from_hour, to_hour }
}

const usual = { status: true, week: true, day: true, from_hour: 8, to_hour: 20, discreet: false }

const read = restCall({
  method: 'GET',
  path: '/user/reminders/',
  room,
  source: 'added',
  title: 'Read your reminder settings',
  about:
    'Which reminders a patient gets: a week and a day before a visit, sent between two hours in the practice’s local time. `discreet` keeps the provider’s name out of subjects and calendars.',
  procedures: ['reminders.settings'],
  refusals: ['patients_only'],
  example: { as: 'patient', answer: usual },
  query: noQuery,
  body: noBody,
  answer: Answer,
  run: async ({ caller }) => answerOf(await caller.reminders.settings({})),
})

const change = restCall({
  method: 'PATCH',
  path: '/user/reminders/',
  room,
  source: 'added',
  title: 'Change your reminder settings',
  about:
    'Omitted fields stay unchanged. `from_hour` is 5 to 12, `to_hour` 15 to 22. Emails about changes to a visit are always sent.',
  procedures: ['reminders.save', 'reminders.settings'],
  refusals: ['patients_only'],
  // What is saved depends on the current settings, so the key covers what was sent.
  isComposite: true,
  example: {
    as: 'patient',
    body: { week: false, from_hour: 9 },
    answer: { ...usual, week: false, from_hour: 9 },
  },
  query: noQuery,
  body: {
    json: z.strictObject({
      week: z.optional(week),
      day: z.optional(day),
      from_hour: z.optional(fromHour),
      to_hour: z.optional(toHour),
      discreet: z.optional(discreet),
    }),
  },
  answer: Answer,
  run: async ({ caller, body }) => {
    const now = await caller.reminders.settings({})
    return answerOf(
      await caller.reminders.save({
        week: body.week ?? now.week,
        day: body.day ?? now.day,
        fromHour: body.from_hour ?? now.fromHour,
        toHour: body.to_hour ?? now.toHour,
        discreet: body.discreet ?? now.discreet,
      }),
    )
  },
})

/** A patient's reminder settings. */
export const reminderCalls: readonly RestCall[] = [read, change]
