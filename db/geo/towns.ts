import type { GeoPlaceRow } from '#db/tables/geo.ts'
import { placeKey } from './place-names.ts'
import { distanceKm, type Point } from './points.ts'

/** A Census point farther than this from the town of its name lies where nobody lives. */
const FAR_KM = 100

/** A post office's point at most this far from the town stands for it. */
const CLOSE_KM = 30

type Town = Pick<GeoPlaceRow, 'key' | 'admin' | 'latitude' | 'longitude'>

/** A ZIP code's town, and the two points that say where it is. */
export type Disputed = { city: string; state: string; census: Point; office: Point }

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
   * Whether the post office's point is the better one: the Census gives some codes of Alaska a
   * wilderness whose middle is hundreds of kilometres from the town. All twins of a name have to
   * be far from the Census point, one of them close to the post office's.
   */
  areServedFrom({ city, state, census, office }: Disputed): boolean {
    // By the triangle, no town can be far from the one and close to the other.
    if (distanceKm(census, office) <= FAR_KM - CLOSE_KM) return false
    const towns = this.#byName.get(`${placeKey(city)}/${state}`) ?? []
    return (
      towns.some((town) => distanceKm(town, office) < CLOSE_KM) &&
      towns.every((town) => distanceKm(town, census) > FAR_KM)
    )
  }
}
