type Kind = 'missing' | 'unreadable' | 'empty' | 'damaged' | 'unknown'

/** A file could not be imported; the message is a sentence for the operator. */
export class ImportProblem extends Error {
  override readonly name = 'ImportProblem'
  readonly kind: Kind

  constructor(kind: Kind, message: string, options?: ErrorOptions) {
    super(message, options)
    this.kind = kind
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}

/** What went wrong while a file was being looked at or read, as a sentence that names it. */
export function readingProblem(path: string, error: unknown): ImportProblem {
  if (error instanceof ImportProblem) return error
  const cause = { cause: error }
  const code = codeOf(error)
  if (code === 'ENOENT' || code === 'ENOTDIR') {
    return new ImportProblem('missing', `There is no file or folder at ${path}.`, cause)
  }
  if (code === 'EACCES' || code === 'EPERM') {
    return new ImportProblem('unreadable', `${path} may not be read: permission denied.`, cause)
  }
  const why = error instanceof Error ? error.message : String(error)
  if (code.startsWith('E') && !code.startsWith('ERR_')) {
    return new ImportProblem('unreadable', `${path} could not be read: ${why}.`, cause)
  }
  return new ImportProblem(
    'damaged',
    `${path} is damaged or cut short (${why}). Fetch it again.`,
    cause,
  )
}
