import { emitStripe, type SandboxContext, seconds, stripeId } from '#sandbox/context.ts'
import type {
  CardFacts,
  CardRefusal,
  ChargeRecord,
  IntentRecord,
  SessionRecord,
} from '#sandbox/store.ts'
import { chargeObject, intentObject } from './stripe-charge-objects.ts'
import { disputeCharge } from './stripe-refunds-disputes.ts'
import { sessionObject } from './stripe-session-objects.ts'

/** What a test card does. `challenge` asks its holder first. */
type Behaviour = {
  does: 'pay' | 'challenge'
  refusal: CardRefusal | null
  failsRefunds: boolean
  isDisputed: boolean
}

function refusedCard(code: string, declineCode: string | null, message: string): Behaviour {
  return { ...pays, refusal: { code, declineCode, message } }
}

const pays: Behaviour = { does: 'pay', refusal: null, failsRefunds: false, isDisputed: false }
const declined = refusedCard('card_declined', 'generic_decline', 'Your card was declined.')

/** Stripe's own test cards, by number. */
const CARDS: Readonly<Record<string, Behaviour>> = {
  '4242424242424242': pays,
  '5555555555554444': pays,
  '378282246310005': pays,
  '4000000000000002': declined,
  '4000000000009995': refusedCard(
    'card_declined',
    'insufficient_funds',
    'Your card has insufficient funds.',
  ),
  '4000000000000069': refusedCard('expired_card', 'expired_card', 'Your card has expired.'),
  '4000000000000127': refusedCard(
    'incorrect_cvc',
    'incorrect_cvc',
    "Your card's security code is incorrect.",
  ),
  '4000000000000119': refusedCard(
    'processing_error',
    'processing_error',
    'An error occurred while processing your card. Try again in a little bit.',
  ),
  '4000002500003155': { ...pays, does: 'challenge' },
  '4000002760003184': { ...pays, does: 'challenge' },
  '4000008400001629': { ...declined, does: 'challenge' },
  '4000000000000259': { ...pays, isDisputed: true },
  '4000000000005126': { ...pays, failsRefunds: true },
}

/** Cards listed on the card page, for people who try the product. */
export const TEST_CARDS: readonly { number: string; does: string }[] = [
  { number: '4242 4242 4242 4242', does: 'Pays' },
  { number: '4000 0000 0000 0002', does: 'Is declined' },
  { number: '4000 0000 0000 9995', does: 'Has too little money' },
  { number: '4000 0025 0000 3155', does: 'Asks its holder first' },
  { number: '4000 0084 0000 1629', does: 'Asks its holder, then is declined' },
  { number: '4000 0000 0000 0259', does: 'Pays, and is disputed later' },
  { number: '4000 0000 0000 5126', does: 'Pays, and its refund fails' },
]

/** The refusal after the holder failed the challenge. */
const NOT_AUTHENTICATED: CardRefusal = {
  code: 'payment_intent_authentication_failure',
  declineCode: null,
  message:
    'We are unable to authenticate your payment method. Please choose a different payment method and try again.',
}

/** The check digit every card number ends in (Luhn). */
function isCardNumber(digits: string): boolean {
  let sum = 0
  for (const [index, digit] of digits.split('').toReversed().entries()) {
    const value = Number(digit) * (index % 2 === 1 ? 2 : 1)
    sum += value > 9 ? value - 9 : value
  }
  return /^\d{13,19}$/.test(digits) && sum % 10 === 0
}

const UNKNOWN = refusedCard(
  'card_declined',
  'test_mode_live_card',
  'Your card was declined. Your request was in test mode, but used a non test card.',
)

/** What a card does; null when the number is invalid. Real cards are declined, and not stored. */
function behaviourOf(digits: string): Behaviour | null {
  return CARDS[digits] ?? (isCardNumber(digits) ? UNKNOWN : null)
}

function brandOf(digits: string): string {
  if (digits.startsWith('5')) return 'mastercard'
  return digits.startsWith('3') ? 'amex' : 'visa'
}

/** What the card form sends; only test numbers are used, and none is stored. */
export type CardForm = {
  number: string
  month: number
  year: number
  cvc: string
  name: string
  country: string
  postcode: string
}

