import type { ProfessionalBody } from '#contract/base/people.ts'
import { toIso } from '#contract/base/time.ts'
import { bodyFacts } from '#contract/profiles.ts'
import type { Database, Db } from '#db/engine.ts'
import { headerCells, type ListFile, openTexts, splitCsv } from '#db/geo/import/list-files.ts'
import { ImportProblem } from '#db/geo/import/report.ts'
import type { FindEntry } from '#server/gateways/registers.ts'
import { UpstreamError } from '#server/kernel/errors.ts'
import {
  deleteSomeEntries,
  findCurrentLoad,
  findEntry,
  insertEntries,
  insertLoad,
  isLoading,
  listOldLoads,
  setCurrentLoad,
} from './register-store.ts'

/** Result of parsing one row of a list: an entry, or why there is none. */
type ReadRow =
  | { entry: { registration_number: string; name: string; status_text: string } }
  | { rejected: string }
  /** Valid but not needed, such as an organisation. */
  | 'skipped'

type Cells = readonly string[]

/** Required columns of each list with their known names: `GMC Ref No` is `gmc_ref_no`. */
const COLUMNS = {
  GMC: {
    number: ['gmc_ref_no', 'registration_number'],
    first: ['given_name', 'first_name'],
    last: ['surname', 'last_name'],
    status: ['registration_status', 'status'],
  },
  GDC: {
    number: ['registration_number'],
    first: ['forenames', 'first_name'],
    last: ['surname', 'last_name'],
    status: ['status'],
  },
  NPI: {
    number: ['npi', 'registration_number'],
    first: ['provider_first_name', 'first_name'],
    last: ['provider_last_name_legal_name', 'last_name'],
    status: ['npi_deactivation_date', 'status'],
  },
} as const satisfies Record<ProfessionalBody, Record<string, readonly string[]>>

/** Columns of the GMC's own list that mark restrictions on a licence. */
const LIMITS = ['ftp_conditions_exist', 'ftp_undertakings_exist']

const MAX_NAME_LENGTH = 200

/** Parses the rows of one list; created from its header line. */
type RowReader = (cells: Cells) => ReadRow

/** Normalizes a column name: lists differ in how they separate words. */
function columnKey(name: string): string {
  return name.replaceAll(/[^a-z0-9]+/g, '_').replaceAll(/^_|_$/g, '')
}

function isYes(text: string | undefined): boolean {
  return /^(?:y|yes|true|1)$/i.test(text?.trim() ?? '')
}

/** NPPES gives dates of deactivation and reactivation; lists in our own format give a status. */
function npiStatus(header: Cells, cells: Cells): string {
  const cell = (name: string) => cells[header.indexOf(name)]?.trim() ?? ''
  if (header.includes('status')) return cell('status')
  const isOff = cell('npi_deactivation_date') !== '' && cell('npi_reactivation_date') === ''
  return isOff ? 'Deactivated' : 'Active'
}

function gmcStatus(header: Cells, cells: Cells, status: string): string {
  const isLimited = LIMITS.some((name) => isYes(cells[header.indexOf(name)]))
  return isLimited ? `${status}; with conditions or undertakings` : status
}

/** Organisations have NPI numbers too; deactivated entries have no entity type. */
function isOrganisation(header: Cells, cells: Cells): boolean {
  return cells[header.indexOf('entity_type_code')]?.trim() === '2'
}

/**
 * Creates a row reader from the header line of a register's list. Returns a sentence that names the missing
 * columns, if any. The column names are documented in docs/operating.md.
 */
