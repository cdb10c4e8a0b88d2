import type { PaymentDifferenceRow, RefundRow } from '#db/tables/payments.ts'
import type { EmailContent, OwnBlock } from '#server/messages/templates.ts'

/** The visit that was to be paid for. */
export type PaidVisit = {
  /** When it was to take place, as `clinicTime` has it. */
  when: string
  /** Null once the provider has erased their account. */
  providerName: string | null
  /** The booking reference that people quote. */
  reference: string
}

function visitFacts({ when, providerName, reference }: PaidVisit): OwnBlock {
  return {
    kind: 'facts',
    rows: [
      ['When', when],
      ...(providerName === null ? [] : [['Who', providerName] satisfies [string, string]]),
      ['Reference', reference],
    ],
  }
}

type RefundFacts = {
  firstName: string
  /** Formatted with its currency sign. */
  amount: string
  via: 'stripe' | 'paypal'
  /** `rest`: of a payment that someone had refunded in part at the gateway before it could book. */
  reason: RefundRow['reason'] | 'rest'
  visit: PaidVisit
  /** URL of the receipt. */
  receipt: string
  supportEmail: string
}

/** Null where the refund itself is all there is to say. */
const reasonTexts: Record<RefundFacts['reason'], string | null> = {
  slot_lost:
    'Your payment arrived after this time was no longer available, so nothing is booked and you get a full refund.',
  rest: 'Part of this payment had already been refunded, so nothing is booked and you get the rest back.',
  cancelled: 'Your visit was cancelled.',
  not_held: 'Your visit didn’t take place.',
  no_show: 'You missed your visit. This is what’s left after the fee for a missed visit.',
  refilled:
    'Someone else took the time you cancelled, so you get back the fee for cancelling late.',
  staff: null,
  review:
    'The amount we received didn’t match the price, so nothing is booked and you get your money back.',
  overpaid: 'You paid more than the visit costs. Your visit is booked.',
  gateway: null,
}

/** Tells a patient that their refund is on its way. */
export function refundEmail({
  firstName,
  amount,
  via,
  reason,
  visit,
  receipt,
  supportEmail,
}: RefundFacts): EmailContent {
  const where = via === 'stripe' ? 'your card' : 'your PayPal wallet'
  const why = reasonTexts[reason]
  return {
    heading: `We’ve refunded ${amount}`,
    // Names no provider, like the subject: not every patient wants that in a list of emails.
    preview: visit.when,
    blocks: [
      {
        kind: 'paragraph',
        text: `Hello ${firstName},\nWe’ve refunded ${amount} to ${where}. Banks can take up to ten days to show it.`,
      },
      ...(why === null ? [] : [{ kind: 'paragraph', text: why } as const]),
      visitFacts(visit),
      { kind: 'link', label: 'See your receipt', url: receipt },
      { kind: 'small', text: `If anything is unclear, write to ${supportEmail}.` },
    ],
  }
}

type NotChargedFacts = {
  firstName: string
  /** PayPal declined the payment; otherwise it did not respond in time. */
  isDeclined: boolean
  /** The visit that was not booked. */
  visit: PaidVisit
  site: string
  supportEmail: string
}

/** Tells a patient that a wallet payment they approved was not taken, and that nothing is booked. */
export function notChargedEmail({
  firstName,
  isDeclined,
  visit,
  site,
  supportEmail,
}: NotChargedFacts): EmailContent {
  const why = isDeclined ? 'declined your payment' : 'didn’t confirm your payment in time'
  return {
    heading: 'Your payment didn’t go through',
    // Names no provider, like the subject: not every patient wants that in a list of emails.
    preview: visit.when,
    blocks: [
      {
        kind: 'paragraph',
        text: `Hello ${firstName},\nPayPal ${why}, so your visit isn’t booked and we haven’t charged you. If a charge still appears, we’ll refund it automatically.`,
      },
      visitFacts(visit),
      { kind: 'link', label: 'Find a new time', url: `${site}/home` },
      { kind: 'small', text: `If anything is unclear, write to ${supportEmail}.` },
    ],
  }
}

type AlertFacts = { what: 'mismatch' | 'refund_failed'; paymentId: string; site: string }

/** The page where staff see and decide what their emails about payments report. */
const paymentsLink = (site: string): OwnBlock => ({
  kind: 'link',
  label: 'Open payments',
  url: `${site}/admin-home/payments`,
})

const alerts: Record<AlertFacts['what'], { heading: string; text: string }> = {
  mismatch: {
    heading: 'A payment doesn’t match what we asked for',
    text: 'The gateway reports a different amount, currency or payment from our own record. Nobody was booked and nothing was refunded: compare the two and decide.',
  },
  refund_failed: {
    heading: 'A refund was rejected permanently',
    text: 'The gateway refused the refund, or the bank sent the money back. Review shows the reason and what to do next.',
  },
}

/** Tells staff about a payment that needs attention. */
export function alertEmail({ what, paymentId, site }: AlertFacts): EmailContent {
  const { heading, text } = alerts[what]
  return {
    heading,
    blocks: [
      { kind: 'paragraph', text },
      { kind: 'facts', rows: [['Payment', paymentId]] },
      paymentsLink(site),
    ],
  }
}

type DifferenceFacts = {
  kind: PaymentDifferenceRow['kind']
  gateway: 'stripe' | 'paypal'
  /** The gateway's id of the object. */
  object: string
  /** Our public id, if there is a payment. */
  paymentId: string | null
  /** With its currency. */
  amount: string
  /** What the gateway says about it. */
  details: string | null
}

const differences: Record<DifferenceFacts['kind'], string> = {
  no_payment: 'Charge with no matching payment',
  amount: 'Charged amount doesn’t match ours',
  no_visit: 'Charge without a visit or a refund',
  refund_unknown: 'Refunded at the gateway, not by us',
  no_money: 'Paid in our records, but not at the gateway',
  no_answer: 'PayPal never confirmed this payment',
  dispute: 'The patient disputes this payment',
}

/** Most differences listed in one email; the rest is in the table. */
const MAX_LISTED = 50

/** Tells staff where the gateways' records and ours differ. */
export function differencesEmail(found: readonly DifferenceFacts[], site: string): EmailContent {
  const rows = found
    .slice(0, MAX_LISTED)
    .map(({ kind, gateway, object, paymentId, amount, details }): [string, string] => [
      differences[kind],
      [amount, gateway, object, paymentId, details].filter(Boolean).join(', '),
    ])
  const rest = found.length - rows.length
  return {
    heading:
      found.length === 1
        ? 'A payment doesn’t match the gateway’s records'
        : `${found.length} payments don’t match the gateways’ records`,
    blocks: [
      {
        kind: 'paragraph',
        text: 'Our records and the gateway’s don’t match, or a patient disputes a payment. Nothing was booked, charged or refunded because of it: compare the two and decide.',
      },
      { kind: 'facts', rows },
      ...(rest > 0 ? [{ kind: 'small', text: `And ${rest} more.` } as const] : []),
      paymentsLink(site),
    ],
  }
}
