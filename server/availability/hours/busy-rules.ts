import type { TimeReason } from '#contract/availability.ts'
import type { Instant } from '#db/columns.ts'
import type { Secrets } from '#server/kernel/security/secrets.ts'
import type { Busy } from './hours-rules.ts'

/** Busy time as its provider sees it: an imported one counts as blocked and shows its label. */
export type BusyTime = {
  start: Instant
  end: Instant
  reason: Extract<TimeReason, 'blocked' | 'outside_calendar'>
  note: string
}

/** Shown for an imported appointment without a label. */
const IMPORTED = 'Imported appointment'

/** Encrypts the label of an imported appointment for its provider. */
export function sealLabel(
  { secrets }: { secrets: Secrets },
  providerNo: number,
  label: string,
): string {
  return secrets.seal('busy', `${providerNo} ${label}`)
}

/** Decrypts a label; throws for another provider's. */
function openLabel({ secrets }: { secrets: Secrets }, providerNo: number, sealed: string): string {
  const text = secrets.open('busy', sealed)
  const owner = `${providerNo} `
  if (!text.startsWith(owner)) throw new Error('This label is of another provider.')
  return text.slice(owner.length)
}

type BusyQuery = { secrets: Secrets; providerNo: number; from: Instant; until: Instant }

/** The busy time within a stretch, with labels decrypted: only for the provider. */
export function busyWithin(busy: readonly Busy[], query: BusyQuery): BusyTime[] {
  const { providerNo, from, until } = query
  return busy
    .filter(({ start, end }) => start < until && from < end)
    .map(({ start, end, source, label }) => {
      if (source === 'calendar') return { start, end, reason: 'outside_calendar', note: '' }
      const note = label === null ? IMPORTED : openLabel(query, providerNo, label)
      return { start, end, reason: 'blocked', note }
    })
}
