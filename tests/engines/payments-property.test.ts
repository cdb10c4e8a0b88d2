import { expect, test } from 'vitest'
import { makeGateways } from '#server/gateways/make-gateways.ts'
import type { PaymentGateways } from '#server/gateways/payment-gateways.ts'
import { findViolations } from '#tests/engines/payment-books.ts'
import {
  crashingDatabase,
  crashingGateways,
  Dice,
  type Tally,
  Weather,
} from '#tests/engines/payment-storm.ts'
import { makeCrowd, makeOffer } from '#tests/engines/race-crowd.ts'
import { startSandbox } from '#tests/harness/sandbox.ts'
import { makeWorld, type World } from '#tests/harness/world.ts'

// payments.md, section 6: the real SDK and the sandbox over HTTP, by chance and by seed. A run that
// fails is repeated with `STORM_SEED=… vitest run … payments-property`.

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
const MOST_ROUNDS = 4_000
const seed = Number(process.env['STORM_SEED'] ?? Math.floor(Math.random() * 2 ** 31))

/** Half-hour visits every quarter of an hour: each overlaps its neighbours. */
async function makeOffers(world: World): Promise<{ providerId: string; startsAt: string }[]> {
  const offers = []
  for (let provider = 0; provider < 3; provider += 1) {
    const slots = Array.from({ length: 120 }, (_, n) => ({
      start: world.services.now() + (3 + Math.floor(n / 24)) * DAY + (n % 24) * 15 * MINUTE,
      minutes: n % 3 === 0 ? 15 : 30,
    }))
    const providerId = await makeOffer(world, slots)
    offers.push(
      ...slots.map(({ start }) => ({ providerId, startsAt: new Date(start).toISOString() })),
    )
  }
  return offers
}

type StormOptions = {
  holds: number
  /** Bends what the gateways do. */
  bend?: (gateways: PaymentGateways) => PaymentGateways
}

async function storm(
  dice: Dice,
  { holds, bend = (gateways) => gateways }: StormOptions,
): Promise<{ wrong: string[]; tally: Tally }> {
  // The sandbox is there before the world whose clock and door it uses.
  const at: { world?: World } = {}
  await using sandbox = await startSandbox({
    now: () => at.world?.services.now() ?? Date.parse('2026-03-02T09:00:00Z'),
    deliver: async (request) => {
      if (at.world === undefined) return new Response(null, { status: 503 })
      return at.world.app.fetch(request, '127.0.0.1')
    },
  })
  await using plain = await makeWorld({ standIn: sandbox.standIn })
  const real = makeGateways({
    payments: plain.services.config.payments,
    now: () => at.world?.services.now() ?? plain.services.now(),
    chance: () => 0,
    standIn: sandbox.standIn,
  })
  await using made = await makeWorld({
    standIn: sandbox.standIn,
    database: crashingDatabase(plain.database, dice),
    gateways: crashingGateways(bend(real), dice),
  })
  at.world = made
  const patients = await makeCrowd(made, 40)
  const offers = await makeOffers(made)
  const weather = new Weather({ world: made, sandbox, dice, patients, offers })
  dice.crashChance = 0.03
  for (let round = 0; round < MOST_ROUNDS && (weather.tally['holds'] ?? 0) < holds; round += 1) {
    await weather.blow()
  }
  await weather.calm()
  const payments = await made.database.db.selectFrom('payments').select('state').execute()
  for (const { state } of payments) weather.tally[state] = (weather.tally[state] ?? 0) + 1
  process.stdout.write(
    `storm: seed ${seed}, ${dice.crashes} crashes, ${JSON.stringify(weather.tally)}\n`,
  )
  return { wrong: await findViolations(made, sandbox), tally: weather.tally }
}

test('whatever crashes, repeats, is late or out of order: paid means booked, or paid back once', {
  timeout: 240_000,
}, async () => {
  const dice = new Dice(seed)
  const { wrong, tally } = await storm(dice, { holds: 300 })
  expect(wrong, `STORM_SEED=${seed}`).toEqual([])
  expect(tally['holds']).toBeGreaterThanOrEqual(300)
  // A storm in which nothing came through would prove nothing.
  expect(tally['paid']).toBeGreaterThan(5)
  expect(dice.crashes).toBeGreaterThan(20)
})

/** A gateway that says a session is closed and takes money for it all the same. */
function closesInWordsOnly(gateways: PaymentGateways): PaymentGateways {
  const { stripe } = gateways
  return {
    ...gateways,
    stripe: {
      open: (order) => stripe.open(order),
      read: (session) => stripe.read(session),
      refund: (order) => stripe.refund(order),
      readRefund: (id) => stripe.readRefund(id),
      listReturned: (names) => stripe.listReturned(names),
      readEvent: (body, headers) => stripe.readEvent(body, headers),
      readFacts: (body) => stripe.readFacts(body),
      listSince: (from) => stripe.listSince(from),
      close: async (session) => {
        const truth = await stripe.read({ session, gwPayment: null })
        return truth.state === 'open' ? { ...truth, state: 'closed' } : truth
      },
    },
  }
}

test('money that comes for a time that was given away goes back, once', {
  timeout: 240_000,
}, async () => {
  const dice = new Dice(seed + 1)
  const { wrong, tally } = await storm(dice, { holds: 220, bend: closesInWordsOnly })
  expect(wrong, `STORM_SEED=${seed}`).toEqual([])
  expect(tally['refunded'] ?? 0).toBeGreaterThan(0)
})
