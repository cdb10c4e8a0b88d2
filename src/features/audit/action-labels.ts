import { formatAnyCurrency } from '#app/lib/format/money.ts'
import type { AuditEntry } from '#contract/audit.ts'
import { auditActions } from '#contract/audit-actions.ts'
import { dateFormat } from '#contract/base/intl.ts'
import { errorMessage, isErrorCode } from '#contract/base/sentences.ts'

const labels = new Map<string, string>(Object.values(auditActions).flatMap(Object.entries))

/** Wording of an action. An action newer than this bundle is shown by its name. */
function actionLabel(action: string): string {
  return labels.get(action) ?? action.replace('.', ': ').replaceAll('_', ' ')
}

/** "21 Nov 2026, 13:05:09" in UTC, the log's time zone. */
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

const actorLabels = {
  visitor: 'A visitor',
  patient: 'A patient',
  provider: 'A provider',
  staff: 'Former staff',
  system: 'The system',
} as const

/** The actor: staff by email, providers by their name at the time, others by kind. */
export function entryActor({ actor }: AuditEntry): string {
  return actor.email ?? actor.name ?? actorLabels[actor.kind]
}

/** Wording for decisions that depends on their outcome. */
const decisionLabels: Readonly<Record<string, string>> = {
  'verification.decided Verified': 'Verified',
  'verification.decided Unverified': 'Refused',
  'company.decided accepted': 'Accepted the company',
  'company.decided refused': 'Refused the company',
}

/** What was done, with whom or what it was done to: "Verified Dr Amara Okafor, GMC 7654321". */
export function entryText(entry: AuditEntry): string {
  const { action, details, entityName, entityEmail } = entry
  const decided = decisionLabels[`${action} ${details['decision'] ?? ''}`]
  if (decided !== undefined && entityName !== null) return `${decided} ${entityName}`
  if (action === 'staff.added' && entityEmail !== null) return `Added ${entityEmail} to the staff`
  return actionLabel(action)
}

/** The amount of an action as text; null if it has none. */
export function entryAmount({ details }: AuditEntry): string | null {
  const { currency } = details
  const minor = details['amount'] ?? details['minor']
  if (typeof minor !== 'number' || typeof currency !== 'string') return null
  return formatAnyCurrency({ minor, currency })
}

const AMOUNT_KEYS: ReadonlySet<string> = new Set(['amount', 'minor', 'currency'])

/** The remaining details of an entry, under their stored names. */
export function entryDetails(entry: AuditEntry): [string, string][] {
  const money = entryAmount(entry)
  const facts = Object.entries(entry.details).map(([name, value]): [string, string] => [
    name,
    String(value),
  ])
  if (money === null) return facts
  return [['amount', money], ...facts.filter(([name]) => !AMOUNT_KEYS.has(name))]
}

/** The subject of an entry, kept short; null when the action's wording says it all. */
export function entrySubject(entry: AuditEntry): string | null {
  const { action, entity, entityEmail, entityName, details } = entry
  if (action === 'staff.role_changed') {
    return `${entityEmail ?? 'a former member of staff'}, from ${details['from']} to ${details['to']}`
  }
  if (action === 'call.denied') {
    const { code } = details
    return [entity, isErrorCode(code) ? errorMessage(code) : null].filter(Boolean).join(': ')
  }
  const { code } = details
  const message = isErrorCode(code) ? errorMessage(code) : null
  // Not repeated if the action's wording already contains it.
  const name = entityName ?? entityEmail
  const isNamed = name !== null && entryText(entry).includes(name)
  return [isNamed ? null : name, entryAmount(entry), message].filter(Boolean).join(', ') || null
}

export const outcomeLabels = { ok: 'Done', denied: 'Denied', failed: 'Failed' } as const
