import { AuditActorKind, type AuditFilters, AuditInput, AuditOutcome } from '#contract/audit.ts'

/** Query parameters of the audit log: filters and cursor, each omitted at its default. */
export type AuditSearch = {
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

const FILTER_NAMES = [
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
export function auditInput(address: AuditSearch): AuditInput {
  const valid: Record<string, string> = {}
  for (const name of FILTER_NAMES) {
    const value = address[name]
    if (typeof value !== 'string' || value.trim() === '') continue
    if (AuditInput.shape[name].safeParse(value).success) valid[name] = value.trim()
  }
  return AuditInput.parse(valid)
}

/** The filters without the cursor. */
export function withoutCursor(input: AuditInput): AuditFilters {
  const { before: _, ...filters } = input
  return filters
}

export const KINDS = AuditActorKind.options
export const OUTCOMES = AuditOutcome.options
