import type { Db } from '#db/engine.ts'
import { distanceKm, type Point } from '#db/geo/points.ts'
import type { Random } from './random.ts'

/** A postcode sector or ZIP code with a weight for how many people live in it. */
export type Area = Point & {
  code: string
  weight: number
  /** Town of a ZIP code as "Austin, TX"; empty for sectors, which `Towns` names. */
  locality: string
  timeZone: string
}

export type Town = Point & { name: string; population: number }

/** Where the providers of the demo can be put. */
export type DemoPlaces = {
  sectors: readonly Area[]
  zips: readonly Area[]
  ukTowns: readonly Town[]
}

/** A town's population is spread over its nearest ZIP codes, one per this many people. */
const PEOPLE_PER_ZIP = 25_000
const SMALLEST_TOWN = 2_000
const CELL = 0.25

/** Its boroughs are listed separately, with their own population. */
const COUNTED_ELSEWHERE = new Set(['New York City'])

function cellOf(point: Point): string {
  return `${Math.floor(point.latitude / CELL)}/${Math.floor(point.longitude / CELL)}`
}

function areasNear(cells: ReadonlyMap<string, Area[]>, point: Point, reach: number): Area[] {
  const found: Area[] = []
  for (let up = -reach; up <= reach; up += 1) {
    for (let along = -reach; along <= reach; along += 1) {
      const near = {
        latitude: point.latitude + up * CELL,
        longitude: point.longitude + along * CELL,
      }
      found.push(...(cells.get(cellOf(near)) ?? []))
    }
  }
  return found
}

/** Adds each town's population to the ZIP codes nearest its centre, in equal shares. */
function addTownPopulations(zips: readonly Area[], towns: readonly Town[]): void {
  const cells = new Map<string, Area[]>()
  for (const zip of zips) {
    const key = cellOf(zip)
    const cell = cells.get(key)
    if (cell === undefined) cells.set(key, [zip])
    else cell.push(zip)
  }
  for (const town of towns) {
    if (COUNTED_ELSEWHERE.has(town.name)) continue
    const wanted = Math.max(1, Math.round(town.population / PEOPLE_PER_ZIP))
    const near = areasNear(cells, town, 1)
      .map((zip) => ({ zip, km: distanceKm(zip, town) }))
      .toSorted((a, b) => a.km - b.km)
      .slice(0, wanted)
    for (const { zip } of near) zip.weight += town.population / near.length
  }
}

async function townsOf(db: Db, region: 'uk' | 'usa'): Promise<Town[]> {
  return db
    .selectFrom('geo_places')
    .select(['name', 'latitude', 'longitude', 'population'])
    .where('region', '=', region)
    .where('is_alias', '=', 0)
    .where('population', '>=', SMALLEST_TOWN)
    .orderBy('id')
    .execute()
}

/** Reads the places of both regions from the geo tables, which must be filled already. */
export async function readDemoPlaces(db: Db): Promise<DemoPlaces> {
  const sectorRows = await db.selectFrom('geo_uk_sectors').selectAll().orderBy('sector').execute()
  const zipRows = await db
    .selectFrom('geo_us_zips')
    .selectAll()
    .where('kind', '=', 'zcta')
    .orderBy('zip')
    .execute()
  if (sectorRows.length === 0 || zipRows.length === 0) throw new Error('Load the places first.')
  const sectors = sectorRows
    .filter((row) => row.postcodes > 0 && !row.sector.startsWith('BT'))
    .map((row) => ({
      code: row.sector,
      latitude: row.latitude,
      longitude: row.longitude,
      weight: row.postcodes,
      locality: '',
      timeZone: 'Europe/London',
    }))
  const zips = zipRows.map((row) => ({
    code: row.zip,
    latitude: row.latitude,
    longitude: row.longitude,
    weight: 0,
    locality: `${row.city}, ${row.state}`,
    timeZone: row.time_zone,
  }))
  addTownPopulations(zips, await townsOf(db, 'usa'))
  return {
    sectors,
    zips: zips.filter((zip) => zip.weight > 0),
    ukTowns: (await townsOf(db, 'uk')).filter((town) => town.name !== 'London'),
  }
}

/**
 * `count` areas in proportion to their weights, by systematic sampling, so that every part of the country
 * gets its share.
 */
export function drawAreas(random: Random, areas: readonly Area[], count: number): Area[] {
  const total = areas.reduce((sum, area) => sum + area.weight, 0)
  const step = total / count
  const drawn: Area[] = []
  let next = random.next() * step
  let reached = 0
  for (const area of areas) {
    reached += area.weight
    for (; next < reached && drawn.length < count; next += step) drawn.push(area)
  }
  return drawn
}

/** The town a place is assigned to: large towns reach farther than small ones. */
export function townOf(point: Point, choices: readonly Town[]): string {
  let best = ''
  let least = Number.POSITIVE_INFINITY
  for (const town of choices) {
    if (Math.abs(town.latitude - point.latitude) > 0.5) continue
    const pull = (distanceKm(town, point) + 0.3) / town.population ** 0.4
    if (pull < least) {
      least = pull
      best = town.name
    }
  }
  return best
}
