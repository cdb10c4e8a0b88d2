import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { unpackBackdrop, unpackCounties, unpackZips } from '#app/features/search/map/backdrop.ts'
import { toWorld } from '#app/features/search/map/mercator.ts'
import { buildMaps } from '#scripts/build-map.ts'

let folder = ''
let built: Awaited<ReturnType<typeof buildMaps>> = []
const read = async (file: string): Promise<unknown> =>
  JSON.parse(await readFile(join(folder, file), 'utf8'))

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'maps-'))
  built = await buildMaps(folder)
})
afterAll(() => rm(folder, { recursive: true, force: true }))

test('both backdrops and their detail are built, each under 120 kB compressed', () => {
  expect(built.map(({ file }) => file)).toEqual([
    'uk.json',
    'usa.json',
    'usa-counties.json',
    'usa-zips.json',
  ])
  for (const { brotliBytes } of built) expect(brotliBytes).toBeLessThan(120_000)
})

test.each([
  ['uk.json', 'London', 51.51, -0.13],
  ['uk.json', 'Inverness', 57.48, -4.22],
  ['uk.json', 'SE1', 51.5, -0.095],
  ['usa.json', 'Austin', 30.27, -97.74],
  ['usa.json', 'Anchorage', 61.22, -149.9],
  ['usa.json', 'Texas', 31.5, -99.3],
])('%s has the label %s in the right place', async (file, name, lat, lon) => {
  const { labels } = unpackBackdrop(await read(file))
  const { x, y } = toWorld(lat, lon)
  const near = labels.find(
    (label) => label.name === name && Math.hypot(label.x - x, label.y - y) < 1e-3,
  )
  expect(near?.name).toBe(name)
})

test.each([
  ['uk.json', 'Manchester', 53.48, -2.24, true],
  ['uk.json', 'the North Sea', 55.5, 2, false],
  ['uk.json', 'Dublin, which is abroad', 53.35, -6.27, false],
  ['usa.json', 'Kansas', 38.5, -98, true],
  ['usa.json', 'Lake Michigan', 43.5, -87, false],
])('%s: %s is land of the region or not', async (file, _, lat, lon, isLand) => {
  const { lines } = unpackBackdrop(await read(file))
  expect(isInside(lines.land, toWorld(lat, lon))).toBe(isLand)
})

test('towns are tinted, open country is not', async () => {
  const { lines } = unpackBackdrop(await read('uk.json'))
  expect(isInside(lines.builtUp, toWorld(53.48, -2.24))).toBe(true)
  expect(isInside(lines.builtUp, toWorld(57, -4.5))).toBe(false)
})

test('the detail of the USA has the counties of every state and the ZIP codes', async () => {
  const counties = unpackCounties(await read('usa-counties.json'))
  expect(counties.labels.some(({ name }) => name === 'Travis')).toBe(true)
  expect(counties.labels.length).toBeGreaterThan(3000)
  expect(counties.lines.length).toBeGreaterThan(1000)
  const zips = unpackZips(await read('usa-zips.json'))
  expect(zips.some(({ name }) => name === '02108')).toBe(true)
  expect(zips.length).toBeGreaterThan(33_000)
})

/** Even-odd rule, as in the canvas. */
function isInside(rings: { points: Float64Array }[], { x, y }: { x: number; y: number }): boolean {
  let crossings = 0
  for (const { points } of rings) {
    let [fromX, fromY] = [points.at(-2) ?? 0, points.at(-1) ?? 0]
    for (let i = 0; i < points.length; i += 2) {
      const [toX, toY] = [points[i] ?? 0, points[i + 1] ?? 0]
      const isCrossed = fromY > y !== toY > y
      if (isCrossed && x < fromX + ((y - fromY) / (toY - fromY)) * (toX - fromX)) crossings++
      fromX = toX
      fromY = toY
    }
  }
  return crossings % 2 === 1
}
