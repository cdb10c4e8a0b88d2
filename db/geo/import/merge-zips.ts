import { withZipZones, zoneOfPoint } from '#db/geo/packages.ts'
import type { Towns } from '#db/geo/towns.ts'
import { militaryState } from '#db/geo/us-zips.ts'
import type { UsZipRow } from '#db/tables/geo.ts'
import type { Rejects } from './problem.ts'
import type { UsZip } from './us-rows.ts'

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

function withZones(rows: UsZipRow[]): UsZipRow[] {
  if (rows.every((row) => row.time_zone !== '')) return rows
  return withZipZones((zoneOfZip) =>
    rows.map((row) => {
      if (row.time_zone !== '') return row
      // A military code has the zone of its point, not the one of the postal tables.
      const posted = row.kind === 'military' ? null : zoneOfZip(row.zip)
      return { ...row, time_zone: posted ?? zoneOfPoint(row.latitude, row.longitude) }
    }),
  )
}

/** The stored ZIP codes and towns of the USA before a list is read. */
export type KnownZips = { rows: ReadonlyMap<string, UsZipRow>; towns: Towns }

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
  return withZones([...changed.values()])
}
