import { withZipZones, zoneOfPoint } from '#db/geo/packages.ts'
import { militaryState } from '#db/geo/us-zips.ts'
import type { UsZipRow } from '#db/tables/geo.ts'
import type { Rejects } from './rejects.ts'
import type { UsZip } from './us-rows.ts'

/** A point of the Census wins over any other; it moves a code we know and brings no new one. */
function withCensusPoint({ latitude, longitude }: UsZip, known: UsZipRow): UsZipRow {
  return { ...known, latitude, longitude, kind: 'zcta' }
}

/** The row without its zone, which is empty where it has to be found yet. */
function withTown(
  { zip, ...point }: UsZip,
  town: { city: string; state: string },
  known: UsZipRow | undefined,
): UsZipRow {
  const { latitude, longitude } = known?.kind === 'zcta' ? known : point
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
    kind: known?.kind ?? 'point',
  }
}

function withZones(rows: UsZipRow[]): UsZipRow[] {
  if (rows.every((row) => row.time_zone !== '')) return rows
  return withZipZones((zoneOfZip) =>
    rows.map((row) => {
      if (row.time_zone !== '') return row
      // A military code's zone is where its point lies, whatever the post thinks.
      const posted = row.kind === 'military' ? null : zoneOfZip(row.zip)
      return { ...row, time_zone: posted ?? zoneOfPoint(row.latitude, row.longitude) }
    }),
  )
}

/**
 * The rows of `geo_us_zips` to write for the rows of one list, given those the table holds. What
 * cannot be placed is counted in `rejects`.
 */
export function mergeZips(
  zips: readonly UsZip[],
  known: ReadonlyMap<string, UsZipRow>,
  rejects: Rejects,
): UsZipRow[] {
  const changed = new Map<string, UsZipRow>()
  for (const zip of zips) {
    const before = changed.get(zip.zip) ?? known.get(zip.zip)
    if (zip.town !== null) {
      const row = withTown(zip, zip.town, before)
      if (row.state === '') rejects.add('without a state', zip.zip)
      else changed.set(zip.zip, row)
    } else if (before === undefined) {
      rejects.add('new, and this list does not name the town', zip.zip)
    } else {
      changed.set(zip.zip, withCensusPoint(zip, before))
    }
  }
  return withZones([...changed.values()])
}
