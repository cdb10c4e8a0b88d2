import type { Database, Db } from '#db/engine.ts'
import { DEMO_ACCOUNTS } from '#db/reference/demo-accounts.ts'
import { idFrom } from '#demo/ids.ts'
import { claimMeta, readMeta } from '#demo/meta.ts'
import { scheduleOf } from './schedule.ts'
import type { Reindex } from './slots.ts'

/**
 * Demo providers that people sign in as: they have hours like real providers, and slots generated from those.
 */
export const ACCOUNT_EMAILS: readonly string[] = DEMO_ACCOUNTS.filter(
  ({ role }) => role === 'provider',
).map(({ email }) => email)

const SCHEDULES_KEY = 'demo_schedules'
const SATURDAY = 6

/** Generates a provider's slots from their hours, through the transaction's own handle. */
type Regenerate = (db: Db, providerNo: number, now: number) => Promise<unknown>

type Options = { now: number; regenerate: Regenerate; reindex: Reindex }

function listAccounts(db: Db) {
  return db
    .selectFrom('providers as p')
    .innerJoin('places as l', 'l.provider_no', 'p.no')
    .select([
      'p.no',
      'p.id',
      'p.email',
      'p.consultation_minutes',
      'l.no as place_no',
      'l.time_zone',
    ])
    .where('p.email', 'in', ACCOUNT_EMAILS)
    .where('l.position', '=', 0)
    .orderBy('p.no')
    .execute()
}

type Account = Awaited<ReturnType<typeof listAccounts>>[number]

async function writeRules(db: Db, account: Account, now: number): Promise<void> {
  const today = Temporal.Instant.fromEpochMilliseconds(now)
    .toZonedDateTimeISO(account.time_zone)
    .toPlainDate()
  const monday = today.subtract({ days: today.dayOfWeek - 1 })
  const owner = { provider_no: account.no }
  await db
    .insertInto('schedules')
    .values({
      ...owner,
      notice_minutes: 120,
      horizon_days: 60,
      buffer_minutes: 0,
      closed_on_holidays: 1,
      rotation_weeks: 1,
      rotation_from: monday.toString(),
      generated_to: today.toString(),
      extend_at: now,
      withdraw_at: now,
      version: 1,
      updated_at: now,
    })
    .execute()
  const { week } = scheduleOf({ ...account, minutes: account.consultation_minutes })
  const place = { place_no: account.place_no }
  const hours = week.flatMap((sessions, at) =>
    sessions.map(([from, to]) => {
      const range = { from_minute: from, to_minute: to }
      return { ...owner, ...place, ...range, week: 1, weekday: at + 1 }
    }),
  )
  await db.insertInto('weekly_hours').values(hours).execute()
  // All far enough away to leave the next two weeks as they are.
  const saturday = monday.add({ days: 14 + SATURDAY - 1 })
  const extra = { from_minute: 14 * 60, to_minute: 16 * 60, note: 'Saturday clinic' }
  const extraId = idFrom('xdt', `extra ${account.email}`)
  await db
    .insertInto('extra_dates')
    .values({ ...owner, ...place, ...extra, id: extraId, date: saturday.toString() })
    .execute()
  await db
    .insertInto('absences')
    .values({
      ...owner,
      id: idFrom('abs', `absence ${account.email}`),
      place_no: null,
      from_date: monday.add({ days: 28 }).toString(),
      to_date: monday.add({ days: 32 }).toString(),
      note: 'Annual leave',
    })
    .execute()
  const afternoon = { from_minute: 14 * 60, to_minute: 17 * 60 }
  await db
    .insertInto('blocks')
    .values({
      ...owner,
      ...afternoon,
      id: idFrom('blk', `block ${account.email}`),
      date: monday.add({ days: 16 }).toString(),
      is_weekly: 0,
      until_date: null,
      note: 'Life support training',
    })
    .execute()
}

/**
 * Writes the hours of the demo's provider accounts once, the same ones their slots were derived from so far,
 * and generates their slots from them. Returns whether this call wrote them.
 */
export async function seedSchedules(database: Database, options: Options): Promise<boolean> {
  if ((await readMeta(database.db, SCHEDULES_KEY)) !== undefined) return false
  const { now, regenerate, reindex } = options
  return database.transaction(async (db) => {
    if (!(await claimMeta(db, SCHEDULES_KEY, '1'))) return false
    const accounts = await listAccounts(db)
    for (const account of accounts) {
      await writeRules(db, account, now)
      await regenerate(db, account.no, now)
    }
    await reindex(
      db,
      now,
      accounts.map(({ no }) => no),
    )
    return true
  })
}
