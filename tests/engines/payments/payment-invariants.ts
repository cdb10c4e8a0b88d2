import { REFUNDS_NOT_LISTED } from '#contract/payments-review.ts'
import type { BookingRow, VisitChangeRow } from '#db/tables/booking.ts'
import type { PaymentDifferenceRow, PaymentRow, RefundRow } from '#db/tables/payments.ts'
import type { TestSandbox } from '#tests/harness/servers/sandbox.ts'
import type { TestApp } from '#tests/harness/test-app.ts'

/** Money taken and refunded for one payment, according to the gateways. */
type GatewayTotals = {
  captured: number
  refunded: number
  /** When money was last taken, epoch milliseconds. */
  takenAt: number
}

const MINUTE = 60_000

function minorOf(value: string): number {
  return Math.round(Number(value) * 100)
}

/** Gateway money by our payment id, from the gateways' records alone. */
export function readGatewayTotals({ sandbox }: TestSandbox): Map<string, GatewayTotals> {
  const { store } = sandbox.ctx
  const totals = new Map<string, GatewayTotals>()
  const add = (id: string | null | undefined, more: GatewayTotals) => {
    const key = id ?? 'nobody'
    const before = totals.get(key) ?? { captured: 0, refunded: 0, takenAt: 0 }
    totals.set(key, {
      captured: before.captured + more.captured,
      refunded: before.refunded + more.refunded,
      takenAt: Math.max(before.takenAt, more.takenAt),
    })
  }
  for (const { failure, metadata, amount, refunded, created } of store.list('charge')) {
    if (failure !== null) continue
    add(metadata['payment_id'], { captured: amount, refunded, takenAt: created * 1_000 })
  }
  for (const { status, customId, value, refundedMinor, created } of store.list('capture')) {
    const isMoney = ['COMPLETED', 'PARTIALLY_REFUNDED', 'REFUNDED'].includes(status)
    if (!isMoney) continue
    add(customId, { captured: minorOf(value), refunded: refundedMinor, takenAt: created })
  }
  return totals
}

type Span = { provider_no: number; start_at: number; end_at: number }

function countOverlaps(spans: readonly Span[]): number {
  return spans.filter((one, n) =>
    spans
      .slice(n + 1)
      .some(
        (other) =>
          other.provider_no === one.provider_no &&
          other.start_at < one.end_at &&
          other.end_at > one.start_at,
      ),
  ).length
}

type Booking = Omit<BookingRow, 'no'> & { no: number }
type Payment = Omit<PaymentRow, 'no'> & { no: number }
type OutboxEntry = { topic: string; payload: string; done_at: number | null }

/** All our own records. */
type OurRecords = {
  bookings: Booking[]
  payments: Payment[]
  refunds: RefundRow[]
  differences: PaymentDifferenceRow[]
  claims: (Span & { booking_no: number | null })[]
  outbox: OutboxEntry[]
  cancellations: Omit<VisitChangeRow, 'no'>[]
  moves: Pick<VisitChangeRow, 'booking_no' | 'from_at' | 'to_at' | 'sequence'>[]
}

async function readOurRecords({ database: { db } }: TestApp): Promise<OurRecords> {
  return {
    bookings: await db.selectFrom('bookings').selectAll().execute(),
    payments: await db.selectFrom('payments').selectAll().execute(),
    refunds: await db.selectFrom('refunds').selectAll().execute(),
    differences: await db.selectFrom('payment_differences').selectAll().execute(),
    claims: await db.selectFrom('slot_claims').selectAll().execute(),
    outbox: await db.selectFrom('outbox').select(['topic', 'payload', 'done_at']).execute(),
    cancellations: await db
      .selectFrom('visit_changes')
      .selectAll()
      .where('what', '=', 'cancelled')
      .execute(),
    moves: await db
      .selectFrom('visit_changes')
      .select(['booking_no', 'from_at', 'to_at', 'sequence'])
      .where('what', '=', 'moved')
      .orderBy('no')
      .execute(),
  }
}

const sum = (refunds: readonly RefundRow[]) =>
  refunds.reduce((all, { amount_minor: minor }) => all + minor, 0)

const UNEXPLAINED: ReadonlySet<PaymentDifferenceRow['kind']> = new Set([
  'no_visit',
  'no_answer',
  'no_payment',
  'amount',
] as const)

