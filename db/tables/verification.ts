import type { Generated } from 'kysely'
import type { ProfessionalBody } from '#contract/people.ts'
import type { CheckOutcome, Difference, Standing } from '#contract/verification.ts'
import type { ProofKind, ProofState } from '#contract/verification-proof.ts'
import type { Flag, Instant, Json } from '#db/columns.ts'

/** One reading-in of a register's list. Entries are looked up in the current one of their body. */
export interface RegisterLoadRow {
  no: Generated<number>
  body: ProfessionalBody
  /** `current` is one a body at most; the others are on their way in, or out. */
  state: 'loading' | 'current' | 'old'
  /** Name of the file. */
  source: string
  entries: number
  started_at: Instant
  finished_at: Instant | null
}

/** Somebody in a professional register, as its list says. */
export interface RegisterEntryRow {
  load_no: number
  registration_number: string
  /** First names and last name with a space between; empty where a list leaves it out. */
  name: string
  /** In the register's own words; what follows from them is decided when it is looked up. */
  status_text: string
}

/** Evidence: what was claimed, what the register said, what differed, and what came of it. Only added. */
export interface CheckRow {
  no: Generated<number>
  id: string
  provider_no: number
  /** By the provider themselves, by the nightly job, or by staff who decide. */
  kind: 'look_up' | 'recheck' | 'decision'
  at: Instant
  actor_kind: 'provider' | 'staff' | 'system'
  /** `user_id` of who asked; null for the job. */
  actor_id: string | null
  body: ProfessionalBody
  claimed_number: string
  claimed_name: string
  /** Null where the register knows no such number, as are the next three. */
  answer_number: string | null
  answer_name: string | null
  standing: Standing | null
  status_text: string | null
  /** `table` and the day it was read in, or the host that answered. */
  source: string
  outcome: CheckOutcome
  differences: Json<Difference[]>
  /** Staff's, with the reason they gave; null for checks that decide nothing, also when it disagreed. */
  decision: 'Verified' | 'Unverified' | null
  reason: string | null
}

/**
 * How far a provider's verification is. `providers.verification_status` is what the site goes by; this
 * says why. A provider without a row is `verified` or `waiting` by that status.
 */
export interface ProviderStandingRow {
  provider_no: number
  state: 'waiting' | 'verified' | 'refused' | 'lost'
  since: Instant
  /** `refused`: what staff wrote. `lost`: a `LossReason`. */
  reason: string | null
  /** The newest check met the rule: those come first in the queue. */
  is_match: Flag
  /** Since when it waits for staff. */
  asked_at: Instant
  checked_at: Instant | null
  /** When the nightly job looks next; null while not Verified. */
  due_at: Instant | null
  /** The register stopped bearing the claim out, though nobody was struck off: settled a night later. */
  doubt_since: Instant | null
  /** Staff asked the provider for something, and nothing has come since; null while nothing is owed. */
  asked_again_at: Instant | null
  /** The provider has answered, and staff have neither decided nor asked since. */
  answered_at: Instant | null
}

/** Something staff asked a provider for, by email, before they decide. Only added. */
export interface VerificationRequestRow {
  no: Generated<number>
  id: string
  provider_no: number
  at: Instant
  /** `user_id` of who asked. */
  actor_id: string
  /** In staff's words, as they were mailed. */
  what: string
  /** Which of the provider's pages it is answered on. */
  about: Generated<'registration' | 'company'>
  /** In the provider's words; null while there is no answer, as is `answered_at`. */
  answer: Generated<string | null>
  /** `company_documents.no` of what came with the answer. */
  document_no: Generated<number | null>
  answered_at: Generated<Instant | null>
}

/** A file a provider uploaded: encrypted in the data folder, never under `/media`. */
export interface CompanyDocumentRow {
  no: Generated<number>
  id: string
  provider_no: number
  /** Images were drawn anew as webp; a PDF is as it came. */
  kind: 'pdf' | 'image'
  /** Name of the encrypted file. */
  file: string
  /** Before it was encrypted. */
  bytes: number
  created_at: Instant
}

/** The company a provider says they work as. */
export interface CompanyClaimRow {
  no: Generated<number>
  id: string
  provider_no: number
  document_no: number
  company_name: string
  registration_number: string
  address: string
  /** One that is in review or accepted at most; refused ones stay. */
  state: 'in_review' | 'accepted' | 'refused'
  /** What staff wrote when they refused it. */
  reason: string | null
  sent_at: Instant
  decided_at: Instant | null
  /** `user_id` of who decided. */
  decided_by: string | null
}

/** What shows that the person of an account is who the register names. Never taken away, only decided. */
export interface RegistrantProofRow {
  no: Generated<number>
  id: string
  provider_no: number
  kind: ProofKind
  /** One of a kind waits at most. */
  state: ProofState
  /** What was claimed: the proof is about this number and no other. */
  body: ProfessionalBody
  claimed_number: string
  claimed_name: string
  /** `company_documents.no`; null with a code, as the next two are with a document. */
  document_no: number | null
  /** Where the codes go, and who publishes that address. */
  email: string | null
  source: string | null
  created_at: Instant
  /** Account of the provider who sent the document, or of staff who entered the address. */
  created_by: string | null
  decided_at: Instant | null
  /** Account of staff, or of the provider who entered the code; null where a newer one replaced it. */
  decided_by: string | null
  /** With `refused`, in the words of staff. */
  reason: string | null
}

export interface VerificationTables {
  register_loads: RegisterLoadRow
  register_entries: RegisterEntryRow
  verification_checks: CheckRow
  provider_standings: ProviderStandingRow
  verification_requests: VerificationRequestRow
  company_documents: CompanyDocumentRow
  company_claims: CompanyClaimRow
  registrant_proofs: RegistrantProofRow
}
