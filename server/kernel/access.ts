import type { LimitName } from './rate-limit.ts'

/** The people the access matrix knows. */
export type Principal =
  | 'visitor'
  | 'patient'
  | 'provider'
  | 'superuser'
  | 'admin'
  | 'editor'
  | 'author'

type AccessRow = {
  may: readonly Principal[]
  /** A budget every call is counted against, beside the common one. */
  limit?: LimitName
}

const anyone: readonly Principal[] = [
  'visitor',
  'patient',
  'provider',
  'superuser',
  'admin',
  'editor',
  'author',
]

/** Who may call what, and against which budget it counts. A procedure without a row is refused. */
export const accessTable: ReadonlyMap<string, AccessRow> = new Map([
  ['availability.freeTimes', { may: anyone }],
  ['gallery.homepage', { may: anyone }],
  ['messages.contact', { may: anyone }],
  ['search.map', { may: anyone, limit: 'search' }],
  ['search.provider', { may: anyone }],
  ['search.providers', { may: anyone, limit: 'search' }],
  ['search.specialities', { may: anyone }],
  ['search.suggest', { may: anyone }],
] satisfies [string, AccessRow][])
