import { expect, test } from 'vitest'
import { AppointmentId } from '#contract/base/ids.ts'
import { MAX_UNPAID_PER_DAY, MAX_UPCOMING, MAX_UPCOMING_WITH_PROVIDER } from '#contract/booking.ts'
import { holdAsVisitor, holdSlot } from '#server/booking/hold/hold-slot.ts'
import { releaseBooking } from '#server/booking/hold/holds.ts'
import { MAX_UNPAID_HOLDS } from '#server/booking/rules.ts'
import { type Context, makeContext, type SignedIn } from '#server/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import { NO_CLIENT, Reply } from '#server/kernel/wire/client.ts'
import { moveVisit } from '#server/visits/move-visit.ts'
import { signedInAs } from '#tests/harness/accounts.ts'
import { describeEngines } from '#tests/harness/servers/engines.ts'
import { makeTestApp, readAudit, type TestApp } from '#tests/harness/test-app.ts'
import { bookVisit, settle, startOpenPayment, verifyCode } from '#tests/harness/visits.ts'
import { insertPatients, makeProviderWithSlots } from './booking-race.ts'

const TOMORROW = Date.parse('2026-03-03T09:00:00Z')
const MINUTE = 60_000
const HALF_HOUR = 30 * MINUTE

/** Consecutive times of one provider. */
async function makeSlots(testApp: TestApp, many: number) {
  const starts = Array.from({ length: many }, (_, n) => TOMORROW + n * HALF_HOUR)
  const providerId = await makeProviderWithSlots(
    testApp,
    starts.map((start) => ({ start, minutes: 30 })),
  )
  return starts.map((at) => ({ providerId, startsAt: new Date(at).toISOString() }))
}

type SlotRequest = Awaited<ReturnType<typeof makeSlots>>[number]

/** `held`, or the refusal's code and cap. */
async function resultOf(work: Promise<unknown>): Promise<string> {
  try {
    await work
    return 'held'
  } catch (error) {
    if (error instanceof AppError) return `${error.code} ${error.details['cap'] ?? ''}`.trim()
    throw error
  }
}

async function tryToHold(ctx: SignedIn, wish: SlotRequest | undefined): Promise<string> {
  if (wish === undefined) throw new Error('There is no such time.')
  return resultOf(holdSlot(ctx, wish))
}

function count(results: string[]): Record<string, number> {
  return Object.fromEntries(
    [...new Set(results)].map((one) => [one, results.filter((t) => t === one).length]),
  )
}

/** Holds for as many new patients as there are wishes, all from one network unless given otherwise. */
async function holdAsNewPatients(
  testApp: TestApp,
  wishes: readonly SlotRequest[],
  network?: string,
) {
  const crowd = await insertPatients(testApp, wishes.length)
  return Promise.all(
    crowd.map((who, n) => {
      const ctx = signedInAs(testApp.services, who)
      return tryToHold(network === undefined ? ctx : { ...ctx, network }, wishes[n])
    }),
  )
}

async function pay(
  testApp: TestApp,
  who: { no: number; id: string },
  wish: SlotRequest | undefined,
) {
  if (wish === undefined) throw new Error('There is no such time.')
  await bookVisit(signedInAs(testApp.services, who), wish)
}

describeEngines('many concurrent unpaid holds', (makeDatabase) => {
  test('of new accounts from one network are at most twelve, across providers', async () => {
    await using testApp = await makeTestApp({ database: await makeDatabase() })
    const wishes = await Promise.all(Array.from({ length: 20 }, () => makeSlots(testApp, 1)))
    const results = await holdAsNewPatients(testApp, wishes.flat(), '203.0.113.9')
    expect(count(results)).toEqual({
      held: MAX_UNPAID_HOLDS.network,
      'too_many_unpaid_holds network': 20 - MAX_UNPAID_HOLDS.network,
    })
    // Expired holds no longer count.
    testApp.advance(15 * MINUTE)
    const later = await holdAsNewPatients(testApp, wishes.flat().slice(12), '203.0.113.9')
    expect(count(later)).toEqual({ held: 8 })
  })

  test('of new accounts from one IPv6 site are at most twelve', async () => {
    await using testApp = await makeTestApp({ database: await makeDatabase() })
    const wishes = await Promise.all(Array.from({ length: 14 }, () => makeSlots(testApp, 1)))
    const crowd = await insertPatients(testApp, 14)
    const results = await Promise.all(
      crowd.map((who, n) =>
        tryToHold(
          { ...signedInAs(testApp.services, who), network: `2001:db8:1:${n}::/64` },
          wishes[n]?.[0],
        ),
      ),
    )
    expect(count(results)).toEqual({ held: 12, 'too_many_unpaid_holds network': 2 })
  })

  test('of new accounts at one provider are at most ten, not counting people who have paid', async () => {
    await using testApp = await makeTestApp({ database: await makeDatabase() })
    const [one, other, ...wishes] = (await makeSlots(testApp, 32)).toReversed()
    const results = await holdAsNewPatients(testApp, wishes)
    expect(count(results)).toEqual({
      held: MAX_UNPAID_HOLDS.provider,
      'too_many_unpaid_holds provider': 30 - MAX_UNPAID_HOLDS.provider,
    })
    const [known] = await insertPatients(testApp, 1)
    if (known === undefined) throw new Error('There is no patient.')
    await pay(testApp, known, (await makeSlots(testApp, 1))[0])
    const ctx = signedInAs(testApp.services, known)
    expect([await tryToHold(ctx, one), await tryToHold(ctx, other)]).toEqual(['held', 'held'])
  })
})

