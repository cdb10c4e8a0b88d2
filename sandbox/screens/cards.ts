import type { CardRefusal } from '#sandbox/records.ts'

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
export const NOT_AUTHENTICATED: CardRefusal = {
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
export function behaviourOf(digits: string): Behaviour | null {
  return CARDS[digits] ?? (isCardNumber(digits) ? UNKNOWN : null)
}

export function brandOf(digits: string): string {
  if (digits.startsWith('5')) return 'mastercard'
  return digits.startsWith('3') ? 'amex' : 'visa'
}