/** Result of a payment attempt, for the card page. */
export type Attempt =
  | { result: 'paid' }
  | { result: 'challenge' }
  | { result: 'declined'; message: string }
  | { result: 'over' }

function intentOf(ctx: SandboxContext, session: SessionRecord): IntentRecord {
  const known = session.intent === null ? undefined : ctx.store.find('intent', session.intent)
  if (known !== undefined) return known
  return {
    id: stripeId('pi'),
    session: session.id,
    amount: session.amount,
    currency: session.currency,
    metadata: session.intentMetadata,
    transferGroup: session.transferGroup,
    status: 'requires_payment_method',
    created: seconds(ctx),
    canceledAt: null,
    charge: null,
    failure: null,
    waiting: null,
  }
}

/** A failed charge leaves the session open, as at Stripe. */
function fail(ctx: SandboxContext, intent: IntentRecord, failure: CardRefusal): Attempt {
  const failed: IntentRecord = {
    ...intent,
    status: 'requires_payment_method',
    failure,
    waiting: null,
  }
  ctx.store.put('intent', failed)
  emitStripe(ctx, { type: 'payment_intent.payment_failed', object: intentObject(failed) })
  return { result: 'declined', message: failure.message }
}

type ChargeInput = {
  session: SessionRecord
  intent: IntentRecord
  card: CardFacts
  outcome: string
  name: string
  with3ds: boolean
}

function chargeCard(ctx: SandboxContext, input: ChargeInput): Attempt {
  const { session, intent, card, outcome, name, with3ds } = input
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
    created: seconds(ctx),
    card,
    name,
    email: session.email,
    isDisputed: false,
    failsRefunds: behaviour?.failsRefunds ?? false,
    failure,
    with3ds,
  }
  ctx.store.put('charge', made)
  if (failure !== null) return fail(ctx, { ...intent, charge: made.id }, failure)
  const paid: IntentRecord = {
    ...intent,
    status: 'succeeded',
    charge: made.id,
    failure: null,
    waiting: null,
  }
  ctx.store.put('intent', paid)
  const complete: SessionRecord = { ...session, status: 'complete' }
  ctx.store.put('session', complete)
  emitStripe(ctx, { type: 'charge.succeeded', object: chargeObject(made) })
  emitStripe(ctx, { type: 'payment_intent.succeeded', object: intentObject(paid) })
  emitStripe(ctx, { type: 'checkout.session.completed', object: sessionObject(complete) })
  if (behaviour?.isDisputed === true) disputeCharge(ctx, made, { reason: 'fraudulent' })
  return { result: 'paid' }
}

/** Submits the card form of an open session. `INVALID` when the number is not a card number. */
export function attemptCard(ctx: SandboxContext, session: SessionRecord, form: CardForm): Attempt {
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
  const intent: IntentRecord = { ...intentOf(ctx, session), charge: null }
  const { name, country, postcode } = form
  const known: SessionRecord = { ...session, intent: intent.id, payer: { name, country, postcode } }
  ctx.store.put('session', known)
  // A number that is not a test card may be a real one: its digits go nowhere.
  const outcome =
    behaviour.refusal?.declineCode === 'test_mode_live_card' ? '4000000000000002' : digits
  if (behaviour.does === 'challenge') {
    const waiting = { card, outcome, name }
    ctx.store.put('intent', { ...intent, status: 'requires_action', failure: null, waiting })
    return { result: 'challenge' }
  }
  const attempt = chargeCard(ctx, { session: known, intent, card, outcome, name, with3ds: false })
  return attempt.result === 'declined' && behaviour.refusal !== null
    ? { result: 'declined', message: behaviour.refusal.message }
    : attempt
}

/** The cardholder has answered the bank's challenge. */
export function answerChallenge(
  ctx: SandboxContext,
  session: SessionRecord,
  isApproved: boolean,
): Attempt {
  if (session.status !== 'open') return { result: 'over' }
  const intent = session.intent === null ? undefined : ctx.store.find('intent', session.intent)
  const waiting = intent?.waiting
  if (intent === undefined || waiting === undefined || waiting === null) return { result: 'over' }
  if (!isApproved) return fail(ctx, intent, NOT_AUTHENTICATED)
  return chargeCard(ctx, { session, intent, ...waiting, with3ds: true })
}