describeEngines('unpaid holds of one patient', (makeDatabase) => {
  test('are at most twenty in a day, released or not, not counting booked ones', async () => {
    await using testApp = await makeTestApp({ database: await makeDatabase() })
    const wishes = await makeSlots(testApp, 24)
    const [who] = await insertPatients(testApp, 1)
    if (who === undefined) throw new Error('There is no patient.')
    const ctx = signedInAs(testApp.services, who)
    await pay(testApp, who, wishes.pop())
    for (const wish of wishes.slice(0, MAX_UNPAID_HOLDS.patient)) {
      const { id } = await holdSlot(ctx, wish)
      await ctx.transaction(async (tx) => {
        const { no } = await tx.db
          .selectFrom('bookings')
          .select('no')
          .where('id', '=', id)
          .executeTakeFirstOrThrow()
        await releaseBooking(ctx, tx, { bookingNo: no, reason: 'left' })
      })
    }
    expect(await tryToHold(ctx, wishes[20])).toBe('too_many_unpaid_holds patient')
    // The cap counts per patient.
    expect(await holdAsNewPatients(testApp, wishes.slice(20, 21))).toEqual(['held'])
  })
})

/** Held and confirmed visits of a patient: in total, and the most with one provider. */
async function upcoming({ database: { db } }: TestApp, who: { no: number }) {
  const rows = await db
    .selectFrom('bookings')
    .select('provider_no')
    .where('patient_no', '=', who.no)
    .where('state', 'in', ['held', 'confirmed'])
    .execute()
  const each = Map.groupBy(rows, (row) => row.provider_no)
  return { all: rows.length, withOne: Math.max(...[...each.values()].map((of) => of.length)) }
}

/** A patient who has booked these times. */
async function makeBookedPatient(testApp: TestApp, wishes: readonly SlotRequest[]) {
  const [who] = await insertPatients(testApp, 1)
  if (who === undefined) throw new Error('There is no patient.')
  for (const wish of wishes) await pay(testApp, who, wish)
  return { who, ctx: signedInAs(testApp.services, who) }
}

/** Consecutive times, each with a different provider. */
async function makeSlotsOfDifferentProviders(
  testApp: TestApp,
  many: number,
  from: number,
): Promise<SlotRequest[]> {
  return Promise.all(
    Array.from({ length: many }, async (_, n) => {
      const start = TOMORROW + (from + n) * HALF_HOUR
      const providerId = await makeProviderWithSlots(testApp, [{ start, minutes: 30 }])
      return { providerId, startsAt: new Date(start).toISOString() }
    }),
  )
}

