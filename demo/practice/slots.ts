import { sql } from 'kysely'
import { DAY_MS } from '#contract/base/time.ts'
import type { Database, Db } from '#db/engine.ts'
import { DEMO_ACCOUNTS } from '#db/reference/demo.ts'
import { idFrom } from '#demo/random.ts'
import { insertMany, readMeta, seedOnce, swapMeta } from '#demo/store.ts'
import {
  clocks,
  DAYS_AHEAD,
  type DayNo,
  dayIn,
  isFree,
  type Schedule,
  scheduleOf,
  slotsOn,
} from './schedule.ts'

/** Rebuilds the search rows of these providers, through the transaction's own handle. */
export type Reindex = (db: Db, now: number, providerNos: readonly number[]) => Promise<unknown>

/** Key of app_meta that holds the instant up to which slots were last filled. */
export const SLOTS_KEY = 'demo_slots'

/**
 * Demo providers that people sign in as: they have hours like real providers, and slots generated from those.
 */
export const ACCOUNT_EMAILS: readonly string[] = DEMO_ACCOUNTS.filter(
  ({ role }) => role === 'provider',
).map(({ email }) => email)

/** A demo provider, with what their slots are derived from. */
type Bookable = { no: number; placeNo: number; timeZone: string; schedule: Schedule }

/**
 * The demo providers whose slots are made up, recognised by their email address, which nobody else can have.
 * Those that people sign in as have hours instead: see `seedSchedules`.
 */
export async function demoProviders(db: Db): Promise<Bookable[]> {
  const rows = await db
    .selectFrom('providers')
    .innerJoin('places', 'places.provider_no', 'providers.no')
    .select([
      'providers.no',
      'providers.id',
      'providers.email',
      'providers.consultation_minutes',
      'places.no as place_no',
      'places.time_zone',
    ])
    .where('providers.email', 'like', '%@demo.example')
    .where('providers.email', 'not in', ACCOUNT_EMAILS)
    .where('places.position', '=', 0)
    .orderBy('providers.no')
    .execute()
  return rows.map((row) => ({
    no: row.no,
    placeNo: row.place_no,
    timeZone: row.time_zone,
    schedule: scheduleOf({ id: row.id, email: row.email, minutes: row.consultation_minutes }),
  }))
}

type SlotValues = [number, number, number, number, number]

/** What has to be written to advance the slots from their last fill to `now`. */
type SlotWork = {
  added: SlotValues[]
  /** Provider and start of slots that were free at the last fill and are booked by now. */
  booked: [number, number][]
}

/**
 * New slots for the days in view at `now` but not at `before` (the last fill; null for never), and the slots
 * of known days that were booked in between.
 */
export function planSlots(
  providers: readonly Bookable[],
  now: number,
  before: number | null,
): SlotWork {
  const clockFor = clocks()
  const dayCache = new Map<string, DayNo>()
  const today = (timeZone: string, at: number): DayNo => {
    const key = `${timeZone} ${at}`
    const day = dayCache.get(key) ?? dayIn(timeZone, at)
    dayCache.set(key, day)
    return day
  }
  const work: SlotWork = { added: [], booked: [] }
  for (const provider of providers) {
    const first = today(provider.timeZone, now)
    const last = before === null ? null : today(provider.timeZone, before)
    // The same date in that zone as last time, or a clock set back: nothing is missing.
    if (last !== null && last >= first) continue
    planDays(work, provider, { first, last, clockFor })
  }
  return work
}

function planDays(
  work: SlotWork,
  provider: Bookable,
  span: { first: DayNo; last: DayNo | null; clockFor: ReturnType<typeof clocks> },
): void {
  const { schedule, no, placeNo, timeZone } = provider
  for (let ahead = 0; ahead < DAYS_AHEAD; ahead += 1) {
    const day = span.first + ahead
    const known = span.last !== null && day < span.last + DAYS_AHEAD
    for (const slot of slotsOn(schedule, day, span.clockFor(timeZone, day))) {
      const free = isFree(schedule, slot, ahead)
      if (!known) work.added.push([no, slot.startAt, placeNo, schedule.minutes, free ? 1 : 0])
      else if (!free && span.last !== null && isFree(schedule, slot, day - span.last)) {
        work.booked.push([no, slot.startAt])
      }
    }
  }
}

const COLUMNS = ['provider_no', 'start_at', 'place_no', 'minutes', 'free'] as const
const UPDATE_BATCH_SIZE = 400

async function markBooked(db: Db, booked: readonly [number, number][]): Promise<void> {
  for (let from = 0; from < booked.length; from += UPDATE_BATCH_SIZE) {
    const piece = booked.slice(from, from + UPDATE_BATCH_SIZE)
    await db
      .updateTable('slots')
      .set({ free: 0 })
      .where('free', '=', 1)
      .where((eb) =>
        eb(
          eb.refTuple('provider_no', 'start_at'),
          'in',
          piece.map(([no, start]) => eb.tuple(no, start)),
        ),
      )
      .execute()
  }
}

/** Closes the slots that bookings have taken: planned slots do not know about bookings. */
async function closeClaimed(db: Db): Promise<void> {
  await sql`update slots set free = 0 where free = 1 and (provider_no, start_at) in (
    select s.provider_no, s.start_at from slot_claims c
      join slots s on s.provider_no = c.provider_no and s.start_at < c.end_at
        and s.start_at > c.start_at - 43200000 and s.start_at + s.minutes * 60000 > c.start_at
      where s.free = 1)`.execute(db)
}

/** Writes planned slots through the handle of a running transaction. */
export async function writeSlots(
  engine: Database['engine'],
  db: Db,
  work: SlotWork,
): Promise<void> {
  await insertMany({ db, engine }, { table: 'slots', columns: COLUMNS }, work.added)
  await markBooked(db, work.booked)
  await closeClaimed(db)
}

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
  const { now, regenerate, reindex } = options
  return seedOnce(database, SCHEDULES_KEY, async (db) => {
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
  })
}

/** How long slots are kept after they end. */
const RETENTION_MS = 7 * DAY_MS

/**
 * Advances the demo's calendars to `now`: adds the days that have come into view, books slots of the near ones as time
 * would, and deletes slots older than a week. Does nothing until some clinic has a new day, so it may be called at
 * every start and every hour. Returns the slots added.
 */
export async function topUpDemo(
  database: Database,
  options: { now: number; reindex: Reindex },
): Promise<number> {
  const { now, reindex } = options
  const last = await readMeta(database.db, SLOTS_KEY)
  if (last === undefined) return 0
  const providers = await demoProviders(database.db)
  const work = planSlots(providers, now, Number(last))
  if (work.added.length === 0 && work.booked.length === 0) return 0
  return database.transaction(async (db) => {
    if (!(await swapMeta(db, SLOTS_KEY, { from: last, to: String(now) }))) return 0
    await db
      .deleteFrom('slots')
      .where('start_at', '<', now - RETENTION_MS)
      .where(
        'provider_no',
        'in',
        db.selectFrom('providers').select('no').where('email', 'like', '%@demo.example'),
      )
      .execute()
    await writeSlots(database.engine, db, work)
    await reindex(
      db,
      now,
      providers.map((provider) => provider.no),
    )
    return work.added.length
  })
}
