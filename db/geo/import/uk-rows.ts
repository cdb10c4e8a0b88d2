import { gridToWgs84 } from '../helmert.ts'
import type { Point } from '../points.ts'
import { splitCsv } from './fields.ts'
import type { Format } from './formats.ts'

export type UkUnit = Point & { postcode: string }

/** A row read, or why it was left out. */
export type UkRow = { unit: UkUnit } | { rejected: string; example: string }

type UkFormat = Extract<Format, { kind: 'code_point' | 'postcode_list' }>

export type UkOptions = {
  /** The operator has confirmed a licence for Northern Irish postcodes, which are not open data. */
  includeNorthernIreland: boolean
}

const UNIT = /^[A-Z]{1,2}\d[A-Z\d]?\d[A-Z]{2}$/

/** Generous box around the United Kingdom and the Crown dependencies. */
function isNearBritain({ latitude, longitude }: Point): boolean {
  return latitude > 49 && latitude < 61.5 && longitude > -9 && longitude < 2.2
}

/** Five decimals are a metre: more would only make the table larger. */
function rounded(value: number): number {
  return Math.round(value * 1e5) / 1e5
}

function codePointPoint(cells: readonly string[]): Point | null {
  const easting = Number(cells[2])
  const northing = Number(cells[3])
  // Positional quality 90: no coordinates, written as zeros.
  if (easting === 0 || northing === 0) return null
  return gridToWgs84(easting, northing)
}

/** Reads one line of a list of UK postcodes in a recognised format. */
export function readUkRow(format: UkFormat, line: string, options: UkOptions): UkRow {
  const cells = splitCsv(line)
  const isGrid = format.kind === 'code_point'
  const typed = cells[isGrid ? 0 : format.postcode] ?? ''
  const postcode = typed.replaceAll(' ', '').toUpperCase()
  if (!UNIT.test(postcode)) return { rejected: 'not a postcode', example: line }
  if (!isGrid && format.terminated !== null && cells[format.terminated]?.trim()) {
    return { rejected: 'no longer in use', example: postcode }
  }
  if (postcode.startsWith('BT') && !options.includeNorthernIreland) {
    return { rejected: 'Northern Ireland, licence not confirmed', example: postcode }
  }
  const point = isGrid
    ? codePointPoint(cells)
    : { latitude: numberIn(cells[format.latitude]), longitude: numberIn(cells[format.longitude]) }
  // ONS writes 99.999999 where there is no point.
  if (point === null || point.latitude > 99) {
    return { rejected: 'without coordinates', example: postcode }
  }
  if (!isNearBritain(point)) return { rejected: 'outside the United Kingdom', example: postcode }
  return {
    unit: { postcode, latitude: rounded(point.latitude), longitude: rounded(point.longitude) },
  }
}

/** An empty cell must not count as zero degrees. */
function numberIn(cell: string | undefined): number {
  return cell === undefined || cell.trim() === '' ? 100 : Number(cell)
}
