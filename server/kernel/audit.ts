import type { Secrets } from '#server/kernel/security/secrets.ts'

/** Something worth remembering. Details are codes and numbers, never a name or a secret. */
export type AuditEvent = {
  /** `session.began`, `password.changed`: the thing and what happened to it. */
  action: `${string}.${string}`
  outcome?: 'ok' | 'denied' | 'failed'
  /** Id of the very thing. */
  entity?: string
  details?: Record<string, string | number>
  /** Who did it, where that is not the viewer: somebody signing in is still a visitor. */
  actor?: { kind: 'patient' | 'provider' | 'staff' | 'system'; id: string | null }
}

/** Writes events down in the transaction of their act; undone together with it. */
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

/** What the first row follows. */
export const FIRST_SEAL = ''

/** The seal of a row: a keyed hash over it and the seal before it. */
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
