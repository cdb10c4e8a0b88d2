import type { PaymentDifferenceRow, RefundRow } from '#db/tables/payments.ts'
import type { Letter } from '#server/messages/templates.ts'

type RefundFacts = {
  firstName: string
  /** Formatted with its sign. */
  amount: string
  via: 'stripe' | 'paypal'
  reason: RefundRow['reason']
  /** Id of the appointment. */
  reference: string
  supportEmail: string
}

const why: Record<RefundFacts['reason'], string> = {
  slot_lost:
    'Your payment reached us when this time could no longer be booked, so you have no visit and get all of it back.',
  cancelled: 'Your visit was cancelled.',
  staff: 'Our staff refunded this payment.',
  review:
    'What reached us was not what we had asked for, so no visit was booked with it and nobody keeps your money.',
  overpaid: 'You had paid more than the visit costs. Your visit is booked.',
}

/** Tells a patient that money is on its way back. */
export function refundLetter({
  firstName,
  amount,
  via,
  reason,
  reference,
  supportEmail,
}: RefundFacts): Letter {
  const where = via === 'stripe' ? 'your card' : 'your wallet'
  return {
    heading: `We have refunded ${amount}`,
    blocks: [
      { kind: 'paragraph', text: `Hello ${firstName},\n${why[reason]}` },
      {
        kind: 'paragraph',
        text: `We have sent ${amount} back to ${where}. Banks take up to ten days to show it.`,
      },
      { kind: 'facts', rows: [['Reference', reference]] },
      { kind: 'small', text: `If anything is unclear, write to ${supportEmail}.` },
    ],
  }
}

type AlertFacts = { what: 'mismatch' | 'refund_failed'; paymentId: string }

const alerts: Record<AlertFacts['what'], { heading: string; text: string }> = {
  mismatch: {
    heading: 'A payment differs from what we asked for',
    text: 'The gateway reports another amount, currency or payment than our own record. Nobody was booked and nothing was refunded: compare the two and decide.',
  },
  refund_failed: {
    heading: 'A refund has failed for good',
    text: 'The gateway could not pay the money back, as happens when a card was closed. It has to be paid by hand.',
  },
}

/** Tells staff about a payment that needs a person. */
export function alertLetter({ what, paymentId }: AlertFacts): Letter {
  const { heading, text } = alerts[what]
  return {
    heading,
    blocks: [
      { kind: 'paragraph', text },
      { kind: 'facts', rows: [['Payment', paymentId]] },
    ],
  }
}

type DifferenceFacts = {
  kind: PaymentDifferenceRow['kind']
  gateway: 'stripe' | 'paypal'
  /** The gateway's name of it. */
  object: string
  /** Ours, where there is one. */
  paymentId: string | null
  /** With its currency. */
  amount: string
}

const differences: Record<DifferenceFacts['kind'], string> = {
  no_payment: 'Money was taken that no payment of ours asked for',
  amount: 'Another amount was taken than ours',
  no_visit: 'Money was taken, and there is neither a visit nor a refund',
  refund_unknown: 'Money went back that nobody here sent',
  no_money: 'We count it as paid, and the gateway has no such money',
}

/** More than this fits in no mail; the rest is in the table. */
const MAX_LISTED = 50

/** Tells staff what the gateways' books and ours disagree about. */
export function differencesLetter(found: readonly DifferenceFacts[]): Letter {
  const rows = found
    .slice(0, MAX_LISTED)
    .map(({ kind, gateway, object, paymentId, amount }): [string, string] => [
      differences[kind],
      [amount, gateway, object, paymentId ?? ''].filter((part) => part !== '').join(', '),
    ])
  const rest = found.length - rows.length
  return {
    heading:
      found.length === 1
        ? 'A payment differs from the gateway’s books'
        : `${found.length} payments differ from the gateways’ books`,
    blocks: [
      {
        kind: 'paragraph',
        text: 'The daily comparison found what it could not put right by itself. Nothing was booked, charged or refunded because of it: compare the two and decide.',
      },
      { kind: 'facts', rows },
      ...(rest > 0 ? [{ kind: 'small', text: `And ${rest} more.` } as const] : []),
    ],
  }
}
