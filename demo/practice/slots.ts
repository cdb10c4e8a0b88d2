import { sql } from 'kysely'
import type { Database, Db } from '#db/engine.ts'
import { insertMany } from '#demo/bulk.ts'
import { clocks, DAYS_AHEAD, type DayNo, dayIn } from '#demo/calendar.ts'
import { isFree, type Schedule, scheduleOf, slotsOn } from './schedule.ts'
import { ACCOUNT_EMAILS } from './schedules.ts'

/** Rebuilds the search rows of these providers, through the transaction's own handle. */
export type Reindex = (db: Db, now: number, providerNos: readonly number[]) => Promise<unknown>

/** Key of app_meta that holds the instant up to which slots were last filled. */
export const SLOTS_KEY = 'demo_slots'

/** A demo provider, with what their slots are derived from. */
type Bookable = { no: number; placeNo: number; timeZone: string; schedule: Schedule }

/**
 * The demo providers whose slots are made up, recognised by their email address, which nobody else can have.
 * Those that people sign in as have hours instead: see `schedules.ts`.
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

/** Closes the slots that bookings have taken: new slots know nothing of bookings. */
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
