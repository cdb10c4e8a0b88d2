import { lifeCycle } from './life-cycle.ts'

/** A patient's objection to being marked as absent. */
export const claimLife = lifeCycle(['open', 'upheld', 'rejected', 'settled'], {
  contest: { from: [], to: 'open', by: ['patient'] },
  uphold: { from: ['open'], to: 'upheld', by: ['staff'] },
  reject: { from: ['open'], to: 'rejected', by: ['staff'] },
  /** The provider has corrected the mark. */
  settle: { from: ['open'], to: 'settled', by: ['provider'] },
})

export type ClaimState = (typeof claimLife.states)[number]
