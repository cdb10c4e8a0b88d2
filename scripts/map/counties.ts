import { feature } from 'topojson-client'
import { US_STATES } from '#contract/base/us-states.ts'
import type { Point } from '#db/geo/points.ts'
import { collection, readTopology } from './outlines.ts'

/** A county of the USA, from `us-atlas`. */
export type County = {
  /** Five digits. */
  fips: string
  /** State and the county's three digits: "TN145". */
  key: string
  /** Points of an even grid of `across` by `across` over the county, those outside of it left out. */
  samples: (across: number) => Point[]
}

type Ring = readonly (readonly number[])[]

/** Whether a point is inside of rings by the even-odd rule; holes are rings too. */
function isInside({ latitude, longitude }: Point, rings: readonly Ring[]): boolean {
  let crossings = 0
  for (const ring of rings) {
    for (const [at, [x = 0, y = 0]] of ring.entries()) {
      const [nextX = 0, nextY = 0] = ring[(at + 1) % ring.length] ?? []
      const crosses = y > latitude !== nextY > latitude
      const slope = (nextX - x) / (nextY - y)
      if (crosses && longitude < x + (latitude - y) * slope) crossings += 1
    }
  }
  return crossings % 2 === 1
}

function samplesOf(rings: readonly Ring[], across: number): Point[] {
  const longitudes = rings.flat().map(([x = 0]) => x)
  const latitudes = rings.flat().map(([, y = 0]) => y)
  const [west, east] = [Math.min(...longitudes), Math.max(...longitudes)]
  const [south, north] = [Math.min(...latitudes), Math.max(...latitudes)]
  const steps = Array.from({ length: across }, (_, no) => (no + 0.5) / across)
  return steps
    .flatMap((x) =>
      steps.map((y) => ({
        latitude: south + y * (north - south),
        longitude: west + x * (east - west),
      })),
    )
    .filter((at) => isInside(at, rings))
}

function nameIn(properties: object | null): string {
  return properties !== null && 'name' in properties ? String(properties.name) : ''
}

/** Every county of the fifty states and the territories. */
export async function readCounties(): Promise<County[]> {
  const atlas = await readTopology('us-atlas/counties-10m.json')
  const codes = new Map(Object.entries(US_STATES).map(([code, name]) => [name, code]))
  const listed = (name: string) => {
    const objects = collection(atlas, name)
    if (objects === undefined) throw new Error(`us-atlas has no ${name}`)
    return feature(atlas, objects).features
  }
  const states = new Map(
    listed('states').map(({ id, properties }) => [String(id), codes.get(nameIn(properties))]),
  )
  return listed('counties').map(({ id, geometry }) => {
    const fips = String(id)
    const rings: Ring[] =
      geometry.type === 'Polygon'
        ? geometry.coordinates
        : geometry.type === 'MultiPolygon'
          ? geometry.coordinates.flat()
          : []
    return {
      fips,
      key: `${states.get(fips.slice(0, 2)) ?? ''}${fips.slice(2)}`,
      samples: (across) => samplesOf(rings, across),
    }
  })
}
