import { expect, test } from 'vitest'
import { AppointmentId, PaymentId } from '#contract/base/ids.ts'
import { DAY_MS } from '#contract/base/time.ts'
import { MAX_UPCOMING, MAX_UPCOMING_WITH_PROVIDER } from '#contract/booking.ts'
import type { Database } from '#db/engine.ts'
import { seedAccounts } from '#demo/people/accounts.ts'
import { seedSchedules, topUpDemo } from '#demo/practice/slots.ts'
import { seedDemo } from '#demo/seed.ts'
import { insertTestAreas } from '#demo/test-areas.ts'
import { regenerateSlots } from '#server/availability/slots/extend-slots.ts'
import { describeEngines } from '#tests/harness/servers/engines.ts'
import { seedVisits } from './demo-visits.ts'

const NOW = Date.parse('2026-03-02T09:00:00Z')
const reindex = () => Promise.resolve()

function visits(database: Database) {
  return database.db
    .selectFrom('bookings as b')
    .innerJoin('payments as y', 'y.no', 'b.paid_by')
    .innerJoin('slot_claims as c', 'c.booking_no', 'b.no')
    .innerJoin('accounts as a', 'a.no', 'b.patient_no')
    .innerJoin('providers as p', 'p.no', 'b.provider_no')
    .select([
      'b.id',
      'b.start_at',
      'b.end_at',
      'b.confirmed_at',
      'b.visit_type',
      'b.first_minor',
      'b.follow_minor',
      'b.provider_no',
      'y.id as payment_id',
      'y.state as payment_state',
      'y.amount_minor',
      'c.start_at as claim_start',
      'c.end_at as claim_end',
      'a.email as patient',
      'p.email as provider',
    ])
    .where('b.state', '=', 'confirmed')
    .orderBy('b.start_at')
    .orderBy('b.no')
    .execute()
}

function coveredAndFree(database: Database) {
  return database.db
    .selectFrom('slots as s')
    .innerJoin('slot_claims as c', (join) =>
      join.onRef('c.provider_no', '=', 's.provider_no').onRef('c.start_at', '=', 's.start_at'),
    )
    .select(['s.provider_no', 's.start_at'])
    .where('s.free', '=', 1)
    .execute()
}