/** Open issues of a payment that staff were alerted to. */
function openIssues({ refunds, differences, outbox }: OurRecords, payment: Payment) {
  const wasAlerted = (what: string) =>
    outbox.some(
      ({ topic, payload }) =>
        topic === 'payment.alert' && payload.includes(payment.id) && payload.includes(what),
    )
  const failed = refunds.filter(
    (one) => one.payment_no === payment.no && one.state === 'failed' && one.dealt_at === null,
  )
  const alerted = differences.filter((one) => one.payment_no === payment.no && one.told_at !== null)
  const resolved = refunds.filter(
    (one) => one.payment_no === payment.no && one.state === 'failed' && one.dealt_by !== null,
  )
  return {
    /** Failed refunds that staff replaced by other refunds. */
    dealtMinor: sum(resolved),
    isInReview: payment.state === 'review' && wasAlerted('mismatch'),
    failedMinor: wasAlerted('refund_failed') ? sum(failed) : 0,
    hasUntoldFailure: failed.length > 0 && !wasAlerted('refund_failed'),
    /** Includes a failed refund that the gateway may have executed: it lists no refunds any more. */
    isUnexplained:
      alerted.some(({ kind }) => UNEXPLAINED.has(kind)) ||
      (wasAlerted('refund_failed') && failed.some(({ failure }) => failure === REFUNDS_NOT_LISTED)),
    isRefundTold: alerted.some(({ kind }) => kind === 'refund_unknown'),
  }
}

/** Whether another visit took place in the time of a cancelled one, without an open dispute. */
function isRefilled({ bookings, differences }: OurRecords, booking: Booking): boolean {
  const isDisputed = differences.some(
    ({ kind, payment_no: no, dealt_at: at }) =>
      kind === 'dispute' && no === booking.paid_by && at === null,
  )
  return (
    !isDisputed &&
    bookings.some(
      (other) =>
        other.no !== booking.no &&
        other.provider_no === booking.provider_no &&
        other.start_at === booking.start_at &&
        other.outcome === 'completed',
    )
  )
}

/** Minor units kept from a cancelled visit, as shown to its patient; 0 once the time is refilled. */
function retainedByAgreement(ours: OurRecords, booking: Booking): number {
  const record = ours.cancellations.find(({ booking_no: no }) => no === booking.no)
  return isRefilled(ours, booking) ? 0 : (record?.kept_minor ?? 0)
}

/** A late fee is refunded only when the time was refilled. */
function checkRefilled(ours: OurRecords, booking: Booking): string[] {
  const refunds = ours.refunds.filter(
    ({ payment_no: no, key }) => no === booking.paid_by && key === 'refilled',
  )
  if (refunds.length > 1)
    return [`I11: the fee of ${booking.id} was refunded ${refunds.length} times`]
  if (refunds.length === 0 || isRefilled(ours, booking)) return []
  return [`I11: the fee of ${booking.id} was refunded, although nobody took its time`]
}

/** Every cancelled visit has one change record, and refunds what the record says. */
function checkCancellation(ours: OurRecords, booking: Booking): string[] {
  const records = ours.cancellations.filter(({ booking_no: no }) => no === booking.no)
  const { id, state, sequence } = booking
  if (state !== 'cancelled') return records.length === 0 ? [] : [`I10: ${id} is ${state}`]
  const [record, ...others] = records
  if (record === undefined || others.length > 0) return [`I10: ${id} has ${records.length} records`]
  const wrong = record.sequence === sequence ? [] : [`I10: ${id} was changed ${sequence} times`]
  if (record.by_kind !== 'patient') return wrong
  const refunds = ours.refunds.filter(
    ({ payment_no: no, key }) => no === booking.paid_by && key === 'cancelled',
  )
  return sum(refunds) === record.refund_minor
    ? wrong
    : [
        ...wrong,
        `I10: ${id} refunds ${sum(refunds)}, but its patient was told ${record.refund_minor}`,
      ]
}

/** A visit's moves form a chain without gaps that ends at its current time, and each was emailed once. */
function checkMoves(ours: OurRecords, booking: Booking): string[] {
  const moves = ours.moves.filter(({ booking_no: no }) => no === booking.no)
  const { id, start_at: start } = booking
  const isWhole = moves.every(
    ({ to_at: to, sequence }, n) =>
      sequence === n + 1 && to === (n + 1 < moves.length ? moves[n + 1]?.from_at : start),
  )
  const wrong = isWhole ? [] : [`I11: the moves of ${id} do not lead to its time`]
  const emails = ours.outbox.filter(
    ({ topic, payload }) => topic === 'booking.moved' && payload.includes(id),
  )
  if (emails.length !== moves.length) wrong.push(`I11: ${id} has ${emails.length} emails`)
  return wrong
}

