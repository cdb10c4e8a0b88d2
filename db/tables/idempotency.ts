import type { Instant } from '#db/columns.ts'

/** A write somebody named with a key of their own, and what it was answered. */
export interface IdempotencyKeyRow {
  account_no: number
  /** Keyed hash of the key. */
  key_hash: string
  /** Keyed hash of the procedure and its input. */
  body_hash: string
  /** Encrypted JSON; null while the first request is still being worked on. */
  answer: string | null
  /** Whoever works on it has until then; also what tells one attempt from the next. */
  lease_until: Instant
  expires_at: Instant
}

export interface IdempotencyTables {
  idempotency_keys: IdempotencyKeyRow
}
