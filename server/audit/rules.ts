import type { AuditInput } from '#contract/audit.ts'
import { DAY_MS, dayNumber } from '#contract/time.ts'
import type { Place, Wanted } from './store.ts'

/** A page cursor as URL text. */
export function placeText({ at, no }: Place): string {
  return `${at}-${no}`
}

function readPlace(text: string): Place {
  const [at = 0, no = 0] = text.split('-').map(Number)
  return { at, no }
}

/** The filters in terms of the table; days are UTC days. */
export function wantedBy(input: AuditInput): Wanted {
  const { action, outcome, kind, actor, entity, from, to, before, reads } = input
  return {
    action,
    outcome,
    kind,
    actor,
    entity,
    from: from === undefined ? undefined : dayNumber(from) * DAY_MS,
    until: to === undefined ? undefined : (dayNumber(to) + 1) * DAY_MS,
    before: before === undefined ? undefined : readPlace(before),
    isWithoutReads: reads === undefined && action === undefined,
  }
}

/** Whether a filter text is an email address rather than an id. */
export function isAddress(text: string): boolean {
  return text.includes('@')
}
