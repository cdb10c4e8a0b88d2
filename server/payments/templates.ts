import type { Letter } from '#server/messages/templates.ts'

type RefundFacts = {
  firstName: string
  /** Formatted with its sign. */
  amount: string
  via: 'stripe' | 'paypal'
  reason: 'slot_lost' | 'cancelled' | 'staff'
  supportEmail: string
}

const why: Record<RefundFacts['reason'], string> = {
  slot_lost:
    'Your payment reached us after the time was no longer kept for you, so no visit was booked and nobody keeps your money.',
  cancelled: 'Your visit was cancelled.',
  staff: 'Our staff refunded this payment.',
}

/** Tells a patient that money is on its way back. */
export function refundLetter({
  firstName,
  amount,
  via,
  reason,
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
