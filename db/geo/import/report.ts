/** Number of a file's rows that are in the tables now, new or not. */
export type Imported = { postcodes: number; zips: number; places: number }

type Kind = 'missing' | 'unreadable' | 'empty' | 'damaged' | 'unknown' | 'superseded'

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

/** Describes an error while finding or reading a file, in a sentence that names the file. */
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

/** Rows an import left out, counted by reason with a few examples. */
export class Rejects {
  readonly #reasons = new Map<string, { count: number; examples: string[] }>()

  add(reason: string, example: string): void {
    const known = this.#reasons.get(reason) ?? { count: 0, examples: [] }
    known.count += 1
    if (known.examples.length < 3) known.examples.push(example.slice(0, 60))
    this.#reasons.set(reason, known)
  }

  /** Reasons, most frequent first. */
  list(): { reason: string; count: number; examples: string[] }[] {
    return [...this.#reasons]
      .map(([reason, { count, examples }]) => ({ reason, count, examples }))
      .toSorted((a, b) => b.count - a.count)
  }
}

/** "1,745,013" */
function formatNumber(count: number): string {
  return count.toLocaleString('en-GB')
}

/** "1 file", "120 files" */
export function formatCount(count: number, noun: string): string {
  return `${formatNumber(count)} ${noun}${count === 1 ? '' : 's'}`
}

/** The report of an import, one line each: rows imported, and rows left out with the reasons. */
export function formatImported(name: string, done: Imported, rejects: Rejects): string[] {
  const parts = [
    done.postcodes > 0 || done.zips + done.places === 0
      ? [formatCount(done.postcodes, 'postcode')]
      : [],
    done.zips > 0 ? [formatCount(done.zips, 'ZIP code')] : [],
    done.places > 0 ? [formatCount(done.places, 'place')] : [],
  ].flat()
  return [
    `${name}: ${parts.join(' and ')}`,
    ...rejects.list().map(({ reason, count, examples }) => {
      const more = count > examples.length ? ', …' : ''
      return `  left out, ${reason}: ${formatNumber(count)} (${examples.join('; ')}${more})`
    }),
  ]
}
