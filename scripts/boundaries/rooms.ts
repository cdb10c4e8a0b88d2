/** Folders of `server/` that are not rooms. */
export const HOUSE_FOLDERS: ReadonlySet<string> = new Set([
  'kernel',
  'gateways',
  'http',
  'rest',
  'jobs',
  'pages',
])

/** The room a server file belongs to (its folder, in kebab case), or null. */
export function roomOf(path: string): string | null {
  const folder = /^server\/([^/]+)\//.exec(path)?.[1]
  return folder === undefined || HOUSE_FOLDERS.has(folder) ? null : folder
}

/** Which rooms a room knows; who is not named here knows nobody. */
export const ROOM_KNOWS: Readonly<Record<string, readonly string[]>> = {
  'access-tokens': ['messages'],
  auth: ['access-tokens', 'messages'],
  profiles: ['access-tokens', 'auth', 'availability', 'bank-accounts', 'messages'],
  'bank-accounts': ['messages'],
  erasure: ['auth', 'payments', 'profiles'],
  payments: ['booking', 'availability', 'profiles', 'messages'],
  booking: ['auth', 'availability', 'messages', 'profiles'],
  verification: ['profiles', 'messages'],
  search: ['availability', 'profiles'],
  'super-users': ['auth', 'messages'],
}
