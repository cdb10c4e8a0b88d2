import type { AuditAction } from '#contract/audit-actions.ts'
import type { Secrets } from './security/secrets.ts'

/** An event for the audit log. Details are codes and numbers, never a name or a secret. */
export type AuditEvent = {
  action: AuditAction
  outcome?: 'ok' | 'denied' | 'failed'
  /** Id of the affected object. */
  entity?: string
  details?: Record<string, string | number>
  /** The actor when it isn't the viewer: somebody signing in is still a visitor. */
  actor?: { kind: 'patient' | 'provider' | 'staff' | 'system'; id: string | null }
}

/** Records events in the same transaction as the change, so they roll back together. */
export type Audit = { add(event: AuditEvent): Promise<void> }

/** The columns a seal covers, in this order. */
export type SealedFacts = {
  position: number
  id: string
  at: number
  type: string
  action: string
  outcome: string
  actor_kind: string
  actor_id: string | null
  network: string
  request_id: string
  entity: string | null
  details: string
}

/** The `previous` value for the first row. */
export const FIRST_SEAL = ''

/** The seal of a row: a keyed hash over the row and the previous seal. */
export function sealOf(secrets: Secrets, previous: string, row: SealedFacts): string {
  return secrets.mac(
    'audit',
    JSON.stringify([
      previous,
      row.position,
      row.id,
      row.at,
      row.type,
      row.action,
      row.outcome,
      row.actor_kind,
      row.actor_id,
      row.network,
      row.request_id,
      row.entity,
      row.details,
    ]),
  )
}
