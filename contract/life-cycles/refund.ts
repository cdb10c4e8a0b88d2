import { lifeCycle } from './life-cycle.ts'

/** The gateway has not said yet how it ends. */
export const OPEN_REFUND = ['due', 'pending'] as const

/** A refund of a payment. */
export const refundLife = lifeCycle(['due', 'pending', 'done', 'failed'], {
  request: { from: [], to: 'due', by: ['patient', 'provider', 'staff', 'system'] },
  /** Made by hand at the gateway: our records follow. */
  adopt: { from: [], to: 'done', by: ['system'] },
  /** As `adopt`, in the place of one of ours that was not paid out. */
  link: { from: ['due', 'failed'], to: 'due', by: ['system'] },
  /** Others made at the gateway leave nothing to refund. */
  replace: { from: ['due'], to: 'failed', by: ['system'] },
  // Named after the gateway's answers.
  pending: { from: OPEN_REFUND, to: 'pending', by: ['system'] },
  done: { from: OPEN_REFUND, to: 'done', by: ['system'] },
  /** Permanently: also days after it was done, when a bank returns it. */
  failed: { from: [...OPEN_REFUND, 'done'], to: 'failed', by: ['system'] },
  /** Staff have paid it back another way. */
  settle: { from: ['failed'], to: 'done', by: ['staff'] },
})
