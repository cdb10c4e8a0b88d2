import type { GeoPlaceRow, UkOutcodeRow, UsZipRow } from '#db/tables/geo.ts'
import { type City, readCities } from './packages.ts'
import { LOADED_COUNTRIES, placeKey, rowsOfCity } from './place-names.ts'
import { distanceKm, NearestIndex, type Point } from './points.ts'
import { type Outcode, prefixesOf, type Sector } from './sectors.ts'
import { US_STATES } from './states.ts'
import { townOutcodes } from './town-outcodes.ts'

type BareRow = Omit<GeoPlaceRow, 'near'>

/** Towns this large, and no farther off, are what people expect a postcode to be described by. */
const KNOWN_TOWN = 10_000
const KNOWN_TOWN_KM = 20

function townPrefixes(cities: readonly City[]): Outcode[] {
  return townOutcodes().flatMap(({ code, country, town }) => {
    const at = cities.find(
      (city) => city.name === town && (city.country === country || city.admin === country),
    )
    if (at === undefined) return []
    const { latitude, longitude } = at
    return [{ code, level: 'outcode' as const, latitude, longitude, postcodes: 0 }]
  })
}

/** Rows of `geo_uk_outcodes`: each prefix with its point and a town close by. */
function outcodeRows(sectors: readonly Sector[], cities: readonly City[]): UkOutcodeRow[] {
  const british = cities.filter((city) => !['US', 'PR'].includes(city.country))
  const large = new NearestIndex(british.filter((city) => city.population >= KNOWN_TOWN))
  const all = new NearestIndex(british)
  return prefixesOf(sectors, townPrefixes(cities)).map((row) => {
    const town = large.nearest(row)
    const isClose = town !== null && distanceKm(town, row) <= KNOWN_TOWN_KM
    return { ...row, near: (isClose ? town : all.nearest(row))?.name ?? '' }
  })
}

/** US post towns too small for the list of cities, at the mean of their ZIP codes. */
function postTowns(zips: readonly UsZipRow[], known: ReadonlySet<string>): BareRow[] {
  const towns = new Map<string, UsZipRow[]>()
  for (const zip of zips) {
    const key = placeKey(zip.city)
    if (zip.kind === 'military' || key === '' || known.has(`${key}/${zip.state}`)) continue
    const id = `${key}/${zip.state}`
    const town = towns.get(id)
    if (town === undefined) towns.set(id, [zip])
    else town.push(zip)
  }
  let count = 0
  return [...towns].flatMap(([id, members]) => {
    const [first] = members
    if (first === undefined) return []
    const mean = (pick: (at: Point) => number): number =>
      members.reduce((sum, zip) => sum + pick(zip), 0) / members.length
    count += 1
    return {
      region: 'usa' as const,
      key: id.slice(0, id.indexOf('/')),
      // GeoNames counts upwards from 1; these have no number of their own.
      id: -count,
      name: first.city,
      admin: first.state,
      admin_name: US_STATES[first.state] ?? '',
      latitude: mean((at) => at.latitude),
      longitude: mean((at) => at.longitude),
      population: 0,
      is_alias: 0 as const,
    }
  })
}

/** Everything that is derived from towns: `geo_places`, and the prefixes of UK postcodes. */
export function placeRows(
  sectors: readonly Sector[],
  zips: readonly UsZipRow[],
): { places: GeoPlaceRow[]; outcodes: UkOutcodeRow[] } {
  const cities = readCities(LOADED_COUNTRIES)
  const outcodes = outcodeRows(sectors, cities)
  const named = cities.flatMap(rowsOfCity).filter((row) => row.key !== '')
  const known = new Set(named.map((row) => `${row.key}/${row.admin}`))
  const rows = [...named, ...postTowns(zips, known)]
  const nearOutcode = new NearestIndex(outcodes.filter((row) => row.level === 'outcode'))
  const nearZip = new NearestIndex(zips.filter((row) => row.kind !== 'military'))
  const places = rows.map((row) => ({
    ...row,
    near: (row.region === 'uk' ? nearOutcode.nearest(row)?.code : nearZip.nearest(row)?.zip) ?? '',
  }))
  return { places, outcodes }
}
