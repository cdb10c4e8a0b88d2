import type { AuditEntry } from '#contract/audit.ts'

/** Entries of one account further apart than this are not grouped. */
const TOGETHER_MS = 60_000

function belongs(entry: AuditEntry, newest: AuditEntry): boolean {
  if (entry.requestId !== '' && entry.requestId === newest.requestId) return true
  const { actor } = entry
  if (actor.id === null || actor.id !== newest.actor.id) return false
  return Date.parse(newest.at) - Date.parse(entry.at) <= TOGETHER_MS
}

/** Merges consecutive entries with the same wording and counts them. */
export function countRepeats(
  entries: readonly AuditEntry[],
  sayOf: (entry: AuditEntry) => string,
): { entry: AuditEntry; times: number }[] {
  const told: { entry: AuditEntry; times: number }[] = []
  for (const entry of entries) {
    const last = told.at(-1)
    if (last !== undefined && sayOf(last.entry) === sayOf(entry)) last.times += 1
    else told.push({ entry, times: 1 })
  }
  return told
}

/** Groups consecutive entries of one request, or of one account within a minute. Newest first. */
export function groupEntries(entries: readonly AuditEntry[]): [AuditEntry, ...AuditEntry[]][] {
  const groups: [AuditEntry, ...AuditEntry[]][] = []
  for (const entry of entries) {
    const group = groups.at(-1)
    if (group !== undefined && belongs(entry, group[0])) group.push(entry)
    else groups.push([entry])
  }
  return groups
}
