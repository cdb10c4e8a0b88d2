import {
  DEFAULT_REMINDERS,
  EARLIEST_HOURS,
  LATEST_HOURS,
  type ReminderSettings,
  type SaveRemindersInput,
} from '#contract/reminders.ts'
import { toFlag } from '#db/columns.ts'
import type { ReminderSettingsRow } from '#db/tables/reminders.ts'
import type { Services, SignedIn } from '#server/context.ts'
import { deleteSettings, findSettings, saveSettings } from './store.ts'

function settingsOf(row: ReminderSettingsRow): ReminderSettings {
  return {
    week: row.week === 1,
    day: row.day === 1,
    fromHour: EARLIEST_HOURS.find((hour) => hour === row.from_hour) ?? DEFAULT_REMINDERS.fromHour,
    toHour: LATEST_HOURS.find((hour) => hour === row.to_hour) ?? DEFAULT_REMINDERS.toHour,
    discreet: row.discreet === 1,
  }
}

/** The viewer's reminder settings. */
export async function readReminderSettings(ctx: SignedIn): Promise<ReminderSettings> {
  const row = await findSettings(ctx.database.db, ctx.session.accountNo)
  return row === undefined ? DEFAULT_REMINDERS : settingsOf(row)
}

/** Saves the viewer's settings. They also apply to reminders that are already enqueued. */
export async function saveReminderSettings(
  ctx: SignedIn,
  input: SaveRemindersInput,
): Promise<ReminderSettings> {
  const { accountNo, userId } = ctx.session
  await ctx.transaction(async (tx) => {
    await saveSettings(tx.db, {
      account_no: accountNo,
      week: toFlag(input.week),
      day: toFlag(input.day),
      from_hour: input.fromHour,
      to_hour: input.toHour,
      discreet: toFlag(input.discreet),
      updated_at: ctx.now(),
    })
    const details = { week: Number(input.week), day: Number(input.day) }
    await tx.audit.add({ action: 'reminders.changed', entity: userId, details })
  })
  return readReminderSettings(ctx)
}

/** Deletes the settings of an erased account. */
export async function forgetReminderSettings(
  { database }: Services,
  userId: string,
): Promise<void> {
  await deleteSettings(database.db, userId)
}
