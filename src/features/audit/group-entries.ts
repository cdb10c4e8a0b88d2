import type { AuditEntry } from '#contract/audit.ts'

/** Entries of one account further apart than this are not grouped. */
const GROUP_WINDOW_MS = 60_000

function belongsToGroup(entry: AuditEntry, newest: AuditEntry): boolean {
  if (entry.requestId !== '' && entry.requestId === newest.requestId) return true
  const { actor } = entry
  if (actor.id === null || actor.id !== newest.actor.id) return false
  return Date.parse(newest.at) - Date.parse(entry.at) <= GROUP_WINDOW_MS
}

/** Merges consecutive entries with the same wording and counts them. */
export function countRepeats(
  entries: readonly AuditEntry[],
  textOf: (entry: AuditEntry) => string,
): { entry: AuditEntry; times: number }[] {
  const counted: { entry: AuditEntry; times: number }[] = []
  for (const entry of entries) {
    const last = counted.at(-1)
    if (last !== undefined && textOf(last.entry) === textOf(entry)) last.times += 1
    else counted.push({ entry, times: 1 })
  }
  return counted
}

/** Groups consecutive entries of one request, or of one account within a minute. Newest first. */
export function groupEntries(entries: readonly AuditEntry[]): [AuditEntry, ...AuditEntry[]][] {
  const groups: [AuditEntry, ...AuditEntry[]][] = []
  for (const entry of entries) {
    const group = groups.at(-1)
    if (group !== undefined && belongsToGroup(entry, group[0])) group.push(entry)
    else groups.push([entry])
  }
  return groups
}
