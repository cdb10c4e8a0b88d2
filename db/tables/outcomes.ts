import type { Instant } from '#db/columns.ts'

/** A patient's objection to being marked as absent. At most one per visit. */
export interface OutcomeClaimRow {
  id: string
  booking_no: number
  says: 'was_there' | 'not_held'
  /** Sealed: it may contain health data. Empty once the account is erased. */
  words: string
  /** `settled`: the provider has corrected the mark meanwhile. */
  state: 'open' | 'upheld' | 'rejected' | 'settled'
  created_at: Instant
  /** The provider's reply, sealed. Empty once the patient's account is erased. */
  answer: string | null
  answered_at: Instant | null
  decided_at: Instant | null
  /** Account of the staff member, or of the provider who settled it. */
  decided_by: string | null
  /** Why, in the words of staff. */
  note: string | null
}

export interface OutcomesTables {
  outcome_claims: OutcomeClaimRow
}