describeEngines('upcoming visits of one patient', (makeDatabase) => {
  test('are at most eight, also of twenty concurrent holds', async () => {
    await using testApp = await makeTestApp({ database: await makeDatabase() })
    const { who, ctx } = await makeBookedPatient(
      testApp,
      await makeSlotsOfDifferentProviders(testApp, 6, 0),
    )
    const wishes = await makeSlotsOfDifferentProviders(testApp, 20, 6)
    const results = await Promise.all(wishes.map((wish) => tryToHold(ctx, wish)))
    expect(count(results)).toEqual({ held: 2, 'too_many_coming patient': 18 })
    expect(await upcoming(testApp, who)).toEqual({ all: MAX_UPCOMING, withOne: 1 })
    // Expired holds make room.
    testApp.advance(15 * MINUTE)
    const free = wishes.filter((_, n) => results[n] !== 'held')
    expect(await tryToHold(ctx, free[0])).toBe('held')
  })

  test('are at most three with one provider, also of twenty concurrent holds', async () => {
    await using testApp = await makeTestApp({ database: await makeDatabase() })
    const [one, other, ...wishes] = await makeSlots(testApp, 22)
    const { who, ctx } = await makeBookedPatient(
      testApp,
      [one, other].filter((wish) => wish !== undefined),
    )
    const results = await Promise.all(wishes.map((wish) => tryToHold(ctx, wish)))
    expect(count(results)).toEqual({ held: 1, 'too_many_coming provider': 19 })
    expect(await upcoming(testApp, who)).toEqual({ all: 3, withOne: MAX_UPCOMING_WITH_PROVIDER })
    const [elsewhere] = await makeSlotsOfDifferentProviders(testApp, 1, 40)
    expect(await tryToHold(ctx, elsewhere)).toBe('held')
  })

  test('do not count once begun or cancelled, and count once when moved', async () => {
    await using testApp = await makeTestApp({ database: await makeDatabase() })
    const { db } = testApp.database
    const wishes = await makeSlots(testApp, 8)
    const { ctx } = await makeBookedPatient(testApp, wishes.slice(0, 3))
    const last = wishes[6]
    expect(await tryToHold(ctx, last)).toBe('too_many_coming provider')
    const [visit] = await db.selectFrom('bookings').select('id').orderBy('no').execute()
    const slot = { startsAt: wishes[5]?.startsAt ?? '' }
    await moveVisit(ctx, { id: AppointmentId.parse(visit?.id), sequence: 0, slot })
    expect(await tryToHold(ctx, last)).toBe('too_many_coming provider')
    // The second of the three begins; the moved visit is the first.
    testApp.advance(TOMORROW + HALF_HOUR - testApp.services.now())
    expect(await tryToHold(ctx, last)).toBe('held')
    expect(await tryToHold(ctx, wishes[7])).toBe('too_many_coming provider')
    await db
      .updateTable('bookings')
      .set({ state: 'cancelled' })
      .where('state', '=', 'confirmed')
      .execute()
    expect(await tryToHold(ctx, wishes[7])).toBe('held')
  })

  test('include an expired hold while its payment can still succeed', async () => {
    await using testApp = await makeTestApp({ database: await makeDatabase() })
    const [first, ...rest] = await makeSlots(testApp, 5)
    const { ctx } = await makeBookedPatient(testApp, rest.slice(0, 2))
    if (first === undefined) throw new Error('There is no such time.')
    const { id } = await holdSlot(ctx, first)
    await verifyCode(ctx, id)
    const payment = await startOpenPayment(ctx, id)
    testApp.advance(15 * MINUTE)
    expect(await tryToHold(ctx, rest[2])).toBe('too_many_coming provider')
    expect(await settle(ctx, payment)).toBe(true)
    expect(await tryToHold(ctx, rest[2])).toBe('too_many_coming provider')
  })
})

function clientOf({ services }: TestApp) {
  return { ...NO_CLIENT, cookies: new Map([['visitor', services.secrets.token()]]) }
}

/** A visitor from a network with a browser's cookie, a new one by default. */
function visitor(testApp: TestApp, network: string, client = clientOf(testApp)): Context {
  const facts = { viewer: { kind: 'visitor' }, requestId: 'TEST', network, client } as const
  return makeContext(testApp.services, { ...facts, reply: new Reply() })
}

async function makePatientAndTime(testApp: TestApp) {
  const [who] = await insertPatients(testApp, 1)
  const [wish] = await makeSlots(testApp, 1)
  if (who === undefined || wish === undefined) throw new Error('There is no patient.')
  return { who, wish }
}

/** Two times of one provider. */
async function pairOf(testApp: TestApp) {
  const [first, second] = await makeSlots(testApp, 2)
  if (first === undefined || second === undefined) throw new Error('There are no times.')
  return [first, second] as const
}

function live(testApp: TestApp) {
  return testApp.database.db
    .selectFrom('bookings as b')
    .innerJoin('slot_claims as c', 'c.booking_no', 'b.no')
    .select(['b.patient_no', 'b.visitor', 'b.start_at', 'b.hold_until'])
    .where('b.state', '=', 'held')
    .execute()
}