/** Compares the money at a gateway with its payment and booking. */
function checkMoney(ours: OurRecords, payment: Payment, moved: GatewayTotals): string[] {
  const { captured, refunded, takenAt } = moved
  const wrong: string[] = []
  const booking = ours.bookings.find(({ no }) => no === payment.booking_no)
  const isPaidBy = booking?.paid_by === payment.no
  const rows = ours.refunds.filter(({ payment_no: no }) => no === payment.no)
  const done = rows.filter(({ state }) => state === 'done')
  const issues = openIssues(ours, payment)
  const refundTexts = rows.map(
    (one) => `${one.amount_minor} ${one.state} ${one.failure ?? one.reason}`,
  )
  const name = `${payment.id} (${payment.gateway} ${payment.state}, ${booking?.state}, took ${captured}, refunded ${refunded}, by our records: ${refundTexts.join(', ')})`
  if (captured !== payment.amount_minor) wrong.push(`I1: ${name} was taken more or less than once`)
  if (sum(done) !== refunded && !issues.isInReview && !issues.isUnexplained) {
    wrong.push(`I8: ${name} was refunded ${sum(done)} by our records`)
  }
  if (issues.hasUntoldFailure)
    wrong.push(`I9: staff were not notified of the failed refund of ${name}`)
  if (isPaidBy) {
    if (takenAt >= booking.start_at) wrong.push(`I6: ${name} was taken after the visit began`)
    const ended = booking.state === 'cancelled' ? ['cancelled', 'refilled'] : []
    const meant = ['staff', 'gateway', ...ended]
    const other = done.find(({ reason }) => !meant.includes(reason))
    if (other !== undefined) wrong.push(`I1: ${name} is booked and was refunded: ${other.reason}`)
    if (done.some(({ reason }) => reason === 'gateway') && !issues.isRefundTold) {
      wrong.push(`I9: staff were not notified that ${name} was refunded at the gateway`)
    }
    if (booking.state === 'confirmed') return wrong
  }
  const retained = captured - refunded
  const agreed = isPaidBy ? retainedByAgreement(ours, booking) : 0
  const isFailed = retained <= issues.failedMinor + issues.dealtMinor + agreed
  const isExplained = issues.isInReview || issues.isUnexplained || isFailed
  if (retained !== 0 && !isExplained) wrong.push(`I1: ${name} is kept without a visit`)
  return wrong
}

function checkBooking(
  ours: OurRecords,
  booking: Booking,
  gateway: ReadonlyMap<string, GatewayTotals>,
): string[] {
  const { payments, outbox } = ours
  const wrong: string[] = []
  const { id, state, start_at: start, hold_until: until, pay_by: payBy } = booking
  if (state === 'held') wrong.push(`I5: ${id} outlived its time`)
  if (until > payBy) wrong.push(`I6: ${id} was held beyond the time to pay`)
  if (booking.paid_by === null) return wrong
  const payment = payments.find(({ no }) => no === booking.paid_by)
  const moved = gateway.get(payment?.id ?? '')
  if (payment?.state !== 'paid') wrong.push(`I1: ${id} is booked by a ${payment?.state} payment`)
  if (moved === undefined) wrong.push(`I1: ${id} is booked without money`)
  if ((booking.confirmed_at ?? start) >= start) wrong.push(`I6: ${id} was booked after its start`)
  const emails = outbox.filter(
    ({ topic, payload }) => topic === 'booking.confirmed' && payload.includes(id),
  )
  if (emails.length !== 1) wrong.push(`I4: ${id} has ${emails.length} emails`)
  return wrong
}

/**
 * Compares the total in our records and the gateways', in minor units, leaving out payments that staff have to decide
 * on.
 */
function checkSums(ours: OurRecords, gateway: ReadonlyMap<string, GatewayTotals>): string[] {
  let [theirs, own] = [0, 0]
  for (const payment of ours.payments) {
    const { isInReview, isUnexplained } = openIssues(ours, payment)
    if (isInReview || isUnexplained) continue
    const moved = gateway.get(payment.id)
    theirs += (moved?.captured ?? 0) - (moved?.refunded ?? 0)
    if (!['paid', 'refund_due', 'refunded'].includes(payment.state)) continue
    const done = ours.refunds.filter(
      ({ payment_no: no, state }) => no === payment.no && state === 'done',
    )
    own += payment.amount_minor - sum(done)
  }
  return theirs === own ? [] : [`I8: ${theirs} in hand at the gateways, ${own} by our records`]
}

