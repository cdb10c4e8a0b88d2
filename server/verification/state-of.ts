import type { VerificationState } from '#contract/verification.ts'
import type { CheckRow } from '#db/tables/verification.ts'
import type { Claimant } from './store.ts'

/** What the site goes by comes first: a row that says otherwise is older than that. */
export function stateOf({
  verification_status: status,
  state,
}: Pick<Claimant, 'verification_status' | 'state'>): VerificationState {
  if (status === 'Verified') return 'verified'
  return state === 'refused' || state === 'lost' ? state : 'waiting'
}

/** A comparison of what was claimed before says nothing about what is claimed now. */
export function isOfNow(
  row: Pick<CheckRow, 'claimed_name' | 'claimed_number' | 'body'>,
  claimant: Claimant,
): boolean {
  const { first_name: first, last_name: last, membership_number: number, body } = claimant
  return (
    row.claimed_name === `${first} ${last}` && row.claimed_number === number && row.body === body
  )
}

/** Whether what is claimed is still what it was, for instance when the register was asked. */
export function isSameClaimant(now: Claimant, before: Claimant): boolean {
  return (
    now.first_name === before.first_name &&
    now.last_name === before.last_name &&
    now.body === before.body &&
    now.membership_number === before.membership_number
  )
}
