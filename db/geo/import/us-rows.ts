import type { Point } from '#db/geo/points.ts'
import { readDegrees } from './fields.ts'
import type { UsFormat } from './formats.ts'

/** A row of the Census, which has points only, or of GeoNames, which knows the town. */
export type UsZip = Point & { zip: string; town: { city: string; state: string } | null }

/** A parsed row, or the reason it was rejected. */
export type UsRow = { zip: UsZip } | { rejected: string; example: string }

/** GeoNames lists the territories as separate countries. */
const COUNTRIES = new Set(['US', 'PR', 'VI', 'GU', 'AS', 'MP'])

function hasPoint({ latitude, longitude }: Point): boolean {
  // Lists write 0,0 for a missing point.
  return Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180 && latitude !== 0
}

function geoNamesZip(line: string): UsZip | null {
  const [country = '', zip = '', city = '', , code = '', , , , , latitude, longitude] =
    line.split('\t')
  if (!COUNTRIES.has(country)) return null
  return {
    zip,
    latitude: readDegrees(latitude),
    longitude: readDegrees(longitude),
    town: { city, state: country === 'US' ? code : country },
  }
}

function gazetteerZip(format: Extract<UsFormat, { kind: 'gazetteer' }>, line: string): UsZip {
  const cells = line.split(format.separator)
  return {
    zip: (cells[format.zip] ?? '').trim(),
    latitude: readDegrees(cells[format.latitude]),
    longitude: readDegrees(cells[format.longitude]),
    town: null,
  }
}

/** Reads one line of a list of US ZIP codes in a recognised format. */
export function readUsRow(format: UsFormat, line: string): UsRow {
  const zip = format.kind === 'geonames' ? geoNamesZip(line) : gazetteerZip(format, line)
  if (zip === null) return { rejected: 'of another country', example: line }
  if (!/^\d{5}$/.test(zip.zip)) return { rejected: 'not a ZIP code', example: line }
  if (!hasPoint(zip)) return { rejected: 'without coordinates', example: zip.zip }
  return { zip }
}