/** Staff must have been notified of everything left open. */
function checkOpen(ours: OurRecords, { sandbox }: TestSandbox): string[] {
  const wrong: string[] = []
  const { store } = sandbox.ctx
  for (const { id } of [...store.list('dispute'), ...store.list('walletDispute')]) {
    const isTold = ours.differences.some(({ object, told_at: at }) => object === id && at !== null)
    if (!isTold) wrong.push(`I9: staff were not notified of the dispute ${id}`)
  }
  for (const { kind, object, told_at: at } of ours.differences) {
    if (at === null) wrong.push(`I9: staff were not notified of ${kind} ${object}`)
  }
  for (const payment of ours.payments) {
    const { id, state, gateway } = payment
    const { failedMinor } = openIssues(ours, payment)
    const isDecided = !['creating', 'open', 'capturing', 'refund_due'].includes(state)
    const isFailed = state === 'refund_due' && failedMinor > 0
    if (!isDecided && !isFailed) wrong.push(`I1: ${id} is still ${state} (${gateway})`)
  }
  for (const { id, state, key } of ours.refunds) {
    const isOnItsWay = state === 'due' || state === 'pending'
    if (isOnItsWay) wrong.push(`I8: the refund ${id} (${key}) is still ${state}`)
  }
  return wrong
}

/** All invariants that our records and the gateways' violate once everything has settled; empty when none. */
export async function findViolations(testApp: TestApp, sandbox: TestSandbox): Promise<string[]> {
  const gateway = readGatewayTotals(sandbox)
  const ours = await readOurRecords(testApp)
  const confirmed = ours.bookings.filter(({ state }) => state === 'confirmed')
  const wrong: string[] = []
  for (const [id, moved] of gateway) {
    const payment = ours.payments.find((one) => one.id === id)
    wrong.push(...(payment === undefined ? [`I1: ${id}`] : checkMoney(ours, payment, moved)))
  }
  wrong.push(...ours.bookings.flatMap((booking) => checkBooking(ours, booking, gateway)))
  wrong.push(...ours.bookings.flatMap((booking) => checkCancellation(ours, booking)))
  wrong.push(...ours.bookings.flatMap((booking) => checkRefilled(ours, booking)))
  wrong.push(...ours.bookings.flatMap((booking) => checkMoves(ours, booking)))
  wrong.push(...checkSums(ours, gateway), ...checkOpen(ours, sandbox))
  const emails = ours.outbox.filter(({ topic }) => topic === 'booking.confirmed')
  const paid = ours.bookings.filter(({ paid_by: by }) => by !== null)
  if (emails.length !== paid.length) wrong.push('I4: a letter belongs to no visit')
  if (ours.outbox.some(({ done_at: at }) => at === null)) wrong.push('I4: a letter never left')
  if (countOverlaps(confirmed) > 0) wrong.push('I2: two visits of one provider overlap')
  return [...wrong, ...checkClaims(ours)]
}

/** A claim covers whole slots: a visit of a shorter type may end before its claim does. */
function checkClaims({ claims, bookings }: Pick<OurRecords, 'claims' | 'bookings'>): string[] {
  const wrong: string[] = []
  const live = bookings.filter(({ state }) => state === 'held' || state === 'confirmed')
  if (countOverlaps(claims) > 0) wrong.push('I2: two claims of one provider overlap')
  const isSame =
    claims.length === live.length &&
    claims.every((claim) =>
      live.some(
        ({ no, start_at: start, end_at: end }) =>
          no === claim.booking_no && start === claim.start_at && end <= claim.end_at,
      ),
    )
  if (!isSame) wrong.push('I5: claims differ from holds and visits')
  return wrong
}

type SweepState = {
  sandbox: TestSandbox
  /** Whether calls of the latest sweep may have failed. */
  isFailing: boolean
}

/** Holds that outlive their limit just after a sweep, without an explanation. */
export async function findStuckHolds(
  testApp: TestApp,
  { sandbox, isFailing }: SweepState,
): Promise<string[]> {
  const { bookings, payments, claims } = await readOurRecords(testApp)
  const now = testApp.services.now()
  const { away } = sandbox.sandbox.faults
  const stuck = bookings.filter(({ no, state, created_at: from, renewed }) => {
    if (state !== 'held' || now - from <= (renewed === 1 ? 31 : 16) * MINUTE) return false
    const live = payments.find(
      (one) => one.booking_no === no && ['creating', 'open', 'capturing'].includes(one.state),
    )
    if (live === undefined) return true
    return live.state !== 'capturing' && !isFailing && !away.has(live.gateway)
  })
  return [
    ...stuck.map(({ id }) => `I5: ${id} is held for longer than 16 minutes`),
    ...checkClaims({ claims, bookings }),
  ]
}

/** Whether no payment, refund or event is still being processed. */
export async function isQuiet(testApp: TestApp): Promise<boolean> {
  const { bookings, payments, refunds, outbox } = await readOurRecords(testApp)
  return (
    bookings.every(({ state }) => state !== 'held') &&
    payments.every(({ state }) => !['creating', 'open', 'capturing'].includes(state)) &&
    refunds.every(({ state }) => state !== 'due' && state !== 'pending') &&
    outbox.every(({ done_at: at }) => at !== null)
  )
}
