import type { LocatedPlace, LocateInput } from '#contract/search.ts'
import { findNearestCode } from '#db/geo/nearest.ts'
import type { Context } from '#server/context.ts'
import { AppError } from '#server/kernel/errors.ts'

/**
 * The nearest postcode sector or ZIP code of a point, to type into a search. The point itself is neither
 * stored nor logged. Throws `location_outside` far from both regions.
 */
export async function locate(
  ctx: Pick<Context, 'database'>,
  point: LocateInput,
): Promise<LocatedPlace> {
  const nearest = await findNearestCode(ctx.database.db, point)
  if (nearest === null) throw new AppError('location_outside')
  return { selectedRegion: nearest.region, postcode: nearest.code }
}