function rowReader(body: ProfessionalBody, firstLine: Cells): RowReader | string {
  const header = headerCells(firstLine).map(columnKey)
  const columns = COLUMNS[body]
  const missing = Object.values(columns).filter(
    (names: readonly string[]) => !names.some((name) => header.includes(name)),
  )
  if (missing.length > 0) {
    const named = missing.map((names: readonly string[]) =>
      names.map((one) => `"${one}"`).join(' or '),
    )
    return `The first line lacks the ${named.length === 1 ? 'column' : 'columns'} ${named.join(', ')}.`
  }
  const at = (names: readonly string[]) => header.findIndex((name) => names.includes(name))
  const [number, first, last, status] = [
    at(columns.number),
    at(columns.first),
    at(columns.last),
    at(columns.status),
  ]
  return (cells) => {
    if (cells.length !== header.length) {
      return { rejected: `has ${cells.length} cells where there should be ${header.length}` }
    }
    if (body === 'NPI' && isOrganisation(header, cells)) return 'skipped'
    const registrationNumber = cells[number]?.trim() ?? ''
    if (!bodyFacts[body].number.test(registrationNumber)) {
      return { rejected: `"${registrationNumber.slice(0, 20)}" is no ${body} number` }
    }
    const written = cells[status]?.trim() ?? ''
    const text =
      body === 'NPI'
        ? npiStatus(header, cells)
        : body === 'GMC'
          ? gmcStatus(header, cells, written)
          : written
    if (text === '' || text.length > MAX_NAME_LENGTH) return { rejected: 'has no status' }
    const name = `${cells[first]?.trim() ?? ''} ${cells[last]?.trim() ?? ''}`.trim()
    // NPPES removes the names of deactivated entries.
    if (name === '' && text !== 'Deactivated') return { rejected: 'has no name' }
    if (name.length > MAX_NAME_LENGTH) return { rejected: 'has a name of more than 200 characters' }
    return { entry: { registration_number: registrationNumber, name, status_text: text } }
  }
}

export type RegisterImport = {
  body: ProfessionalBody
  file: ListFile
  /** Epoch milliseconds. */
  now: () => number
  /** Replaces the list even if many rows are bad or most entries would be lost. */
  isForced?: boolean
  /** Called with the fraction of the file that has been read, from 0 to 1. */
  onProgress?: (part: number) => void
}

export type RowProblem = { line: number; why: string }

export type RegisterImported = {
  entries: number
  /** Valid rows that are not needed, such as organisations. */
  skipped: number
  rejected: number
  /** The first of the rejected rows. */
  problems: RowProblem[]
}

/** Rows per statement; SQLite takes 32,766 values in one. */
const ROWS = 500
/** Statements per transaction; other writers have to wait for it. */
const STATEMENTS = 10
const MAX_PROBLEMS = 50
/** If more than one row in this many is bad, the file is considered damaged. */
const ONE_IN = 20

/** Refuses to go on once a later import of the same register has finished, as it deletes this list. */
async function assertLoading(db: Db, loadNo: number): Promise<void> {
  if (await isLoading(db, loadNo)) return
  throw new ImportProblem('superseded', 'A later import of this register has finished meanwhile.')
}

/** Batches entries and writes them in short transactions, into a list that is not active yet. */
class EntryWriter {
  readonly #database: Database
  readonly #loadNo: number
  readonly #done: RegisterImported
  #waiting: { line: number; entry: Parameters<typeof insertEntries>[1][number] }[] = []

  constructor(database: Database, loadNo: number, done: RegisterImported) {
    this.#database = database
    this.#loadNo = loadNo
    this.#done = done
  }

  reject(line: number, why: string): void {
    this.#done.rejected += 1
    if (this.#done.problems.length < MAX_PROBLEMS) this.#done.problems.push({ line, why })
  }

  async add(
    line: number,
    entry: { registration_number: string; name: string; status_text: string },
  ) {
    this.#waiting.push({ line, entry: { load_no: this.#loadNo, ...entry } })
    if (this.#waiting.length >= ROWS * STATEMENTS) await this.flush()
  }

  async flush(): Promise<void> {
    const waiting = this.#waiting
    this.#waiting = []
    // A statement must not contain a number twice.
    const seen = new Set<string>()
    const unique = waiting.filter(({ line, entry }) => {
      const isNew = !seen.has(entry.registration_number)
      seen.add(entry.registration_number)
      if (!isNew) this.#repeated(line, entry.registration_number)
      return isNew
    })
    const written = await this.#database.transaction(async (db) => {
      await assertLoading(db, this.#loadNo)
      const numbers = new Set<string>()
      for (let from = 0; from < unique.length; from += ROWS) {
        const piece = unique.slice(from, from + ROWS).map(({ entry }) => entry)
        for (const number of await insertEntries(db, piece)) numbers.add(number)
      }
      return numbers
    })
    this.#done.entries += written.size
    for (const { line, entry } of unique) {
      if (!written.has(entry.registration_number)) this.#repeated(line, entry.registration_number)
    }
  }

  #repeated(line: number, number: string): void {
    this.reject(line, `${number} was there before`)
  }
}

