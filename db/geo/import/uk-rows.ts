import { gridToWgs84 } from '#db/geo/national-grid.ts'
import type { Point } from '#db/geo/points.ts'
import { readDegrees, splitCsv } from './fields.ts'
import type { UkFormat } from './formats.ts'

export type UkUnit = Point & { postcode: string }

/** A parsed row, or the reason it was rejected. */
export type UkRow = { unit: UkUnit } | { rejected: string; example: string }

export type UkOptions = {
  /** The operator has confirmed a licence for Northern Irish postcodes, which are not open data. */
  includeNorthernIreland: boolean
}

const UNIT = /^[A-Z]{1,2}\d[A-Z\d]?\d[A-Z]{2}$/

/** Generous box around the United Kingdom and the Crown dependencies. */
function isNearBritain({ latitude, longitude }: Point): boolean {
  return latitude > 49 && latitude < 61.5 && longitude > -9 && longitude < 2.2
}

/** Five decimals are a metre: more would only enlarge the table. */
function rounded(value: number): number {
  return Math.round(value * 1e5) / 1e5
}

/** The grid ends at 700 km east and 1,300 km north; beyond that the formulas are invalid. */
function codePointPoint(cells: readonly string[]): Point | null {
  const easting = Number(cells[2])
  const northing = Number(cells[3])
  // Positional quality 90: no coordinates, written as zeros.
  if (!(easting > 0 && easting < 700_000 && northing > 0 && northing < 1_300_000)) return null
  return gridToWgs84(easting, northing)
}

/** ONS writes 99.999999 where there is no point. */
function degreesPoint(latitude: string | undefined, longitude: string | undefined): Point | null {
  const point = { latitude: readDegrees(latitude), longitude: readDegrees(longitude) }
  return Number.isNaN(point.latitude + point.longitude) || point.latitude > 99 ? null : point
}

function exclusionReason(postcode: string, options: UkOptions): string | null {
  if (postcode.startsWith('BF')) return 'British Forces, which has no place'
  if (postcode.startsWith('BT') && !options.includeNorthernIreland) {
    return 'Northern Ireland, licence not confirmed'
  }
  return null
}

/** Reads one line of a list of UK postcodes in a recognised format. */
export function readUkRow(format: UkFormat, line: string, options: UkOptions): UkRow {
  const cells = splitCsv(line)
  const isGrid = format.kind === 'code_point'
  const typed = cells[isGrid ? 0 : format.postcode] ?? ''
  const postcode = typed.replaceAll(' ', '').toUpperCase()
  if (!UNIT.test(postcode)) return { rejected: 'not a postcode', example: line }
  const reason = exclusionReason(postcode, options)
  if (reason !== null) return { rejected: reason, example: postcode }
  if (!isGrid && format.terminated !== null && cells[format.terminated]?.trim()) {
    return { rejected: 'no longer in use', example: postcode }
  }
  const point = isGrid
    ? codePointPoint(cells)
    : degreesPoint(cells[format.latitude], cells[format.longitude])
  if (point === null) return { rejected: 'without coordinates', example: postcode }
  if (!isNearBritain(point)) return { rejected: 'outside the United Kingdom', example: line }
  return {
    unit: { postcode, latitude: rounded(point.latitude), longitude: rounded(point.longitude) },
  }
}
