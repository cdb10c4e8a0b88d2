import { expect } from 'vitest'
import type { Database } from '#db/engine.ts'

const MINUTE = 60_000

/** Every visit has exactly its own claim, no two overlap, and what is offered is claimed by nobody. */
export async function expectWhole({ db }: Database): Promise<void> {
  const claims = await db.selectFrom('slot_claims').selectAll().orderBy('booking_no').execute()
  const live = await db
    .selectFrom('bookings')
    .select(['no as booking_no', 'provider_no', 'start_at', 'end_at'])
    .where('state', 'in', ['held', 'confirmed'])
    .orderBy('no')
    .execute()
  expect(claims).toEqual(live)
  const slots = await db.selectFrom('slots').selectAll().orderBy('start_at').execute()
  for (const slot of slots) {
    const end = slot.start_at + slot.minutes * MINUTE
    const meeting = claims.filter((one) => one.start_at < end && one.end_at > slot.start_at)
    expect([slot.start_at, slot.free]).toEqual([slot.start_at, meeting.length === 0 ? 1 : 0])
  }
}
