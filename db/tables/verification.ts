import type { Generated } from 'kysely'
import type { ProfessionalBody } from '#contract/base/people.ts'
import type { CompanyState } from '#contract/life-cycles/verification.ts'
import type {
  CheckOutcome,
  Difference,
  ProofKind,
  ProofState,
  RegistrationStatus,
  VerificationState,
} from '#contract/verification.ts'
import type { Flag, Instant, Json } from '#db/columns.ts'

/** One import of a register's list. Entries are looked up in the current one of their body. */
export interface RegisterLoadRow {
  no: Generated<number>
  body: ProfessionalBody
  /** At most one per body is `current`; the others are being loaded or deleted. */
  state: 'loading' | 'current' | 'old'
  /** Name of the file. */
  source: string
  entries: number
  started_at: Instant
  finished_at: Instant | null
}

/** A person in a professional register, from its list. */
export interface RegisterEntryRow {
  load_no: number
  registration_number: string
  /** First names and last name with a space between; empty where a list leaves it out. */
  name: string
  /** The register's wording; it is interpreted when the entry is looked up. */
  status_text: string
}

/** Evidence of a check: the claim, the register's entry, the differences, and the result. Append-only. */
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
  /** Null when the register has no such number, like the next three columns. */
  answer_number: string | null
  answer_name: string | null
  standing: RegistrationStatus | null
  status_text: string | null
  /** `table` and the import date, or the host that responded. */
  source: string
  outcome: CheckOutcome
  differences: Json<Difference[]>
  /** Staff's, with the reason they gave; null for checks that decide nothing, also when it disagreed. */
  decision: 'Verified' | 'Unverified' | null
  reason: string | null
}

/**
 * Registration status of a provider. `providers.verification_status` decides what the site shows; this row says why. A
 * provider without a row is `verified` or `waiting` according to that status.
 */
export interface ProviderStandingRow {
  provider_no: number
  state: VerificationState
  since: Instant
  /** `refused`: the text by staff. `lost`: a `LossReason`. */
  reason: string | null
  /** The newest check met the rule; such providers come first in the queue. */
  is_match: Flag
  /** Since when it has waited for staff. */
  asked_at: Instant
  checked_at: Instant | null
  /** When the nightly job looks next; null while not Verified. */
  due_at: Instant | null
  /** Since when the register no longer confirms the claim, although nobody was struck off; decided the next night. */
  doubt_since: Instant | null
  /** When staff requested something the provider has not sent yet; null when nothing is outstanding. */
  asked_again_at: Instant | null
  /** When the provider answered, while staff have neither decided nor asked again. */
  answered_at: Instant | null
}

/** A request for information, emailed to a provider before staff decide. Append-only. */
export interface VerificationRequestRow {
  no: Generated<number>
  id: string
  provider_no: number
  at: Instant
  /** `user_id` of the staff member. */
  actor_id: string
  /** The request in staff's words, as emailed. */
  what: string
  /** The provider page on which it is answered. */
  about: Generated<'registration' | 'company'>
  /** The provider's answer; null until there is one, like `answered_at`. */
  answer: Generated<string | null>
  /** `company_documents.no` of the file sent with the answer. */
  document_no: Generated<number | null>
  answered_at: Generated<Instant | null>
}

/** A file a provider uploaded: encrypted in the data folder, never under `/media`. */
export interface CompanyDocumentRow {
  no: Generated<number>
  id: string
  provider_no: number
  /** Images are re-encoded as webp; a PDF is stored as received. */
  kind: 'pdf' | 'image'
  /** Name of the encrypted file. */
  file: string
  /** Size before encryption. */
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
  /** At most one is in review or accepted; refused ones stay. */
  state: CompanyState
  /** The refusal's text by staff. */
  reason: string | null
  sent_at: Instant
  decided_at: Instant | null
  /** `user_id` of who decided. */
  decided_by: string | null
}

/**
 * Proof that the person behind an account is the one named in the register. Rows are never deleted, only
 * decided.
 */
export interface RegistrantProofRow {
  no: Generated<number>
  id: string
  provider_no: number
  kind: ProofKind
  /** At most one of each kind is waiting. */
  state: ProofState
  /** What was claimed: the proof is about this number and no other. */
  body: ProfessionalBody
  claimed_number: string
  claimed_name: string
  /** `company_documents.no`; null for a proof by code, as the next two are for a document. */
  document_no: number | null
  /** The address codes are sent to, and who publishes it. */
  email: string | null
  source: string | null
  created_at: Instant
  /** Account of the provider who sent the document, or of staff who entered the address. */
  created_by: string | null
  decided_at: Instant | null
  /** Account of staff, or of the provider who entered the code; null when a newer proof replaced it. */
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
