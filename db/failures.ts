/** The database was locked by another writer for longer than a request should wait. */
export class BusyError extends Error {
  override readonly name = 'BusyError'

  constructor(cause: unknown) {
    super('The database is busy.', { cause })
  }
}

/** The root handle was used inside a transaction, which on SQLite would deadlock with itself. */
export class LeakedHandleError extends Error {
  override readonly name = 'LeakedHandleError'

  constructor() {
    super('Inside a transaction only its own handle may be used.')
  }
}

/** Postgres has not responded for longer than a request should wait. */
export class SilentError extends Error {
  override readonly name = 'SilentError'

  constructor() {
    super('The database does not answer.')
  }
}

/**
 * A pooler shares connections to Postgres although the settings say there is none. The message is for an
 * operator.
 */
export class PoolerError extends Error {
  override readonly name = 'PoolerError'

  constructor() {
    super(
      'DATABASE_DIRECT=on is for connections that lead to Postgres itself, and a pooler has answered. Leave it out.',
    )
  }
}

/** Versions involved, each by the name of its last migration. */
type Versions = { last: string; from: string | undefined }

/**
 * A newer version has migrated the database, and this version may no longer run over it. The message is for
 * an operator.
 */
export class NewerDatabaseError extends Error {
  override readonly name = 'NewerDatabaseError'

  constructor({ last, from }: Versions) {
    const serves = from === undefined ? 'no other' : `those from ${from} on`
    super(
      `A newer version has migrated the database and serves ${serves}; this one ends at ${last}. Start the newer version, or the one right before it.`,
    )
  }
}

/** A version from before the baseline of migrations made the database. The message is for an operator. */
export class OldDatabaseError extends Error {
  override readonly name = 'OldDatabaseError'

  constructor() {
    super(
      'The database was made by a version before 0.2.0, which this one does not continue. Start with an empty one.',
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

/** Whether the database refused to remove the last active superuser: a trigger on either engine. */
export function isSuperuserViolation(error: unknown): boolean {
  return error instanceof Error && error.message.includes('accounts_keep_a_superuser')
}

/** Whether Postgres stopped waiting for a lock because of `lock_timeout`. */
export function isLockTimeout(error: unknown): boolean {
  return codeOf(error) === '55P03'
}

/**
 * Whether a prepared statement returns other types than when it was planned, because a migration changed
 * them.
 */
export function isStalePlan(error: unknown): boolean {
  return codeOf(error) === '0A000'
}

/** The message of pg's pool, which has no code, when every connection stayed in use for too long. */
const NO_CONNECTION = 'timeout exceeded when trying to connect'

/**
 * Whether the engine says "locked, try again": SQLite busy, Postgres deadlock or serialization failure, or no
 * free connection.
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
  // From Postgres itself: shut down, crashed, starting up, and idle for too long.
  '57P01',
  '57P02',
  '57P03',
  '57P05',
])

/** Messages of pg for a connection that has ended, which have no code. */
const CONNECTION_ENDED =
  /^(?:Connection terminated|Client (?:has encountered|was closed)|timeout expired$)/

/**
 * Whether Postgres cannot be reached: it restarts, or the network is down. Work in progress may or may not have been
 * done. Retrying helps: the client is told so, and startup retries by itself.
 */
export function isUnreachable(error: unknown): boolean {
  const code = codeOf(error)
  if (UNREACHABLE.has(code) || code.startsWith('08') || error instanceof SilentError) return true
  return error instanceof Error && CONNECTION_ENDED.test(error.message)
}

/** A disk that is full or failing, or was made read-only because of a failure. */
const STORAGE_CODES = /^(?:SQLITE_FULL|SQLITE_(?:IOERR|READONLY|CANTOPEN)|53100$|58030$|25006$)/

/** Whether the disk is full or failing, so that a write can be refused with a clear error. */
export function isStorageFailure(error: unknown): boolean {
  return STORAGE_CODES.test(codeOf(error))
}

/** Whether Postgres cancelled a statement at a time-out of its role, which an operator may set. */
function isTimedOut(error: unknown): boolean {
  return codeOf(error) === '57014' || isLockTimeout(error)
}

/** Whether the database cannot work at the moment, through no fault of the request. */
export function isDatabaseDown(error: unknown): boolean {
  return isBusy(error) || isTimedOut(error) || isStorageFailure(error) || isUnreachable(error)
}

/** Waits for a write that a request can do without: a busy or full database does not fail it. */
export async function tryWrite(write: Promise<void>): Promise<void> {
  try {
    await write
  } catch (error) {
    if (!isDatabaseDown(error)) throw error
  }
}
