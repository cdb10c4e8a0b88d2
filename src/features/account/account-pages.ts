import type { Me } from '#contract/auth.ts'

/** The account's pages, and the sections on each in display order. */
const PAGES = [
  { id: 'visits', name: 'Visits', parts: ['visits'] },
  { id: 'saved', name: 'Saved', parts: ['saved'] },
  { id: 'details', name: 'Details', parts: ['details', 'photo', 'email'] },
  { id: 'reminders', name: 'Reminders', parts: ['reminders'] },
  { id: 'calendar', name: 'Calendar', parts: ['feeds'] },
  { id: 'security', name: 'Security', parts: ['password', 'second-factor', 'sessions', 'tokens'] },
  { id: 'data', name: 'Data', parts: ['consent', 'data', 'erase'] },
] as const

export type AccountPageId = (typeof PAGES)[number]['id']
export type AccountPageEntry = (typeof PAGES)[number]

/** The page named in the URL, if any. */
export function readAccountPage(value: unknown): AccountPageId | undefined {
  return PAGES.find(({ id }) => id === value)?.id
}

/** Pages for patients only. */
const OF_PATIENTS: ReadonlySet<AccountPageId> = new Set(['visits', 'saved', 'reminders'])

/** The pages a user has. */
export function pagesOf(me: Me): readonly AccountPageEntry[] {
  return PAGES.filter(({ id }) => {
    if (OF_PATIENTS.has(id)) return me.kind === 'patient'
    return id !== 'calendar' || me.kind !== 'staff'
  })
}

/**
 * The page to show: the one named in the URL, else the one that has the section in its `#hash`, as in links
 * of emails, else the first.
 */
export function pageFor(me: Me, wanted: AccountPageId | undefined, hash: string): AccountPageEntry {
  const pages = pagesOf(me)
  const holdsPart = ({ parts }: AccountPageEntry) => parts.some((part) => part === hash)
  const [first] = pages
  const page = pages.find(({ id }) => id === wanted) ?? pages.find(holdsPart) ?? first
  if (page === undefined) throw new Error('An account has at least one page.')
  return page
}
