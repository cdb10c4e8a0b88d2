import { lifeCycle } from './life-cycle.ts'

/** The payment may still succeed. */
export const PENDING_PAYMENT = ['creating', 'open', 'capturing'] as const
/** It may still succeed, or has. */
export const LIVE_PAYMENT = [...PENDING_PAYMENT, 'paid'] as const

/** Ended without money. Money that arrives late is booked or refunded all the same. */
const UNPAID = ['expired', 'abandoned', 'failed'] as const
const UNDECIDED = [...PENDING_PAYMENT, ...UNPAID] as const

/** One attempt to pay for a visit. */
export const paymentLife = lifeCycle(
  [
    'creating',
    'open',
    'capturing',
    'paid',
    'expired',
    'abandoned',
    'failed',
    'refund_due',
    'refunded',
    'review',
  ],
  {
    start: { from: [], to: 'creating', by: ['patient'] },
    /** The gateway has opened its session or order. */
    open: { from: ['creating'], to: 'open', by: ['system'] },
    /** Acquires the right to take the money from the wallet; again by whoever resumes it. */
    capture: { from: ['open', 'capturing'], to: 'capturing', by: ['patient', 'system'] },
    decline: { from: ['capturing'], to: 'failed', by: ['system'] },
    expire: { from: PENDING_PAYMENT, to: 'expired', by: ['system'] },
    abandon: { from: PENDING_PAYMENT, to: 'abandoned', by: ['patient', 'system'] },
    /** The money has come, and books the visit. */
    book: { from: UNDECIDED, to: 'paid', by: ['system'] },
    /** The money has come, but not as requested. */
    question: { from: UNDECIDED, to: 'review', by: ['system'] },
    accept: { from: ['review'], to: 'paid', by: ['staff'] },
    /** The money books nothing: it is refunded. */
    refund: { from: [...UNDECIDED, 'review'], to: 'refund_due', by: ['staff', 'system'] },
    /** As `refund`, where someone has refunded all of it at the gateway. */
    skip_refund: { from: [...UNDECIDED, 'review'], to: 'refunded', by: ['staff', 'system'] },
    /** The refund is paid out. */
    pay_back: { from: ['refund_due'], to: 'refunded', by: ['staff', 'system'] },
  },
)
