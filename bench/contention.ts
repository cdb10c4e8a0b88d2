import { queryPath } from '#bench/load.ts'
import { seeded } from '#bench/random.ts'
import { Hold } from '#contract/booking.ts'
import { CardStart, PaymentStatus, ReturnResponse, WalletStart } from '#contract/payments.ts'
import type { Caller } from '#scripts/drill/caller.ts'
import type { Tally } from '#scripts/drill/tally.ts'
import { makeProviderWithSlots } from '#tests/engines/booking-race.ts'
import type { TestSandbox } from '#tests/harness/servers/sandbox.ts'
import type { TestApp } from '#tests/harness/test-app.ts'
import { type FreeTime, type Patient, VISITS_PER_PATIENT } from './patients.ts'

const STEP = 30 * 60_000
const DAY = 86_400_000

/** Wishes per turn: for one provider each, for different times of one provider, and for the same time. */
const MIX = { each: 112, ofOne: 32, same: 16 }
export const TURN_SIZE = MIX.each + MIX.ofOne + MIX.same

/** Clients at once. */
const CONCURRENCY = 24

function shuffled<T>(list: readonly T[], random: () => number): T[] {
  return list
    .map((item) => ({ item, at: random() }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ item }) => item)
}

/** The times clients want in each turn; wishes for the same time are sent at the same moment. */
export async function makeRequests(testApp: TestApp, turns: number): Promise<FreeTime[][]> {
  const first = Math.ceil(testApp.services.now() / STEP) * STEP + 2 * DAY
  const half = (n: number) => first + n * STEP
  const slots = (count: number) =>
    Array.from({ length: count }, (_, n) => ({ start: half(n), minutes: 30 }))
  const time = (providerId: string, n: number): FreeTime => ({
    providerId,
    startsAt: new Date(half(n)).toISOString(),
  })
  const many: string[] = []
  for (let n = 0; n < MIX.each; n += 1)
    many.push(await makeProviderWithSlots(testApp, slots(turns)))
  const random = seeded(5)
  const requests: FreeTime[][] = []
  for (let turn = 0; turn < turns; turn += 1) {
    const one = await makeProviderWithSlots(testApp, slots(MIX.ofOne))
    const wanted = await makeProviderWithSlots(testApp, slots(1))
    const apart = shuffled(
      [
        ...many.map((providerId) => time(providerId, turn)),
        ...Array.from({ length: MIX.ofOne }, (_, n) => time(one, n)),
      ],
      random,
    )
    const rush = Array.from({ length: MIX.same }, () => time(wanted, 0))
    const at = Math.floor(random() * apart.length)
    requests.push([...apart.slice(0, at), ...rush, ...apart.slice(at)])
  }
  return requests
}

/** Patients who may still book, longest idle first. */
export class Patients {
  readonly #rested: { patient: Patient; left: number }[]

  constructor(patients: readonly Patient[]) {
    this.#rested = patients.map((patient) => ({ patient, left: VISITS_PER_PATIENT }))
  }

  /** Calls `act` with the patient who has been idle longest; it returns whether a visit was booked. */
  async take(act: (patient: Patient) => Promise<boolean>): Promise<void> {
    const next = this.#rested.shift()
    if (next === undefined) throw new Error('There are too few patients for so many bookings.')
    const left = (await act(next.patient)) ? next.left - 1 : next.left
    if (left > 0) this.#rested.push({ ...next, left })
  }
}

export type Desk = { caller: Caller; tally: Tally; sandbox: TestSandbox; patients: Patients }

/** Pays by the chosen method; returns the visit shown to the patient. */
async function pay({ caller, sandbox }: Desk, patient: Patient, hold: Hold): Promise<string> {
  const { token, network } = patient
  const call = async (kind: string, path: string, body?: object) => {
    const result = await caller.call({ kind, path, network, token, ...(body && { body }) })
    if (!result.ok) throw new Error(`${kind}: ${result.code}`)
    return result.data
  }
  const input = {
    holdId: hold.id,
    typeOfVisit: 'first_visit',
    purposeForVisit: 'A cough that will not go away',
    shown: hold.fees.first_visit,
  }
  if (hold.id.charCodeAt(hold.id.length - 1) % 2 === 0) {
    const { orderId } = WalletStart.parse(await call('pay', '/trpc/payments.startWallet', input))
    sandbox.approve(orderId)
    await call('capture', '/trpc/payments.capture', { orderId })
    const status = await call('see', queryPath('payments.status', { orderId }))
    return PaymentStatus.parse(status).visitId ?? ''
  }
  const started = CardStart.parse(await call('pay', '/trpc/payments.startCard', input))
  const session = started.clientSecret.split('_secret_')[0] ?? ''
  sandbox.payByCard(session)
  // The page the buyer returns to settles the payment, as the webhook would.
  const seen = await call('see', queryPath('payments.returned', { session_id: session }))
  return ReturnResponse.parse(seen).visit?.id ?? ''
}

/** Holds and pays; false when another client was faster. */
async function book(desk: Desk, patient: Patient, time: FreeTime): Promise<boolean> {
  const { caller, tally } = desk
  const { token, network } = patient
  const body = { ...time, overlapOk: true }
  const result = await caller.call({
    kind: 'hold',
    path: '/trpc/booking.hold',
    body,
    network,
    token,
  })
  if (!result.ok) {
    if (result.code.startsWith('slot_')) return false
    throw new Error(`hold: ${result.code}`)
  }
  const visitId = await pay(desk, patient, Hold.parse(result.data))
  tally.visits.push({ visitId, ...time })
  return true
}

/** Runs all wishes of a turn with a limited number of clients; returns the milliseconds it took. */
export async function bookAll(desk: Desk, requests: readonly FreeTime[]): Promise<number> {
  const queue = requests.values()
  const start = performance.now()
  const client = async () => {
    for (const time of queue) await desk.patients.take((patient) => book(desk, patient, time))
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, client))
  return performance.now() - start
}
