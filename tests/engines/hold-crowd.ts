import { solveChallenge } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2'
import { holdSlot } from '#server/booking/hold/hold-slot.ts'
import { type Context, makeContext, type SignedIn } from '#server/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import { makeChallenge } from '#server/kernel/security/captcha.ts'
import { NO_CLIENT, Reply } from '#server/kernel/wire/client.ts'
import { signedInAs } from '#tests/harness/accounts.ts'
import { type TestApp } from '#tests/harness/test-app.ts'
import { bookVisit } from '#tests/harness/visits.ts'
import { insertPatients, makeProviderWithSlots } from './booking-race.ts'

export const TOMORROW = Date.parse('2026-03-03T09:00:00Z')
export const MINUTE = 60_000
export const HALF_HOUR = 30 * MINUTE

/** Consecutive times of one provider. */
export async function makeSlots(testApp: TestApp, many: number) {
  const starts = Array.from({ length: many }, (_, n) => TOMORROW + n * HALF_HOUR)
  const providerId = await makeProviderWithSlots(
    testApp,
    starts.map((start) => ({ start, minutes: 30 })),
  )
  return starts.map((at) => ({ providerId, startsAt: new Date(at).toISOString() }))
}

export type SlotRequest = Awaited<ReturnType<typeof makeSlots>>[number] & { captchaValue?: string }

/** `held`, or the refusal's code with the cap or the work of the challenge. */
export async function resultOf(call: Promise<unknown>): Promise<string> {
  try {
    await call
    return 'held'
  } catch (error) {
    if (error instanceof AppError) {
      const { cap = '', work = cap } = error.details
      return `${error.code} ${work}`.trim()
    }
    throw error
  }
}

export async function tryToHold(ctx: SignedIn, wish: SlotRequest | undefined): Promise<string> {
  if (wish === undefined) throw new Error('There is no such time.')
  return resultOf(holdSlot(ctx, wish))
}

export function count(results: string[]): Record<string, number> {
  return Object.fromEntries(
    [...new Set(results)].map((one) => [one, results.filter((t) => t === one).length]),
  )
}

/** Holds for as many new patients as there are wishes, all from one network unless given otherwise. */
export async function holdAsNewPatients(
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

export async function pay(
  testApp: TestApp,
  who: { no: number; id: string },
  wish: SlotRequest | undefined,
) {
  if (wish === undefined) throw new Error('There is no such time.')
  await bookVisit(signedInAs(testApp.services, who), wish)
}

/** A solved challenge of this much work. The apps of tests have CAPTCHA off, so it takes no time. */
export async function solved({ services }: TestApp, work = 1): Promise<string> {
  const challenge = await makeChallenge(services, work)
  const solution = await solveChallenge({ challenge, deriveKey })
  return Buffer.from(JSON.stringify({ challenge, solution })).toString('base64')
}

export function clientOf({ services }: TestApp) {
  return { ...NO_CLIENT, cookies: new Map([['visitor', services.secrets.token()]]) }
}

/** A visitor from a network with a browser's cookie, a new one by default. */
export function visitor(testApp: TestApp, network: string, client = clientOf(testApp)): Context {
  const facts = { viewer: { kind: 'visitor' }, requestId: 'TEST', network, client } as const
  return makeContext(testApp.services, { ...facts, reply: new Reply() })
}

export async function makePatientAndTime(testApp: TestApp) {
  const [who] = await insertPatients(testApp, 1)
  const [wish] = await makeSlots(testApp, 1)
  if (who === undefined || wish === undefined) throw new Error('There is no patient.')
  return { who, wish }
}

/** Two times of one provider. */
export async function pairOf(testApp: TestApp) {
  const [first, second] = await makeSlots(testApp, 2)
  if (first === undefined || second === undefined) throw new Error('There are no times.')
  return [first, second] as const
}

export function live(testApp: TestApp) {
  return testApp.database.db
    .selectFrom('bookings as b')
    .innerJoin('slot_claims as c', 'c.booking_no', 'b.no')
    .select(['b.patient_no', 'b.visitor', 'b.start_at', 'b.hold_until'])
    .where('b.state', '=', 'held')
    .execute()
}
