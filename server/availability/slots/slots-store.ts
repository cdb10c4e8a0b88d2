import { sql } from 'kysely'
import { type Instant, NEVER } from '#db/columns.ts'
import type { Db } from '#db/engine.ts'
import { runSql } from '#db/run-sql.ts'
import type { BookingRow } from '#db/tables/booking.ts'

/** Longest possible visit, in milliseconds. */
const MAX_VISIT_MS = 12 * 3_600_000

/** Slots of several providers within a time range, by their starts. */
export type SlotRange = { providerNos: readonly number[]; from: Instant; until: Instant }

export function listSlots(db: Db, { providerNos, from, until }: SlotRange) {
  return db
    .selectFrom('slots')
    .selectAll()
    .where('provider_no', 'in', providerNos)
    .where('start_at', '>=', from)
    .where('start_at', '<', until)
    .orderBy('start_at')
    .execute()
}

/** Holds, visits and desk visits of several providers within a time range, earliest first. */
export function listClaims(db: Db, { providerNos, from, until }: SlotRange) {
  return db
    .selectFrom('slot_claims as c')
    .leftJoin('bookings as b', 'b.no', 'c.booking_no')
    .leftJoin('desk_visits as d', 'd.no', 'c.desk_no')
    .select([
      'c.provider_no',
      'c.start_at',
      'c.end_at',
      // A claim belongs to one of the two.
      sql<BookingRow['state']>`coalesce(b.state, d.state)`.as('state'),
      sql<number>`coalesce(b.place_no, d.place_no)`.as('place_no'),
      sql<string>`coalesce(b.time_zone, d.time_zone)`.as('time_zone'),
    ])
    .where('c.provider_no', 'in', providerNos)
    .where('c.start_at', '>', from - MAX_VISIT_MS)
    .where('c.start_at', '<', until)
    .where('c.end_at', '>', from)
    .orderBy('c.start_at')
    .execute()
}

const DELETE_BATCH_SIZE = 500

export async function deleteSlots(
  db: Db,
  providerNo: number,
  starts: readonly Instant[],
): Promise<void> {
  for (let from = 0; from < starts.length; from += DELETE_BATCH_SIZE) {
    await db
      .deleteFrom('slots')
      .where('provider_no', '=', providerNo)
      .where('start_at', 'in', starts.slice(from, from + DELETE_BATCH_SIZE))
      .execute()
  }
}

export type NewSlot = { providerNo: number; start: Instant; placeNo: number; minutes: number }

const UPSERT_BATCH_SIZE = 100
const upsertTexts: string[] = []

function upsertText(count: number): string {
  const rows = Array<string>(count).fill('(?, ?, ?, ?, 1)').join(', ')
  return `insert into slots (provider_no, start_at, place_no, minutes, free) values ${rows}
    on conflict (provider_no, start_at) do update
    set place_no = excluded.place_no, minutes = excluded.minutes, free = 1`
}

/** Writes free slots, replacing those with the same start. */
export async function upsertSlots(db: Db, slots: readonly NewSlot[]): Promise<void> {
  for (let from = 0; from < slots.length; from += UPSERT_BATCH_SIZE) {
    const piece = slots.slice(from, from + UPSERT_BATCH_SIZE)
    const text = (upsertTexts[piece.length] ??= upsertText(piece.length))
    const parameters: number[] = []
    for (const { providerNo, start, placeNo, minutes } of piece) {
      parameters.push(providerNo, start, placeNo, minutes)
    }
    await runSql(db, text, parameters)
  }
}

/** Deletes slots of these providers that began before an instant. */
export async function deleteSlotsBefore(
  db: Db,
  providerNos: readonly number[],
  before: Instant,
): Promise<void> {
  await db
    .deleteFrom('slots')
    .where('provider_no', 'in', providerNos)
    .where('start_at', '<', before)
    .execute()
}

/** Withdraws all free times at a place. */
export async function deleteFreeSlotsAt(
  db: Db,
  providerNo: number,
  placeNo: number,
): Promise<void> {
  await db
    .deleteFrom('slots')
    .where('provider_no', '=', providerNo)
    .where('place_no', '=', placeNo)
    .where('free', '=', sql.lit(1))
    .execute()
}

/** Providers whose next day is due, the longest overdue first. */
export function listToExtend(db: Db, now: Instant, limit: number) {
  return db
    .selectFrom('schedules')
    .select(['provider_no', 'generated_to', 'horizon_days'])
    .where('extend_at', '<=', now)
    .orderBy('extend_at')
    .limit(limit)
    .execute()
}

/** Providers with a free slot that may have to be withdrawn, the longest overdue first. */
export async function listToWithdraw(db: Db, now: Instant, limit: number): Promise<number[]> {
  const rows = await db
    .selectFrom('schedules')
    .select('provider_no')
    .where('withdraw_at', '<=', now)
    .orderBy('withdraw_at')
    .limit(limit)
    .execute()
  return rows.map((row) => row.provider_no)
}

/** Deletes free slots of these providers that begin before an instant. */
export async function deleteFreeSlotsBefore(
  db: Db,
  providerNos: readonly number[],
  before: Instant,
): Promise<void> {
  await db
    .deleteFrom('slots')
    .where('provider_no', 'in', providerNos)
    .where('free', '=', sql.lit(1))
    .where('start_at', '<', before)
    .execute()
}

/** Sets when the first free slot of each of these providers is withdrawn: `leadMs` before it begins. */
export async function updateWithdrawals(
  db: Db,
  providerNos: readonly number[],
  leadMs: number,
): Promise<void> {
  await db
    .updateTable('schedules')
    .set({
      withdraw_at: sql<Instant>`coalesce((
        select min(f.start_at) - ${leadMs} from slots f
        where f.provider_no = schedules.provider_no and f.free = 1), ${sql.lit(NEVER)})`,
    })
    .where('provider_no', 'in', providerNos)
    .execute()
}
