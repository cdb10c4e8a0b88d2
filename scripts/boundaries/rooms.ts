/** Folders of `server/` that are not rooms. */
export const HOUSE_FOLDERS: ReadonlySet<string> = new Set([
  'kernel',
  'gateways',
  'http',
  'rest',
  'jobs',
  'pages',
])

/** Which rooms a room knows; a room that is not listed knows none. */
export const ROOM_KNOWS: Readonly<Record<string, readonly string[]>> = {
  'access-tokens': ['messages'],
  auth: ['access-tokens', 'messages'],
  profiles: [
    'access-tokens',
    'auth',
    'availability',
    'bank-accounts',
    'imports',
    'messages',
    'outside-calendars',
  ],
  'bank-accounts': ['messages'],
  'outside-calendars': ['availability', 'messages'],
  imports: ['availability'],
  erasure: ['auth', 'booking', 'payments', 'profiles'],
  outcomes: ['booking', 'messages', 'payments', 'profiles'],
  payments: ['booking', 'availability', 'profiles', 'messages'],
  booking: ['auth', 'availability', 'messages', 'profiles'],
  verification: ['auth', 'profiles', 'messages'],
  calendars: ['booking', 'messages'],
  reminders: ['booking', 'messages'],
  search: ['availability', 'profiles'],
  'super-users': ['auth', 'messages'],
  visits: ['booking', 'payments', 'availability', 'profiles', 'auth', 'messages'],
}
