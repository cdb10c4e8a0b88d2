import type { GeoPlaceRow } from '#db/tables/geo.ts'
import { placeKey } from './place-names.ts'
import { distanceKm, type Point } from './points.ts'

/** A Census point farther than this from the town of its name is in the wilderness. */
const FAR_KM = 100

/** A post office's point at most this far from the town may represent it. */
const CLOSE_KM = 30

type Town = Pick<GeoPlaceRow, 'key' | 'admin' | 'latitude' | 'longitude'>

/** A ZIP code's town, and the two candidate points for its location. */
export type DisputedPoint = { city: string; state: string; census: Point; office: Point }

/** Towns by name and state, to settle where a ZIP code lies when its two points disagree. */
export class Towns {
  readonly #byName = new Map<string, Point[]>()

  constructor(towns: Iterable<Town>) {
    for (const { key, admin, latitude, longitude } of towns) {
      const name = `${key}/${admin}`
      const twins = this.#byName.get(name)
      if (twins === undefined) this.#byName.set(name, [{ latitude, longitude }])
      else twins.push({ latitude, longitude })
    }
  }

  /**
   * Whether the post office's point is the better one: the Census locates some codes of Alaska in a
   * wilderness whose middle is hundreds of kilometres from the town. All places of the name must be far from
   * the Census point, and one of them close to the post office's.
   */
  areServedFrom({ city, state, census, office }: DisputedPoint): boolean {
    // By the triangle inequality, no town can be far from one and close to the other.
    if (distanceKm(census, office) <= FAR_KM - CLOSE_KM) return false
    const towns = this.#byName.get(`${placeKey(city)}/${state}`) ?? []
    return (
      towns.some((town) => distanceKm(town, office) < CLOSE_KM) &&
      towns.every((town) => distanceKm(town, census) > FAR_KM)
    )
  }
}
