import type { Instant } from '#db/columns.ts'

/** A write with an idempotency key chosen by the client, and its stored response. */
export interface IdempotencyKeyRow {
  account_no: number
  /** Keyed hash of the key. */
  key_hash: string
  /** Keyed hash of the procedure and its input. */
  body_hash: string
  /** Encrypted JSON; null while the first request is in progress. */
  answer: string | null
  /** End of the current attempt's lease; also identifies the attempt. */
  lease_until: Instant
  expires_at: Instant
}

export interface IdempotencyTables {
  idempotency_keys: IdempotencyKeyRow
}
