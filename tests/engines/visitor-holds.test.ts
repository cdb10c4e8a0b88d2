import { expect, test } from 'vitest'
import { MAX_UNPAID_PER_DAY } from '#contract/booking.ts'
import { holdAsVisitor } from '#server/booking/hold/hold-as-visitor.ts'
import { holdSlot } from '#server/booking/hold/hold-slot.ts'
import { MAX_UNPAID_HOLDS } from '#server/booking/rules.ts'
import { type Context, makeContext } from '#server/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import { NO_CLIENT } from '#server/kernel/limits/client.ts'
import { Reply } from '#server/kernel/wire/reply.ts'
import { signedInAs } from '#tests/harness/patients.ts'
import { describeEngines } from '#tests/harness/servers/engines.ts'
import { makeTestApp, type TestApp } from '#tests/harness/test-app.ts'
import { insertPatients, makeProviderWithSlots } from './booking-race.ts'

const TOMORROW = Date.parse('2026-03-03T09:00:00Z')
const MINUTE = 60_000

/** Consecutive half-hour times of one provider. */
async function makeSlots(testApp: TestApp, many: number) {
  const starts = Array.from({ length: many }, (_, n) => TOMORROW + n * 30 * MINUTE)
  const slots = starts.map((start) => ({ start, minutes: 30 }))
  const providerId = await makeProviderWithSlots(testApp, slots)
  return starts.map((at) => ({ providerId, startsAt: new Date(at).toISOString() }))
}

function clientOf({ services }: TestApp) {
  return { ...NO_CLIENT, cookies: new Map([['visitor', services.secrets.token()]]) }
}

/** A visitor from a network with a browser's cookie, a new one by default. */
function visitor(testApp: TestApp, network: string, client = clientOf(testApp)): Context {
  const facts = { viewer: { kind: 'visitor' }, requestId: 'TEST', network, client } as const
  return makeContext(testApp.services, { ...facts, reply: new Reply() })
}

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

function count(all: string[]): Record<string, number> {
  return Object.fromEntries(
    [...new Set(all)].map((each) => [each, all.filter((t) => t === each).length]),
  )
}

async function one(testApp: TestApp) {
  const [who] = await insertPatients(testApp, 1)
  const [wish] = await makeSlots(testApp, 1)
  if (who === undefined || wish === undefined) throw new Error('Nobody came.')
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

describeEngines('times of visitors, many at once,', (makeDatabase) => {
  test('of twenty visitors who want one time one has it', async () => {
    await using testApp = await makeTestApp({ database: await makeDatabase() })
    const { wish } = await one(testApp)
    const all = Array.from({ length: 20 }, (_, n) =>
      resultOf(holdAsVisitor(visitor(testApp, `198.51.100.${n}`), wish)),
    )
    expect(count(await Promise.all(all))).toEqual({ held: 1, slot_taken: 19 })
  })

  test('two tabs of one visitor have one time between them', async () => {
    await using testApp = await makeTestApp({ database: await makeDatabase() })
    const [first, second] = await pairOf(testApp)
    const client = clientOf(testApp)
    const tabs = [first, second, first].map((wish) =>
      resultOf(holdAsVisitor(visitor(testApp, '198.51.100.1', client), wish)),
    )
    expect(new Set(await Promise.all(tabs))).toEqual(new Set(['held']))
    expect(await live(testApp)).toHaveLength(1)
  })

  test('of one network are twelve, accounts that never paid among them, and of one provider ten', async () => {
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

describeEngines('a time of a visitor who signs in', (makeDatabase) => {
  test('in two tabs at once is taken over once', async () => {
    await using testApp = await makeTestApp({ database: await makeDatabase() })
    const { who, wish } = await one(testApp)
    const client = clientOf(testApp)
    await holdAsVisitor(visitor(testApp, '198.51.100.1', client), wish)
    const ctx = { ...signedInAs(testApp.services, who), client }
    const both = await Promise.all([holdSlot(ctx, wish), holdSlot(ctx, wish)])
    expect(new Set(both.map(({ id }) => id)).size).toBe(1)
    expect(await live(testApp)).toMatchObject([{ patient_no: who.no, visitor: null }])
    const audited = await testApp.database.db
      .selectFrom('audit')
      .select('action')
      .where('action', 'in', ['booking.held', 'booking.taken_over'])
      .execute()
    expect(audited).toHaveLength(2)
  })

  test('while another tab chooses another one leaves both at peace', async () => {
    await using testApp = await makeTestApp({ database: await makeDatabase() })
    const [who] = await insertPatients(testApp, 1)
    const [first, second] = await pairOf(testApp)
    if (who === undefined) throw new Error('Nobody came.')
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

  test('at its end belongs to them or to somebody else, and to nobody twice', async () => {
    await using testApp = await makeTestApp({ database: await makeDatabase() })
    const { who, wish } = await one(testApp)
    const [rival] = await insertPatients(testApp, 1)
    if (rival === undefined) throw new Error('Nobody came.')
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
