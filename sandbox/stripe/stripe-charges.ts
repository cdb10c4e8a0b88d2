import { type Desk, emitStripe, seconds, stripeId } from '#sandbox/desk.ts'
import type {
  CardFacts,
  CardRefusal,
  ChargeRecord,
  IntentRecord,
  SessionRecord,
} from '#sandbox/records.ts'
import { behaviourOf, brandOf, NOT_AUTHENTICATED } from '#sandbox/screens/cards.ts'
import { chargeObject, intentObject } from './stripe-charge-objects.ts'
import { disputeCharge } from './stripe-disputes.ts'
import { sessionObject } from './stripe-session-objects.ts'

/** What the card form sends; only test numbers are ever looked at, and none is kept. */
export type CardForm = {
  number: string
  month: number
  year: number
  cvc: string
  name: string
  country: string
  postcode: string
}

/** How an attempt to pay ended, for the card page. */
export type Attempt =
  | { result: 'paid' }
  | { result: 'challenge' }
  | { result: 'declined'; message: string }
  | { result: 'over' }

function intentOf(desk: Desk, session: SessionRecord): IntentRecord {
  const known = session.intent === null ? undefined : desk.store.find('intent', session.intent)
  if (known !== undefined) return known
  return {
    id: stripeId('pi'),
    session: session.id,
    amount: session.amount,
    currency: session.currency,
    metadata: session.intentMetadata,
    transferGroup: session.transferGroup,
    status: 'requires_payment_method',
    created: seconds(desk),
    canceledAt: null,
    charge: null,
    failure: null,
    waiting: null,
  }
}

/** A charge that did not come about leaves the session open, as at Stripe. */
function fail(desk: Desk, intent: IntentRecord, failure: CardRefusal): Attempt {
  const failed: IntentRecord = {
    ...intent,
    status: 'requires_payment_method',
    failure,
    waiting: null,
  }
  desk.store.put('intent', failed)
  emitStripe(desk, { type: 'payment_intent.payment_failed', object: intentObject(failed) })
  return { result: 'declined', message: failure.message }
}

type Paying = {
  session: SessionRecord
  intent: IntentRecord
  card: CardFacts
  outcome: string
  name: string
  with3ds: boolean
}

function charge(desk: Desk, paying: Paying): Attempt {
  const { session, intent, card, outcome, name, with3ds } = paying
  const behaviour = behaviourOf(outcome)
  const failure = behaviour?.refusal ?? null
  const made: ChargeRecord = {
    id: stripeId('ch'),
    intent: intent.id,
    amount: intent.amount,
    currency: intent.currency,
    refunded: 0,
    metadata: intent.metadata,
    transferGroup: intent.transferGroup,
    created: seconds(desk),
    card,
    name,
    email: session.email,
    isDisputed: false,
    failsRefunds: behaviour?.failsRefunds ?? false,
    failure,
    with3ds,
  }
  desk.store.put('charge', made)
  if (failure !== null) return fail(desk, { ...intent, charge: made.id }, failure)
  const paid: IntentRecord = {
    ...intent,
    status: 'succeeded',
    charge: made.id,
    failure: null,
    waiting: null,
  }
  desk.store.put('intent', paid)
  const complete: SessionRecord = { ...session, status: 'complete' }
  desk.store.put('session', complete)
  emitStripe(desk, { type: 'charge.succeeded', object: chargeObject(made) })
  emitStripe(desk, { type: 'payment_intent.succeeded', object: intentObject(paid) })
  emitStripe(desk, { type: 'checkout.session.completed', object: sessionObject(complete) })
  if (behaviour?.isDisputed === true) disputeCharge(desk, made, { reason: 'fraudulent' })
  return { result: 'paid' }
}

/** Somebody submits the card form of an open session. `INVALID` when the number is none. */
export function attemptCard(desk: Desk, session: SessionRecord, form: CardForm): Attempt {
  if (session.status !== 'open') return { result: 'over' }
  const digits = form.number.replaceAll(/[\s-]/g, '')
  const behaviour = behaviourOf(digits)
  if (behaviour === null) return { result: 'declined', message: 'Your card number is invalid.' }
  const card = {
    brand: brandOf(digits),
    last4: digits.slice(-4),
    month: form.month,
    year: form.year,
  }
  const intent: IntentRecord = { ...intentOf(desk, session), charge: null }
  const { name, country, postcode } = form
  const known: SessionRecord = { ...session, intent: intent.id, payer: { name, country, postcode } }
  desk.store.put('session', known)
  // A number that is no test card is somebody's real one: its digits go nowhere.
  const outcome =
    behaviour.refusal?.declineCode === 'test_mode_live_card' ? '4000000000000002' : digits
  if (behaviour.does === 'challenge') {
    const waiting = { card, outcome, name }
    desk.store.put('intent', { ...intent, status: 'requires_action', failure: null, waiting })
    return { result: 'challenge' }
  }
  const attempt = charge(desk, { session: known, intent, card, outcome, name, with3ds: false })
  return attempt.result === 'declined' && behaviour.refusal !== null
    ? { result: 'declined', message: behaviour.refusal.message }
    : attempt
}

/** The card's holder answered the challenge of their bank. */
export function answerChallenge(desk: Desk, session: SessionRecord, isApproved: boolean): Attempt {
  if (session.status !== 'open') return { result: 'over' }
  const intent = session.intent === null ? undefined : desk.store.find('intent', session.intent)
  const waiting = intent?.waiting
  if (intent === undefined || waiting === undefined || waiting === null) return { result: 'over' }
  if (!isApproved) return fail(desk, intent, NOT_AUTHENTICATED)
  return charge(desk, { session, intent, ...waiting, with3ds: true })
}
