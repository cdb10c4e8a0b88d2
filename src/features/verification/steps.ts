import type { OwnVerification } from '#contract/verification.ts'

/** The way to being Verified. */
export const STEPS = ['Email', 'Registration', 'Company'] as const

export type VerifyStep = (typeof STEPS)[number]

/** The steps that need nothing more from the provider. */
export function doneSteps({ check, state, company }: OwnVerification): VerifyStep[] {
  const isCompared = state === 'verified' || check?.outcome === 'match'
  const isSent = company !== null && company.state !== 'refused'
  const done: VerifyStep[] = ['Email']
  if (isCompared) done.push('Registration')
  if (isSent) done.push('Company')
  return done
}
