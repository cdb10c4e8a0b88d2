import type { City } from '#db/geo/packages.ts'
import { LOADED_COUNTRIES } from '#db/geo/place-names.ts'
import { readDegrees } from './read-degrees.ts'

/** A row read, or why it was left out. */
export type PlaceLine = { city: City } | { rejected: string; example: string }

/** GeoNames' codes of populated places that are abandoned, historical or destroyed. */
const GONE = new Set(['PPLQ', 'PPLH', 'PPLCH', 'PPLW'])

/**
 * Reads one line of GeoNames' gazetteer ("GB.txt", "cities500.txt": 19 columns, listed in its
 * readme.txt), of which only populated places are wanted.
 */
export function readPlaceLine(line: string): PlaceLine {
  const cells = line.split('\t')
  const [id, name = '', , , latitude, longitude, featureClass, featureCode = '', country = ''] =
    cells
  if (!LOADED_COUNTRIES.has(country)) return { rejected: 'of another country', example: name }
  if (featureClass !== 'P') return { rejected: 'not a populated place', example: name }
  if (GONE.has(featureCode)) return { rejected: 'no longer there', example: name }
  const city = {
    id: Number(id),
    name,
    country,
    featureCode,
    admin: cells[10] ?? '',
    population: Math.max(0, Math.trunc(Number(cells[14]) || 0)),
    latitude: readDegrees(latitude),
    longitude: readDegrees(longitude),
  }
  const hasPoint = Math.abs(city.latitude) <= 90 && Math.abs(city.longitude) <= 180
  if (!hasPoint) return { rejected: 'without coordinates', example: name }
  return { city }
}
