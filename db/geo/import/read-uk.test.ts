import { expect, test } from 'vitest'
import { distanceKm } from '#db/geo/points.ts'
import { gridToWgs84 } from './read-uk.ts'

const inDegrees = (degrees: number, minutes: number, seconds: number): number =>
  degrees + minutes / 60 + seconds / 3600

/** Annex C of Ordnance Survey's "A guide to coordinate systems in Great Britain". */
const EXAMPLE = { easting: 651_409.903, northing: 313_177.27 }

test("converts Ordnance Survey's example point like other implementations of the seven parameters", () => {
  const { latitude, longitude } = gridToWgs84(EXAMPLE.easting, EXAMPLE.northing)
  expect(latitude).toBeCloseTo(inDegrees(52, 39, 28.723), 6)
  expect(longitude).toBeCloseTo(inDegrees(1, 42, 57.787), 6)
})

test.each([
  ['SW1A 1AA', [529_090, 179_645], [51.501, -0.1416]],
  ['OX49 5NU', [464_447, 195_647], [51.655929, -1.069752]],
  ['ZE1 0AA', [447_759, 1_141_280], [60.1532, -1.1416]],
] as const)('%s is within ten metres of its published point', (_postcode, grid, published) => {
  const metres =
    1000 *
    distanceKm(gridToWgs84(grid[0], grid[1]), {
      latitude: published[0],
      longitude: published[1],
    })
  expect(metres).toBeLessThan(10)
})
