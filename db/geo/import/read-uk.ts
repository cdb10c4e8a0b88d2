import proj4 from 'proj4'
import type { Point } from '#db/geo/points.ts'
import { detectFormat, type Format, hasHeader, type UkFormat } from './formats.ts'
import {
  type Blocks,
  type ListFile,
  listFiles,
  type OnProgress,
  openTexts,
  readDegrees,
  splitCsv,
} from './list-files.ts'
import type { Rejects } from './report.ts'

/** EPSG:27700 with Ordnance Survey's seven-parameter shift to WGS84, good to about 5 metres. */
const NATIONAL_GRID =
  '+proj=tmerc +lat_0=49 +lon_0=-2 +k=0.9996012717 +x_0=400000 +y_0=-100000 +ellps=airy ' +
  '+towgs84=446.448,-125.157,542.06,0.1502,0.247,0.8421,-20.4894 +units=m +no_defs'

const converter = proj4(NATIONAL_GRID, 'WGS84')

/** WGS84 latitude and longitude in degrees, from eastings and northings in metres. */
export function gridToWgs84(easting: number, northing: number): Point {
  const [longitude, latitude] = converter.forward([easting, northing])
  return { latitude, longitude }
}

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

/** Five decimals are about a metre. */
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
function readUkRow(format: UkFormat, line: string, options: UkOptions): UkRow {
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

/** A text that is a list of places: its rows, without the header. */
export type List = { format: Format; rows: Blocks }

async function* rowsAfter(first: string[], rest: AsyncIterator<string[]>): Blocks {
  yield first
  yield* { [Symbol.asyncIterator]: () => rest }
}

/** Every list in a file, one at a time. Other texts are skipped. */
export async function* openLists(file: ListFile, onProgress?: OnProgress): AsyncIterable<List> {
  for await (const blocks of openTexts(file, onProgress)) {
    const rest = blocks[Symbol.asyncIterator]()
    try {
      const first = await rest.next()
      const [firstLine = '', ...others] = first.done === true ? [] : first.value
      const format = detectFormat(firstLine)
      if (format === null) continue
      yield { format, rows: rowsAfter(hasHeader(format) ? others : [firstLine, ...others], rest) }
    } finally {
      await rest.return?.()
    }
  }
}

/** The live postcodes among some lines of a list; the others are counted in `rejects`. */
export function* unitsIn(
  list: { format: UkFormat; lines: readonly string[] },
  rejects: Rejects,
  options: UkOptions,
): Iterable<UkUnit> {
  for (const line of list.lines) {
    if (line === '') continue
    const row = readUkRow(list.format, line, options)
    if ('unit' in row) yield row.unit
    else rejects.add(row.rejected, row.example)
  }
}

/**
 * Every live UK postcode of a file or folder in a recognised format, one by one. Other texts are skipped;
 * rejected rows are counted in `rejects`.
 */
export async function* readUkUnits(
  path: string,
  rejects: Rejects,
  options: UkOptions,
): AsyncIterable<UkUnit> {
  for (const file of await listFiles(path)) {
    for await (const { format, rows } of openLists(file)) {
      if (format.kind !== 'code_point' && format.kind !== 'postcode_list') continue
      for await (const lines of rows) yield* unitsIn({ format, lines }, rejects, options)
    }
  }
}
