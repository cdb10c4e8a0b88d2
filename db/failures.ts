/** The database was locked by another writer for longer than a request should wait. */
export class BusyError extends Error {
  override readonly name = 'BusyError'

  constructor(cause: unknown) {
    super('The database is busy.', { cause })
  }
}

/** The root handle was used inside a transaction, which on SQLite would wait for itself for ever. */
export class LeakedHandleError extends Error {
  override readonly name = 'LeakedHandleError'

  constructor() {
    super('Inside a transaction only its own handle may be used.')
  }
}

/** Postgres has not answered for longer than a request should wait. */
export class SilentError extends Error {
  override readonly name = 'SilentError'

  constructor() {
    super('The database does not answer.')
  }
}

/** Somebody between us and Postgres shares connections, against what the settings say. For an operator. */
export class PoolerError extends Error {
  override readonly name = 'PoolerError'

  constructor() {
    super(
      'DATABASE_DIRECT=on is for connections that lead to Postgres itself, and a pooler has answered. Leave it out.',
    )
  }
}

/** The versions a database has met: the last migration of each by its name. */
type Versions = { last: string; from: string | undefined }

/** A newer version has migrated the database and no longer serves ours. The message is for an operator. */
export class NewerDatabaseError extends Error {
  override readonly name = 'NewerDatabaseError'

  constructor({ last, from }: Versions) {
    const serves = from === undefined ? 'no other' : `those from ${from} on`
    super(
      `A newer version has migrated the database and serves ${serves}; this one ends at ${last}. Start the newer version, or the one right before it.`,
    )
  }
}

function codeOf(error: unknown): string {
  if (typeof error !== 'object' || error === null || !('code' in error)) return ''
  return String(error.code)
}

/** Whether a unique constraint refused a row, on either engine. */
export function isUniqueViolation(error: unknown): boolean {
  const code = codeOf(error)
  return (
    code === 'SQLITE_CONSTRAINT_UNIQUE' ||
    code === 'SQLITE_CONSTRAINT_PRIMARYKEY' ||
    code === '23505'
  )
}

/**
 * Whether the database refused a time of a provider because another claim overlaps it: the trigger of
 * SQLite, or the exclusion constraint of Postgres.
 */
export function isOverlapViolation(error: unknown): boolean {
  const code = codeOf(error)
  if (code === '23P01') return true
  return (
    code === 'SQLITE_CONSTRAINT_TRIGGER' &&
    error instanceof Error &&
    error.message.includes('slot_claims_no_overlap')
  )
}

/** Whether the database refused to let the last active superuser go: a trigger on either engine. */
export function isSuperuserViolation(error: unknown): boolean {
  return error instanceof Error && error.message.includes('accounts_keep_a_superuser')
}

/** Whether Postgres gave up waiting for a lock, as `lock_timeout` told it to. */
export function isLockTimeout(error: unknown): boolean {
  return codeOf(error) === '55P03'
}

/** Whether a statement that is kept returns other types than when it was planned: a migration changed them. */
export function isOutgrownPlan(error: unknown): boolean {
  return codeOf(error) === '0A000'
}

/** What pg's pool says, without a code, when every connection was in use for too long. */
const NO_CONNECTION = 'timeout exceeded when trying to connect'

/**
 * Whether the engine says "locked, try again": SQLite busy, Postgres deadlock or serialization, or no
 * connection to be had.
 */
export function isBusy(error: unknown): boolean {
  const code = codeOf(error)
  return (
    error instanceof BusyError ||
    code.startsWith('SQLITE_BUSY') ||
    code === '40001' ||
    code === '40P01' ||
    code === '53300' ||
    (error instanceof Error && error.message === NO_CONNECTION)
  )
}

/** Codes of a connection that cannot be made, or has ended. */
const UNREACHABLE: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
  // Of Postgres itself: shut down, crashed, starting up, and idle for too long.
  '57P01',
  '57P02',
  '57P03',
  '57P05',
])

/** What pg says of a connection that has ended, which has no code. */
const ENDED = /^(?:Connection terminated|Client (?:has encountered|was closed)|timeout expired$)/

/**
 * Whether Postgres cannot be reached: it restarts, or the network is gone. What was under way may have
 * been done or not. Waiting helps: a request is told so, and a start waits itself.
 */
export function isUnreachable(error: unknown): boolean {
  const code = codeOf(error)
  if (UNREACHABLE.has(code) || code.startsWith('08') || error instanceof SilentError) return true
  return error instanceof Error && ENDED.test(error.message)
}

/** A disk that is full, fails, or was made read-only because it did. */
const STORAGE = /^(?:SQLITE_FULL|SQLITE_(?:IOERR|READONLY|CANTOPEN)|53100$|58030$|25006$)/

/** Whether the disk is full or failing, so that a write can be refused with a clear answer. */
export function isStorageFailure(error: unknown): boolean {
  return STORAGE.test(codeOf(error))
}

/** Whether the database cannot do its work at the moment, through no fault of what was asked. */
export function isDatabaseOut(error: unknown): boolean {
  return isBusy(error) || isStorageFailure(error) || isUnreachable(error)
}