describeEngines('many concurrent visitor holds', (makeDatabase) => {
  test('of twenty visitors for one time one gets it', async () => {
    await using testApp = await makeTestApp({ database: await makeDatabase() })
    const { wish } = await makePatientAndTime(testApp)
    const all = Array.from({ length: 20 }, (_, n) =>
      resultOf(holdAsVisitor(visitor(testApp, `198.51.100.${n}`), wish)),
    )
    expect(count(await Promise.all(all))).toEqual({ held: 1, slot_taken: 19 })
  })

  test('two tabs of one visitor share one hold', async () => {
    await using testApp = await makeTestApp({ database: await makeDatabase() })
    const [first, second] = await pairOf(testApp)
    const client = clientOf(testApp)
    const tabs = [first, second, first].map((wish) =>
      resultOf(holdAsVisitor(visitor(testApp, '198.51.100.1', client), wish)),
    )
    expect(new Set(await Promise.all(tabs))).toEqual(new Set(['held']))
    expect(await live(testApp)).toHaveLength(1)
  })

  test('are at most twelve per network, with accounts that never paid, and ten per provider', async () => {
    await using testApp = await makeTestApp({ database: await makeDatabase() })
    const network = '203.0.113.9'
    const wishes = (
      await Promise.all(Array.from({ length: 16 }, () => makeSlots(testApp, 1)))
    ).flat()
    const crowd = await insertPatients(testApp, 8)
    const all = wishes.map((wish, n) => {
      const who = crowd[n]
      if (who === undefined) return resultOf(holdAsVisitor(visitor(testApp, network), wish))
      return resultOf(holdSlot({ ...signedInAs(testApp.services, who), network }, wish))
    })
    expect(count(await Promise.all(all))).toEqual({
      held: MAX_UNPAID_HOLDS.network,
      'too_many_unpaid_holds network': 4,
    })
    const sought = await makeSlots(testApp, 14)
    const fromAllOver = sought.map((wish, n) =>
      resultOf(holdAsVisitor(visitor(testApp, `198.51.100.${n}`), wish)),
    )
    expect(count(await Promise.all(fromAllOver))).toEqual({
      held: MAX_UNPAID_HOLDS.provider,
      'too_many_unpaid_holds provider': 4,
    })
  })

  test('a network has as many a day as one patient, whatever the cookies', async () => {
    await using testApp = await makeTestApp({ database: await makeDatabase() })
    const wishes = await makeSlots(testApp, MAX_UNPAID_PER_DAY + 1)
    const verdicts: string[] = []
    for (const wish of wishes) {
      // One after the other, each expired before the next.
      // oxlint-disable-next-line no-await-in-loop
      verdicts.push(await resultOf(holdAsVisitor(visitor(testApp, '203.0.113.9'), wish)))
      testApp.advance(16 * MINUTE)
    }
    expect(count(verdicts)).toEqual({ held: MAX_UNPAID_PER_DAY, rate_limited: 1 })
  })
})

describeEngines('a visitor’s hold at sign-in', (makeDatabase) => {
  test('is transferred once, also with two concurrent tabs', async () => {
    await using testApp = await makeTestApp({ database: await makeDatabase() })
    const { who, wish } = await makePatientAndTime(testApp)
    const client = clientOf(testApp)
    await holdAsVisitor(visitor(testApp, '198.51.100.1', client), wish)
    const ctx = { ...signedInAs(testApp.services, who), client }
    const both = await Promise.all([holdSlot(ctx, wish), holdSlot(ctx, wish)])
    expect(new Set(both.map(({ id }) => id)).size).toBe(1)
    expect(await live(testApp)).toMatchObject([{ patient_no: who.no, visitor: null }])
    expect(await readAudit(testApp, 'booking.held', 'booking.taken_over')).toHaveLength(2)
  })

  test('while another tab chooses another time works for both', async () => {
    await using testApp = await makeTestApp({ database: await makeDatabase() })
    const [who] = await insertPatients(testApp, 1)
    const [first, second] = await pairOf(testApp)
    if (who === undefined) throw new Error('There is no patient.')
    const client = clientOf(testApp)
    await holdAsVisitor(visitor(testApp, '198.51.100.1', client), first)
    const ctx = { ...signedInAs(testApp.services, who), client }
    const [mine] = await Promise.all([
      holdSlot(ctx, first),
      holdAsVisitor(visitor(testApp, '198.51.100.1', client), second),
    ])
    expect(mine.state).toBe('held')
    const rows = await live(testApp)
    expect(rows).toHaveLength(2)
    expect(new Set(rows.map((row) => row.patient_no))).toEqual(new Set([who.no, null]))
  })

  test('at its expiry goes to them or to somebody else, never to both', async () => {
    await using testApp = await makeTestApp({ database: await makeDatabase() })
    const { who, wish } = await makePatientAndTime(testApp)
    const [rival] = await insertPatients(testApp, 1)
    if (rival === undefined) throw new Error('There is no patient.')
    const client = clientOf(testApp)
    await holdAsVisitor(visitor(testApp, '198.51.100.1', client), wish)
    testApp.advance(15 * MINUTE)
    const all = await Promise.all([
      resultOf(holdSlot({ ...signedInAs(testApp.services, who), client }, wish)),
      resultOf(holdSlot(signedInAs(testApp.services, rival), wish)),
    ])
    expect(all.toSorted()).toEqual(['held', 'slot_taken'])
    expect(await live(testApp)).toHaveLength(1)
  })
})
