import { ImportProblem } from '#db/geo/import/report.ts'
import { ConfigError } from '#server/kernel/config/config.ts'

/** The message of an error, with that of its cause. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const cause = error.cause instanceof Error ? `: ${error.cause.message}` : ''
  // Where every address of a host refuses, the error that sums them up has no message, only a code.
  const own = error.message === '' && 'code' in error ? String(error.code) : error.message
  return `${own}${cause}`
}

/** What the system says about a file or folder, which stands before it. */
const FILE_REASONS: Readonly<Record<string, string>> = {
  EACCES: 'may not be read or written by this user',
  EPERM: 'may not be read or written by this user',
  ENOENT: 'is not there',
  ENOTDIR: 'cannot be used: a part of its path is a file, not a folder',
  EISDIR: 'is a folder, and has to be a file',
  EEXIST: 'is there already',
  EROFS: 'is on a disk that can only be read',
  ENOSPC: 'cannot be written: the disk is full',
  EDQUOT: 'cannot be written: the disk quota is used up',
  EFBIG: 'would be larger than the disk allows',
  EIO: 'cannot be read or written: the disk reports an error',
  ELOOP: 'cannot be used: its links lead in a circle',
  ENAMETOOLONG: 'cannot be used: its name is too long',
}

/** What a database says of itself, by SQLite's code or Postgres's. */
const DATABASE_REASONS: Readonly<Record<string, string>> = {
  SQLITE_CANTOPEN: 'The database file cannot be opened. Check DATA_DIR and who may read it.',
  SQLITE_NOTADB: 'The database file is not a database.',
  SQLITE_CORRUPT: 'The database file is damaged. Restore a backup.',
  SQLITE_READONLY: 'The database may not be written by this user.',
  SQLITE_FULL: 'The disk is full: the database cannot be written.',
  SQLITE_BUSY: 'The database is busy. Try again in a moment.',
  SQLITE_IOERR: 'The disk reports an error: the database cannot be read or written.',
  '3D000': 'There is no such database on the Postgres server. Check DATABASE_URL.',
  '28P01': 'Postgres refuses the user or password of DATABASE_URL.',
  '28000': 'Postgres refuses the user of DATABASE_URL.',
  '42P01': 'The database has no tables yet. Start the server once, which makes them.',
}

function textOf(error: Error, name: string): string | null {
  const value: unknown = Reflect.get(error, name)
  return typeof value === 'string' ? value : null
}

/** An error that the system, the network or the database reports, as a sentence; null for any other. */
function sentenceOf(error: unknown): string | null {
  if (!(error instanceof Error)) return null
  const code = textOf(error, 'code')
  // Node's own errors, such as ERR_INVALID_ARG_TYPE, are faults of the program and need their stack trace.
  if (code === null || code.startsWith('ERR_')) return null
  if (/^SQLITE_ERROR$/.test(code) && error.message.startsWith('no such table')) {
    return DATABASE_REASONS['42P01'] ?? null
  }
  const known = DATABASE_REASONS[/^SQLITE_[A-Z]+/.exec(code)?.[0] ?? code]
  if (known !== undefined) return known
  const file = FILE_REASONS[code]
  if (file === undefined) return reasonOf(error)
  const path = textOf(error, 'dest') ?? textOf(error, 'path') ?? 'A file or folder'
  if (textOf(error, 'syscall') !== 'mkdir') return `${path} ${file}.`
  if (code === 'EEXIST') return `${path} is a file, and has to be a folder.`
  // The system says of a folder that it does not let anybody make that it is not there.
  return code === 'ENOENT'
    ? `The folder ${path} cannot be made here.`
    : `The folder ${path} ${file}.`
}

/** What went wrong in a command, as lines: a sentence for what an operator can put right, else a stack trace. */
export function problemsOf(error: unknown): readonly string[] {
  if (error instanceof ConfigError) return error.problems
  if (error instanceof ImportProblem) return [error.message]
  const sentence = sentenceOf(error)
  if (sentence !== null) return [sentence]
  return [error instanceof Error ? (error.stack ?? error.message) : String(error)]
}
