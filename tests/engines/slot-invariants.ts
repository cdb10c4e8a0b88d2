import { expect } from 'vitest'
import type { Database } from '#db/engine.ts'

const MINUTE = 60_000

/** Every visit has exactly its own claim, no claims overlap, and no offered time is claimed. */
export async function expectConsistentSlots({ db }: Database): Promise<void> {
  const claims = await db.selectFrom('slot_claims').selectAll().execute()
  const booked = await db
    .selectFrom('bookings')
    .select(['no as booking_no', 'provider_no', 'start_at', 'end_at'])
    .where('state', 'in', ['held', 'confirmed'])
    .execute()
  const desk = await db
    .selectFrom('desk_visits')
    .select(['no as desk_no', 'provider_no', 'start_at', 'end_at'])
    .where('state', '=', 'confirmed')
    .execute()
  const live = [
    ...booked.map((row) => ({ ...row, desk_no: null })),
    ...desk.map((row) => ({ ...row, booking_no: null })),
  ]
  const inOrder = (rows: readonly (typeof claims)[number][]) =>
    rows.toSorted(
      (one, other) =>
        (one.booking_no ?? 0) - (other.booking_no ?? 0) ||
        (one.desk_no ?? 0) - (other.desk_no ?? 0),
    )
  expect(inOrder(claims)).toEqual(inOrder(live))
  for (const [n, one] of claims.entries()) {
    const meeting = claims
      .slice(n + 1)
      .filter((other) => other.provider_no === one.provider_no)
      .filter((other) => other.start_at < one.end_at && other.end_at > one.start_at)
    expect(meeting).toEqual([])
  }
  const slots = await db.selectFrom('slots').selectAll().orderBy('start_at').execute()
  for (const slot of slots) {
    const end = slot.start_at + slot.minutes * MINUTE
    const meeting = claims.filter((one) => one.start_at < end && one.end_at > slot.start_at)
    expect([slot.start_at, slot.free]).toEqual([slot.start_at, meeting.length === 0 ? 1 : 0])
  }
}

/** Every visit starts with its own claim, no claims overlap, and no slot within a claim is free. */
export async function expectConsistentRows({ db }: Database): Promise<void> {
  const rows = await db
    .selectFrom('bookings as b')
    .leftJoin('slot_claims as c', 'c.booking_no', 'b.no')
    .select(['b.start_at', 'b.end_at', 'c.start_at as from', 'c.end_at as to'])
    .where('b.state', 'in', ['held', 'confirmed'])
    .orderBy('b.start_at')
    .execute()
  for (const [n, { start_at: start, end_at: end, from, to }] of rows.entries()) {
    expect(from).toBe(start)
    expect(to ?? 0).toBeGreaterThanOrEqual(end)
    expect(rows[n + 1]?.start_at ?? Number.POSITIVE_INFINITY).toBeGreaterThanOrEqual(to ?? 0)
  }
  for (const slot of await db.selectFrom('slots').selectAll().execute()) {
    const slotEnd = slot.start_at + slot.minutes * MINUTE
    const isMet = rows.some(({ from, to }) => (from ?? 0) < slotEnd && (to ?? 0) > slot.start_at)
    if (isMet) expect([slot.start_at, slot.free]).toEqual([slot.start_at, 0])
  }
}
