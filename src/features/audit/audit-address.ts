import { AuditActorKind, type AuditFilters, AuditInput, AuditOutcome } from '#contract/audit.ts'

/** Query parameters of the audit log: filters and cursor, each omitted at its default. */
export type AuditAddress = {
  action?: string | undefined
  outcome?: string | undefined
  kind?: string | undefined
  actor?: string | undefined
  entity?: string | undefined
  from?: string | undefined
  to?: string | undefined
  reads?: string | undefined
  before?: string | undefined
}

const NAMES = [
  'action',
  'outcome',
  'kind',
  'actor',
  'entity',
  'from',
  'to',
  'reads',
  'before',
] as const

/** The request for a URL; invalid parameters are dropped. */
export function auditInput(address: AuditAddress): AuditInput {
  const sound: Record<string, string> = {}
  for (const name of NAMES) {
    const value = address[name]
    if (typeof value !== 'string' || value.trim() === '') continue
    if (AuditInput.shape[name].safeParse(value).success) sound[name] = value.trim()
  }
  return AuditInput.parse(sound)
}

/** The filters without the cursor. */
export function withoutPlace(input: AuditInput): AuditFilters {
  const { before: _, ...filters } = input
  return filters
}

export const KINDS = AuditActorKind.options
export const OUTCOMES = AuditOutcome.options
