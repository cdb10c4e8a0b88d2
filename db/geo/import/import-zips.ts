import type { Db } from '#db/engine.ts'
import { zoneOfPoint } from '#db/geo/packages.ts'
import type { Point } from '#db/geo/points.ts'
import { statementBatches } from '#db/geo/store.ts'
import { militaryState, Towns } from '#db/geo/us-zips.ts'
import type { UsZipRow } from '#db/tables/geo.ts'
import type { UsFormat } from './formats.ts'
import { readDegrees } from './list-files.ts'
import type { Rejects } from './report.ts'

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

/** The stored row of a code, and the towns that settle where it lies. */
type Known<Row = UsZipRow> = { row: Row; towns: Towns }

/**
 * Prefers the Census point over a post office's, unless the town is near the latter. It moves a known code
 * and adds no new one.
 */
function withCensusPoint(census: UsZip, { row, towns }: Known): UsZipRow {
  if (row.kind === 'point' && towns.areServedFrom({ ...row, census, office: row })) return row
  const { latitude, longitude } = census
  return { ...row, latitude, longitude, kind: 'zcta' }
}

/** Whether a code keeps its Census point when a list names its town. */
function keepsPoint(office: UsZip, town: { city: string; state: string }, known: Known): boolean {
  const { row, towns } = known
  if (row.kind !== 'zcta') return false
  return !towns.areServedFrom({ ...town, state: town.state || row.state, census: row, office })
}

/** Combines a list's row with the stored one; the time zone is empty where it must still be found. */
function withTown(
  office: UsZip,
  town: { city: string; state: string },
  { row: known, towns }: Known<UsZipRow | undefined>,
): UsZipRow {
  const { zip } = office
  const censusRow =
    known !== undefined && keepsPoint(office, town, { row: known, towns }) ? known : null
  const { latitude, longitude } = censusRow ?? office
  const place = { zip, latitude, longitude }
  const military = militaryState(zip)
  if (military !== null) {
    const city = town.city.slice(0, 3).toUpperCase()
    return { ...place, city, state: military, time_zone: '', kind: 'military' }
  }
  return {
    ...place,
    city: town.city,
    state: town.state || (known?.state ?? ''),
    time_zone: known?.time_zone ?? '',
    kind: censusRow === null ? 'point' : censusRow.kind,
  }
}

function withZone(row: UsZipRow): UsZipRow {
  if (row.time_zone !== '') return row
  return { ...row, time_zone: zoneOfPoint(row.latitude, row.longitude) }
}

/** The stored ZIP codes and towns of the USA before a list is read. */
type KnownZips = { rows: ReadonlyMap<string, UsZipRow>; towns: Towns }

/**
 * The rows of `geo_us_zips` to write for one list, given the stored ones. Rows that cannot be located are
 * counted in `rejects`.
 */
export function mergeZips(
  zips: readonly UsZip[],
  { rows, towns }: KnownZips,
  rejects: Rejects,
): UsZipRow[] {
  const changed = new Map<string, UsZipRow>()
  for (const zip of zips) {
    const before = changed.get(zip.zip) ?? rows.get(zip.zip)
    if (zip.town !== null) {
      const row = withTown(zip, zip.town, { row: before, towns })
      if (row.state === '') rejects.add('without a state', zip.zip)
      else changed.set(zip.zip, row)
    } else if (before === undefined) {
      rejects.add('new, and this list does not name the town', zip.zip)
    } else {
      changed.set(zip.zip, withCensusPoint(zip, { row: before, towns }))
    }
  }
  return [...changed.values()].map(withZone)
}

/** Every row of ZIP codes, by code, and the towns of the USA. */
export async function readKnown(db: Db): Promise<KnownZips> {
  const rows = await db.selectFrom('geo_us_zips').selectAll().execute()
  const towns = await db
    .selectFrom('geo_places')
    .select(['key', 'admin', 'latitude', 'longitude'])
    .where('region', '=', 'usa')
    // Negative ids were derived from the very ZIP codes in question.
    .where('id', '>', 0)
    .execute()
  return { rows: new Map(rows.map((row) => [row.zip, row])), towns: new Towns(towns) }
}

/** Inserts rows, or replaces those with the same code. Codes must be unique. */
export async function writeZips(db: Db, zips: readonly UsZipRow[]): Promise<void> {
  // Always in the same order, so that concurrent imports do not deadlock.
  const ordered = zips.toSorted((a, b) => (a.zip < b.zip ? -1 : 1))
  for (const rows of statementBatches(ordered, 7)) {
    await db
      .insertInto('geo_us_zips')
      .values(rows)
      .onConflict((conflict) =>
        conflict.column('zip').doUpdateSet((e) => ({
          latitude: e.ref('excluded.latitude'),
          longitude: e.ref('excluded.longitude'),
          city: e.ref('excluded.city'),
          state: e.ref('excluded.state'),
          time_zone: e.ref('excluded.time_zone'),
          kind: e.ref('excluded.kind'),
        })),
      )
      .execute()
  }
}
