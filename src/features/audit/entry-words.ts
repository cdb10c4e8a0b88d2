import type { AuditEntry } from '#contract/audit.ts'
import { ErrorCode } from '#contract/errors.ts'
import { dateFormat } from '#contract/intl.ts'
import { sentenceFor } from '#contract/sentences.ts'

/** "21 Nov 2026, 13:05:09" in UTC, as the log counts days. */
export function entryTime(at: string): string {
  return dateFormat('en-GB', {
    timeZone: 'UTC',
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  }).format(new Date(at))
}

const kinds = {
  visitor: 'A visitor',
  patient: 'A patient',
  provider: 'A provider',
  staff: 'Former staff',
  system: 'The system',
} as const

/** Who it was: staff by their address, everybody else by what they are. */
export function entryActor({ actor }: AuditEntry): string {
  return actor.email ?? kinds[actor.kind]
}

/** What it was about, in as many words as there is room for; null when the action says it all. */
export function entryAbout({ action, entity, entityEmail, details }: AuditEntry): string | null {
  if (action === 'staff.role_changed') {
    return `${entityEmail ?? 'somebody who is gone'}, from ${details['from']} to ${details['to']}`
  }
  if (action === 'call.denied') {
    const code = ErrorCode.safeParse(details['code'])
    return [entity, code.success ? sentenceFor(code.data) : null].filter(Boolean).join(': ')
  }
  const code = ErrorCode.safeParse(details['code'])
  if (code.success) return sentenceFor(code.data)
  return entityEmail
}

export const outcomeWords = { ok: 'Done', denied: 'Denied', failed: 'Failed' } as const
