import type { ProfessionalBody } from '#contract/people.ts'
import { bodyFacts } from '#contract/profiles.ts'
import { headerCells } from '#db/geo/import/fields.ts'

/** Result of parsing one row of a list: an entry, or why there is none. */
export type ReadRow =
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

const LONGEST_NAME = 200

/** Parses the rows of one list; created from its header line. */
export type RowReader = (cells: Cells) => ReadRow

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
 * columns, if any. The column names are documented in the README.
 */
export function rowReader(body: ProfessionalBody, firstLine: Cells): RowReader | string {
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
    if (text === '' || text.length > LONGEST_NAME) return { rejected: 'has no status' }
    const name = `${cells[first]?.trim() ?? ''} ${cells[last]?.trim() ?? ''}`.trim()
    // NPPES removes the names of deactivated entries.
    if (name === '' && text !== 'Deactivated') return { rejected: 'has no name' }
    if (name.length > LONGEST_NAME) return { rejected: 'has a name of more than 200 characters' }
    return { entry: { registration_number: registrationNumber, name, status_text: text } }
  }
}