describeEngines('the demo’s visits', (makeDatabase) => {
  async function seeded(): Promise<Database> {
    const database = await makeDatabase()
    await insertTestAreas(database)
    await seedDemo(database, {
      now: NOW,
      mediaFolder: '',
      providersPerRegion: 60,
      reindex,
      copy: () => Promise.resolve(new Map<string, string>()),
    })
    await seedAccounts(database, { now: NOW, hash: () => Promise.resolve('hash') })
    await seedSchedules(database, { now: NOW, regenerate: regenerateSlots, reindex })
    return database
  }

  let shared: Promise<Database> | undefined
  /** One database with visits, for the tests that only read. */
  function readOnly(): Promise<Database> {
    shared ??= seeded().then(async (database) => {
      await seedVisits(database, { now: NOW, reindex })
      return database
    })
    return shared
  }

  test('are written once, always the same', async () => {
    const database = await seeded()
    const wrote = await Promise.all([
      seedVisits(database, { now: NOW, reindex }),
      seedVisits(database, { now: NOW, reindex }),
    ])
    expect(wrote.toSorted()).toEqual([false, true])
    const again = await seeded()
    await seedVisits(again, { now: NOW, reindex })
    const ids = (rows: { id: string; start_at: number }[]) =>
      rows.map((row) => [row.id, row.start_at])
    expect(ids(await visits(again))).toEqual(ids(await visits(database)))
  })

  test('give the patient and both providers past and upcoming visits', async () => {
    const database = await readOnly()
    const rows = await visits(database)
    for (const [who, least] of [
      [(row: (typeof rows)[number]) => row.patient === 'patient@demo.example', 3],
      [(row: (typeof rows)[number]) => row.provider === 'provider@demo.example', 15],
      [(row: (typeof rows)[number]) => row.provider === 'provider-us@demo.example', 15],
    ] as const) {
      const theirs = rows.filter(who)
      expect(theirs.filter((row) => row.end_at < NOW).length).toBeGreaterThanOrEqual(least)
      expect(theirs.filter((row) => row.start_at > NOW).length).toBeGreaterThanOrEqual(2)
    }
    // The patient people sign in as can book more.
    const mine = rows.filter((row) => row.patient === 'patient@demo.example' && row.start_at > NOW)
    expect(mine.length).toBeLessThan(MAX_UPCOMING - 2)
    const withOne = Map.groupBy(mine, (row) => row.provider_no).values()
    expect(Math.max(...[...withOne].map((of) => of.length))).toBeLessThan(
      MAX_UPCOMING_WITH_PROVIDER,
    )
  })

  test('give both providers years of history, with some cancellations', async () => {
    const database = await readOnly()
    for (const email of ['provider@demo.example', 'provider-us@demo.example']) {
      const rows = await database.db
        .selectFrom('bookings as b')
        .innerJoin('providers as p', 'p.no', 'b.provider_no')
        .leftJoin('refunds as r', 'r.payment_no', 'b.paid_by')
        .select(['b.state', 'b.start_at', 'b.follow_up_basis', 'r.state as refund'])
        .where('p.email', '=', email)
        .execute()
      const years = new Set(rows.map((row) => new Date(row.start_at).getUTCFullYear()))
      expect(years.size).toBeGreaterThanOrEqual(3)
      expect(rows.length).toBeGreaterThan(100)
      const cancelled = rows.filter(({ state }) => state === 'cancelled')
      expect(cancelled.length).toBeGreaterThan(2)
      expect(cancelled.every(({ refund }) => refund === 'done')).toBe(true)
      const bases = new Set(rows.map((row) => row.follow_up_basis))
      expect(bases).toEqual(new Set([null, 'history', 'self_declared']))
      // Nine in the morning in London and three at night in Austin: today is still ahead.
      const today = rows.filter(({ start_at: at }) => at >= NOW && at < NOW + 0.6 * DAY_MS)
      expect(today.length).toBeGreaterThanOrEqual(3)
    }
  })

  test('are paid for, claimed and no longer offered, and none overlap', async () => {
    const database = await readOnly()
    const rows = await visits(database)
    const { n } = await database.db
      .selectFrom('slot_claims')
      .select((eb) => eb.fn.countAll<number>().as('n'))
      .executeTakeFirstOrThrow()
    expect(rows).toHaveLength(n)
    for (const row of rows) {
      expect(AppointmentId.safeParse(row.id).success).toBe(true)
      expect(PaymentId.safeParse(row.payment_id).success).toBe(true)
      expect(row.payment_state).toBe('paid')
      const price = row.visit_type === 'follow_up' ? row.follow_minor : row.first_minor
      expect(row.amount_minor).toBe(price)
      expect([row.claim_start, row.claim_end]).toEqual([row.start_at, row.end_at])
      expect(row.confirmed_at).toBeLessThan(Math.min(NOW, row.start_at))
    }
    expect(await coveredAndFree(database)).toEqual([])
  })

  test('a new day never offers a booked time again', async () => {
    const database = await seeded()
    await seedVisits(database, { now: NOW, reindex })
    const coming = (await visits(database)).filter((row) => row.start_at > NOW + 3 * DAY_MS)
    expect(coming.length).toBeGreaterThan(3)
    // As if those days had not come into view when the times were booked.
    await database.db
      .deleteFrom('slots')
      .where(
        'start_at',
        'in',
        coming.map((row) => row.start_at),
      )
      .execute()
    await database.db
      .updateTable('app_meta')
      .set({ value: String(NOW - 20 * DAY_MS) })
      .where('key', '=', 'demo_slots')
      .execute()
    await topUpDemo(database, { now: NOW, reindex })
    const back = await database.db
      .selectFrom('slots')
      .select('free')
      .where(
        'start_at',
        'in',
        coming.map((row) => row.start_at),
      )
      .execute()
    expect(back.length).toBeGreaterThanOrEqual(coming.length)
    expect(await coveredAndFree(database)).toEqual([])
  })
})
