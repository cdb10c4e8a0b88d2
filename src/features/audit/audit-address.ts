import { AuditActorKind, type AuditFilters, AuditInput, AuditOutcome } from '#contract/audit.ts'

/** The log as its address has it: filters and place, each left out while it is the usual one. */
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

/** What the server is asked; what an address says that makes no sense is left out. */
export function auditInput(address: AuditAddress): AuditInput {
  const sound: Record<string, string> = {}
  for (const name of NAMES) {
    const value = address[name]
    if (typeof value !== 'string' || value.trim() === '') continue
    if (AuditInput.shape[name].safeParse(value).success) sound[name] = value.trim()
  }
  return AuditInput.parse(sound)
}

/** The filters of an address without the place. */
export function withoutPlace(input: AuditInput): AuditFilters {
  const { before: _, ...filters } = input
  return filters
}

export const KINDS = AuditActorKind.options
export const OUTCOMES = AuditOutcome.options
