import { headerCells, splitCsv } from './list-files.ts'

/** A list of UK postcodes, with the columns that matter. */
export type UkFormat =
  | { kind: 'code_point' }
  | {
      kind: 'postcode_list'
      postcode: number
      latitude: number
      longitude: number
      terminated: number | null
    }

/** A list of US ZIP codes, with the columns that matter. */
export type UsFormat =
  | { kind: 'gazetteer'; zip: number; latitude: number; longitude: number; separator: string }
  | { kind: 'geonames' }

/** A list of towns and villages of both countries. */
export type PlaceFormat = { kind: 'geonames_places' }

/** The format recognised from a text's first line. */
export type Format = UkFormat | UsFormat | PlaceFormat

/** Names of the postcode column in ONSPD and NSPL through the years. */
const POSTCODE_COLUMNS = ['pcds', 'pcd7', 'pcd8', 'pcd', 'pcd2']
const LATITUDE_COLUMNS = ['lat', 'latitude']
const LONGITUDE_COLUMNS = ['long', 'lon', 'longitude']

const CODE_POINT_LINE = /^"?[A-Z]{1,2}\d[A-Z\d]? *\d[A-Z]{2}"?,\d{2},\d+,\d+,/
/** Number, name, plain name, other names, latitude, longitude, feature class. */
const GEONAMES_PLACE_LINE = /^\d+\t[^\t]+\t[^\t]*\t[^\t]*\t-?\d+\.?\d*\t-?\d+\.?\d*\t[A-Z]?\t/
const GEONAMES_LINE = /^[A-Z]{2}\t[^\t]+\t(?:[^\t]*\t){7}-?\d/

function firstIndexOf(names: readonly string[], header: readonly string[]): number | null {
  for (const name of names) {
    const at = header.indexOf(name)
    if (at !== -1) return at
  }
  return null
}

function postcodeColumn(header: readonly string[]): number | null {
  // Other lists have a column of this name too, but further to the right.
  return header[0] === 'postcode' ? 0 : firstIndexOf(POSTCODE_COLUMNS, header)
}

function postcodeList(header: readonly string[]): UkFormat | null {
  const postcode = postcodeColumn(header)
  const latitude = firstIndexOf(LATITUDE_COLUMNS, header)
  const longitude = firstIndexOf(LONGITUDE_COLUMNS, header)
  if (postcode === null || latitude === null || longitude === null) return null
  const terminated = firstIndexOf(['doterm'], header)
  return { kind: 'postcode_list', postcode, latitude, longitude, terminated }
}

/** The Census separates columns by tabs, since 2025 by vertical bars. */
function gazetteer(line: string): UsFormat | null {
  const separator = line.includes('|') ? '|' : '\t'
  const header = headerCells(line.split(separator))
  // County lists of the Census have five-digit codes as well, along with names.
  if (header.includes('name')) return null
  const zip = firstIndexOf(['geoid', 'zcta5ce20', 'geoid20'], header)
  const latitude = firstIndexOf(['intptlat'], header)
  const longitude = firstIndexOf(['intptlong'], header)
  if (zip === null || latitude === null || longitude === null) return null
  return { kind: 'gazetteer', zip, latitude, longitude, separator }
}

/** Recognises a text by its first line; null for anything that is not a list of places. */
export function detectFormat(firstLine: string): Format | null {
  if (CODE_POINT_LINE.test(firstLine)) return { kind: 'code_point' }
  if (GEONAMES_LINE.test(firstLine)) return { kind: 'geonames' }
  if (GEONAMES_PLACE_LINE.test(firstLine)) return { kind: 'geonames_places' }
  return postcodeList(headerCells(splitCsv(firstLine))) ?? gazetteer(firstLine)
}

/** Whether the first line names the columns instead of being a row itself. */
export function hasHeader(format: Format): boolean {
  return format.kind === 'postcode_list' || format.kind === 'gazetteer'
}
