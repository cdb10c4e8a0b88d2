import { MAP_PIN_LIMIT, type MapResults, type SearchFilters } from '#contract/search.ts'
import type { Context } from '#server/context.ts'
import { centreOf } from './centre.ts'
import { milesBetween, roundMiles } from './circle.ts'
import { matchesOf, widen } from './matches.ts'
import { narrowingOf } from './narrowing.ts'
import { radiiToTry } from './rules.ts'
import { isoOrNull, shownName } from './shown.ts'
import { listPinRows } from './store.ts'

const NEAREST = { sort: 'distance', limit: MAP_PIN_LIMIT, offset: 0, isExact: true } as const

/** The same providers as the list, as points: the nearest few hundred and the exact total. */
export async function searchMap(
  ctx: Pick<Context, 'database' | 'now'>,
  filters: SearchFilters,
): Promise<MapResults> {
  const { db } = ctx.database
  const { point, timeZone, place } = await centreOf(db, filters)
  const narrowing = narrowingOf(filters, { now: ctx.now(), timeZone })
  const area = { centre: point, narrowing }
  const reached = await widen(db, { ...area, radii: radiiToTry(filters) })
  const matches = await matchesOf(db, { ...area, ...reached }, NEAREST)
  const rows = await listPinRows(
    db,
    matches.map(({ placeNo }) => placeNo),
  )
  const byPlace = new Map(rows.map((row) => [row.no, row]))
  const pins = matches.flatMap(({ placeNo, nextFree }) => {
    const row = byPlace.get(placeNo)
    if (row === undefined) return []
    return {
      id: row.id,
      name: shownName(row),
      latitude: row.latitude,
      longitude: row.longitude,
      distance: roundMiles(milesBetween(point, row)),
      fee: { minor: row.amount_minor, currency: row.currency },
      nextFree: isoOrNull(nextFree),
    }
  })
  return { place, radius: reached.radius, total: reached.total, pins }
}
