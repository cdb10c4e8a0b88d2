import type { Generated } from 'kysely'
import type { Instant, Json } from '#db/columns.ts'

/** Append-only record of who did what, written in the transaction of the act. */
export interface AuditRow {
  no: Generated<number>
  id: string
  at: Instant
  /** The kind of object acted on, such as `session` or `account`. */
  type: string
  /** The action. */
  action: string
  outcome: 'ok' | 'denied' | 'failed'
  actor_kind: 'visitor' | 'patient' | 'provider' | 'staff' | 'system'
  actor_id: string | null
  network: string
  request_id: string
  /** Id of the object, if it has one. */
  entity: string | null
  /** Codes and numbers; never a name, an address or a secret. */
  details: Json<Record<string, string | number>>
  /** Position in the sealed chain; null until the sealing job has processed the row. */
  position: number | null
  /** Keyed hash over this row and the seal before it. */
  seal: string | null
}

/** Number of visitor refusals per network, path and minute. Deleted after a month. */
export interface StrangerDenialRow {
  /** Whole minutes since the epoch. */
  minute: number
  network: string
  path: string
  /** The error code of the first refusal. */
  code: string
  count: number
}

/**
 * The provider's name when an audit entry was written. Not sealed: it is deleted with the provider's account.
 */
export interface AuditNameRow {
  /** `audit.id` */
  audit_id: string
  /** Whether they acted, or they or something of theirs was acted on. */
  part: 'actor' | 'entity'
  provider_no: number
  name: string
}

export interface AuditTables {
  audit: AuditRow
  audit_names: AuditNameRow
  stranger_denials: StrangerDenialRow
}
