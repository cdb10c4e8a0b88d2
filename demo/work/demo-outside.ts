import { DAY_MS } from '#contract/time.ts'
import { NEVER } from '#db/columns.ts'
import type { Database, Db } from '#db/engine.ts'
import { dayIn } from '#demo/calendar.ts'
import { idFrom } from '#demo/ids.ts'
import { claimMeta, readMeta } from '#demo/meta.ts'

const OUTSIDE_KEY = 'demo_outside'
const PROVIDER = 'provider@demo.example'
const NAME = 'Family'
const HOST = 'calendar.example'
const MINUTE_MS = 60_000

/** Busy times of the calendar: days from today, and hours in its local time. */
const BUSY = [
  { inDays: 1, from: 18, to: 20 },
  { inDays: 6, from: 8, to: 9 },
  { inDays: 9, from: 15, to: 17 },
  { inDays: 13, from: 12, to: 14 },
] as const

type Options = {
  now: number
  /** The address belongs to nobody; encryption is passed in, as it does not belong to database code. */
  seal: (of: { id: string; providerId: string }, address: string) => SealedAddress
  /** Generates a provider's slots again. */
  regenerate: (db: Db, providerNo: number, now: number) => Promise<unknown>
  reindex: (db: Db, now: number, providerNos: readonly number[]) => Promise<unknown>
}

type SealedAddress = { sealed: string; fingerprint: string }

async function writeCalendar(db: Db, { now, seal, regenerate, reindex }: Options): Promise<void> {
  const provider = await db
    .selectFrom('providers as p')
    .innerJoin('places as l', (join) =>
      join.onRef('l.provider_no', '=', 'p.no').on('l.position', '=', 0),
    )
    .select(['p.no', 'p.id', 'l.time_zone'])
    .where('p.email', '=', PROVIDER)
    .executeTakeFirst()
  if (provider === undefined) return
  const id = idFrom('ocl', OUTSIDE_KEY)
  await db
    .insertInto('outside_calendars')
    .values({
      id,
      provider_no: provider.no,
      name: NAME,
      host: HOST,
      ...seal({ id, providerId: provider.id }, `https://${HOST}/family.ics`),
      skips_all_day: 1,
      etag: null,
      last_modified: null,
      // There is nothing to fetch: what is written here stays.
      covered_to: '9999-12-31',
      next_read_at: NEVER,
      unreadable: 0,
      read_at: now - 4 * MINUTE_MS,
      failing_since: null,
      failure: null,
      told_at: null,
      created_at: now - 20 * DAY_MS,
    })
    .execute()
  const today = dayIn(provider.time_zone, now)
  const clock = (day: number, hour: number) =>
    Temporal.PlainDate.from('1970-01-01')
      .add({ days: day })
      .toZonedDateTime({ timeZone: provider.time_zone, plainTime: { hour } }).epochMilliseconds
  await db
    .insertInto('busy_times')
    .values(
      BUSY.map(({ inDays, from, to }) => ({
        provider_no: provider.no,
        source: 'calendar' as const,
        calendar_id: id,
        import_id: null,
        key: null,
        start_at: clock(today + inDays, from),
        end_at: clock(today + inDays, to),
        label: null,
      })),
    )
    .execute()
  await regenerate(db, provider.no, now)
  await reindex(db, now, [provider.no])
}

/**
 * A calendar kept elsewhere with some busy times, without a network. Runs once; returns whether this call
 * wrote it.
 */
export async function seedOutside(database: Database, options: Options): Promise<boolean> {
  if ((await readMeta(database.db, OUTSIDE_KEY)) !== undefined) return false
  return database.transaction(async (db) => {
    if (!(await claimMeta(db, OUTSIDE_KEY, String(options.now)))) return false
    await writeCalendar(db, options)
    return true
  })
}