async function readAll(
  { body, file, onProgress }: RegisterImport,
  writer: EntryWriter,
  done: RegisterImported,
): Promise<void> {
  let lists = 0
  for await (const blocks of openTexts(file, onProgress)) {
    let read: RowReader | null = null
    let line = 0
    for await (const lines of blocks) {
      for (const text of lines) {
        line += 1
        if (text.trim() === '') continue
        const cells = splitCsv(text)
        if (read === null) {
          const reader = rowReader(body, cells)
          if (typeof reader === 'string') throw new ImportProblem('unknown', reader)
          read = reader
          lists += 1
          continue
        }
        const row = read(cells)
        if (row === 'skipped') done.skipped += 1
        else if ('rejected' in row) writer.reject(line, row.rejected)
        else await writer.add(line, row.entry)
      }
    }
  }
  if (lists === 0) throw new ImportProblem('empty', `${file.path} holds no list.`)
  await writer.flush()
}

type Replacing = { before: number; isForced: boolean }

/** Why a list must not replace the previous one; null if it may. */
function replaceProblem(done: RegisterImported, { before, isForced }: Replacing): string | null {
  const { entries, rejected } = done
  // Not even by force: every provider would lose their registration status.
  if (entries === 0) return 'None of its rows could be read.'
  if (isForced) return null
  if (rejected * ONE_IN > entries + rejected) {
    return `${rejected} of ${entries + rejected} rows could not be read.`
  }
  if (entries * 2 < before) return `It has only ${entries} entries; there were ${before} before.`
  return null
}

async function deleteLoad(database: Database, loadNo: number): Promise<void> {
  while (await database.transaction((db) => deleteSomeEntries(db, loadNo, ROWS * STATEMENTS)));
}

/**
 * Imports a register's list as a stream, then replaces the previous list atomically: look-ups use the old one
 * until then. Bad rows are reported and skipped. Throws `ImportProblem`, without replacing anything, if the
 * file is no such list or would lose most entries.
 */
export async function importRegister(
  database: Database,
  options: RegisterImport,
): Promise<RegisterImported> {
  const { body, file, now, isForced = false } = options
  const done: RegisterImported = { entries: 0, skipped: 0, rejected: 0, problems: [] }
  const before = await findCurrentLoad(database.db, body)
  const loadNo = await database.transaction((db) =>
    insertLoad(db, { body, source: file.name, now: now() }),
  )
  try {
    await readAll(options, new EntryWriter(database, loadNo, done), done)
    const why = replaceProblem(done, { before: before?.entries ?? 0, isForced })
    if (why !== null) {
      const first = done.problems[0]
      const example = first === undefined ? '' : ` Line ${first.line} ${first.why}.`
      throw new ImportProblem('damaged', `${why}${example} Nothing was replaced.`)
    }
    await database.transaction(async (db) => {
      await assertLoading(db, loadNo)
      await setCurrentLoad(db, { no: loadNo, body, entries: done.entries, now: now() })
    })
  } catch (error) {
    // Otherwise the import that replaced it deletes it.
    if (await isLoading(database.db, loadNo)) await deleteLoad(database, loadNo)
    throw error
  }
  for (const oldNo of await listOldLoads(database.db, body)) await deleteLoad(database, oldNo)
  return done
}

/**
 * The embedded register: the last imported list of each body. Without a list look-ups fail, which is not the
 * same as "not registered".
 */
export function readRegisterTable({ db }: Database): FindEntry {
  return async (body, number) => {
    const load = await findCurrentLoad(db, body)
    if (load === undefined) {
      throw new UpstreamError(`The ${body} register`, new Error('no list of it was read in'))
    }
    const entry = await findEntry(db, load.no, number)
    if (entry === undefined) return null
    return { ...entry, source: `table ${toIso(load.finished_at ?? 0).slice(0, 10)}` }
  }
}
