import type { TestSandbox } from '#tests/harness/sandbox.ts'
import type { World } from '#tests/harness/world.ts'

/** Money one payment of ours brought in and gave back, as the gateways' own books have it. */
type Moved = { captured: number; refunded: number }

function minorOf(value: string): number {
  return Math.round(Number(value) * 100)
}

/** By our payment id, from the gateways' books alone. */
function readGatewayBooks({ sandbox }: TestSandbox): Map<string, Moved> {
  const { store } = sandbox.desk
  const books = new Map<string, Moved>()
  const add = (id: string | null | undefined, captured: number, refunded: number) => {
    const key = id ?? 'nobody'
    const before = books.get(key) ?? { captured: 0, refunded: 0 }
    books.set(key, {
      captured: before.captured + captured,
      refunded: before.refunded + refunded,
    })
  }
  for (const charge of store.list('charge')) {
    if (charge.failure === null) {
      add(charge.metadata['payment_id'], charge.amount, charge.refunded)
    }
  }
  for (const capture of store.list('capture')) {
    const isMoney = ['COMPLETED', 'PARTIALLY_REFUNDED', 'REFUNDED'].includes(capture.status)
    if (isMoney) add(capture.customId, minorOf(capture.value), capture.refundedMinor)
  }
  return books
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

/** Every sentence that should hold of both books and does not. */
export async function findViolations(world: World, sandbox: TestSandbox): Promise<string[]> {
  const { db } = world.database
  const gateway = readGatewayBooks(sandbox)
  const bookings = await db.selectFrom('bookings').selectAll().execute()
  const payments = await db.selectFrom('payments').selectAll().execute()
  const claims = await db.selectFrom('slot_claims').selectAll().execute()
  const letters = await db
    .selectFrom('outbox')
    .selectAll()
    .where('topic', '=', 'booking.confirmed')
    .execute()
  const confirmed = bookings.filter(({ state }) => state === 'confirmed')
  const wrong: string[] = []
  const assert = (isRight: boolean, sentence: string) => {
    if (!isRight) wrong.push(sentence)
  }

  for (const [id, { captured, refunded }] of gateway) {
    const payment = payments.find((one) => one.id === id)
    const booking = confirmed.find(({ no }) => no === payment?.booking_no)
    const isBooked = booking !== undefined && booking.paid_by === payment?.no
    assert(
      isBooked ? refunded === 0 : refunded === captured,
      `I1: ${id} (${payment?.state}) brought ${captured}, gave back ${refunded}, booked: ${isBooked}`,
    )
    assert(captured === payment?.amount_minor, `I1: ${id} was taken more or less than once`)
  }
  for (const booking of confirmed) {
    const payment = payments.find(({ no }) => no === booking.paid_by)
    const kept = gateway.get(payment?.id ?? '')
    assert(payment?.state === 'paid', `I1: ${booking.id} is booked by a ${payment?.state} payment`)
    assert(kept?.captured === payment?.amount_minor, `I1: ${booking.id} is booked without money`)
    const owed = letters.filter((one) => one.payload.includes(booking.id))
    assert(owed.length === 1, `I4: ${booking.id} owes ${owed.length} letters`)
  }
  assert(letters.length === confirmed.length, 'I4: a letter belongs to no visit')
  assert(
    letters.every((one) => one.done_at !== null),
    'I4: a letter never left',
  )
  assert(countOverlaps(confirmed) === 0, 'I2: two visits of one provider overlap')
  assert(countOverlaps(claims) === 0, 'I2: two claims of one provider overlap')
  assert(!bookings.some(({ state }) => state === 'held'), 'I5: a hold outlived its time')
  assert(
    claims.length === confirmed.length &&
      claims.every(({ booking_no }) => confirmed.some(({ no }) => no === booking_no)),
    'I5: claims and visits differ',
  )
  for (const { id, state, gateway: via } of payments) {
    const isDecided = !['creating', 'open', 'capturing', 'refund_due'].includes(state)
    assert(isDecided, `I1: ${id} is still ${state} (${via})`)
  }
  const inHand = [...gateway.values()].reduce((sum, one) => sum + one.captured - one.refunded, 0)
  const price = confirmed.reduce(
    (sum, one) => sum + (one.visit_type === 'follow_up' ? one.follow_minor : one.first_minor),
    0,
  )
  assert(inHand === price, `I8: ${inHand} in hand, ${price} booked`)
  return wrong
}
