import type { Generated } from 'kysely'
import type { Instant, Json } from '#db/columns.ts'

/** Append-only record of who did what, written in the transaction of the act. */
export interface AuditRow {
  no: Generated<number>
  id: string
  at: Instant
  /** The thing acted on: `session`, `account`, `code`, `call`. */
  type: string
  /** What was done to it. */
  action: string
  outcome: 'ok' | 'denied' | 'failed'
  actor_kind: 'visitor' | 'patient' | 'provider' | 'staff' | 'system'
  actor_id: string | null
  network: string
  request_id: string
  /** Id of the very thing, if it has one. */
  entity: string | null
  /** Codes and numbers; never a name, an address or a secret. */
  details: Json<Record<string, string | number>>
  /** Place in the sealed chain; null until the sealing job has been there. */
  position: number | null
  /** Keyed hash over this row and the seal before it. */
  seal: string | null
}

/** How often strangers of one network were refused at one path in one minute. Forgotten after a month. */
export interface StrangerDenialRow {
  /** Whole minutes since the epoch. */
  minute: number
  network: string
  path: string
  /** Why the first of them was. */
  code: string
  count: number
}

/**
 * What a provider was called when an entry of the log was written. Not sealed: it goes with the
 * provider's account.
 */
export interface AuditNameRow {
  /** `audit.id` */
  audit_id: string
  /** Whether they did it, or it was done to them or theirs. */
  part: 'actor' | 'entity'
  provider_no: number
  name: string
}

export interface AuditTables {
  audit: AuditRow
  audit_names: AuditNameRow
  stranger_denials: StrangerDenialRow
}
