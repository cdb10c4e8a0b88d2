import { lifeCycle } from './life-cycle.ts'

/** The registration status of a provider. */
export const verificationLife = lifeCycle(['waiting', 'verified', 'refused', 'lost'], {
  claim: { from: [], to: 'waiting', by: ['provider'] },
  verify: { from: ['waiting', 'refused', 'lost'], to: 'verified', by: ['staff'] },
  /** Again with another reason. */
  refuse: { from: ['waiting', 'verified', 'refused', 'lost'], to: 'refused', by: ['staff'] },
  /** The register no longer confirms the claim. */
  lose: { from: ['verified'], to: 'lost', by: ['system'] },
  /** There is news: an answer, a proof, or a register that confirms the claim again. */
  reopen: { from: ['refused', 'lost'], to: 'waiting', by: ['provider'] },
  /** Another name or number is claimed. */
  change: { from: ['verified'], to: 'waiting', by: ['provider'] },
})

/** A proof that the person behind an account is the registrant. */
export const proofLife = lifeCycle(['waiting', 'accepted', 'refused', 'replaced'], {
  offer: { from: [], to: 'waiting', by: ['provider', 'staff'] },
  /** Staff accept a document; a code is accepted when the provider enters it. */
  accept: { from: ['waiting'], to: 'accepted', by: ['provider', 'staff'] },
  refuse: { from: ['waiting', 'accepted'], to: 'refused', by: ['staff'] },
  /** By a newer one of its kind. */
  replace: { from: ['waiting'], to: 'replaced', by: ['provider', 'staff'] },
})

/** The company a provider says they work as. */
export const companyLife = lifeCycle(['in_review', 'accepted', 'refused'], {
  send: { from: [], to: 'in_review', by: ['provider'] },
  accept: { from: ['in_review'], to: 'accepted', by: ['staff'] },
  refuse: { from: ['in_review', 'accepted'], to: 'refused', by: ['staff'] },
})

export type CompanyState = (typeof companyLife.states)[number]
