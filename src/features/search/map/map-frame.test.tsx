import { latLng } from 'leaflet'
import { expect, test } from 'vitest'
import { render } from 'vitest-browser-react'
import { scaleBar } from './map-controls.tsx'
import { Credit, creditParts } from './map-credit.tsx'
import { areaOfView } from './map-frame.tsx'
import { circleBounds, milesPerPixel, toWorld, worldSize } from './mercator.ts'

const center = latLng(51.5, -0.1)
/** A corner the given number of miles to the north-east. */
const cornerAt = (miles: number) => {
  const share = miles / Math.SQRT2
  const [, corner] = circleBounds(center.lat, center.lng, share)
  return latLng(corner)
}

test.each([
  [0.4, 1],
  [0.9, 1],
  [1.2, 3],
  [4.8, 5],
  [5.3, 10],
  [24, 25],
  [48, 50],
  [400, 50],
])('a view reaching %d miles is searched with %d', (reach, radius) => {
  expect(areaOfView(center, cornerAt(reach))).toEqual({ lat: 51.5, lon: -0.1, radiusMiles: radius })
})

test('the box around a circle reaches its radius each way', () => {
  const [[south, west], [north, east]] = circleBounds(30.27, -97.74, 10)
  const metres = 20 * 1609.344
  expect(latLng(south, -97.74).distanceTo([north, -97.74]) / metres).toBeCloseTo(1, 2)
  expect(latLng(30.27, west).distanceTo([30.27, east]) / metres).toBeCloseTo(1, 2)
})

test('the square of the world is the one tiles use', () => {
  expect(toWorld(0, 0)).toEqual({ x: 0.5, y: 0.5 })
  expect(toWorld(85.0511287798, -180).x).toBe(0)
  expect(toWorld(85.0511287798, -180).y).toBeCloseTo(0, 6)
  expect(worldSize(3)).toBe(2048)
})

test('the scale bar is the longest round distance that fits', () => {
  expect(scaleBar(0.1, 96)).toEqual({ label: '5 miles', width: 50 })
  expect(scaleBar(0.01, 96)).toEqual({ label: '½ mile', width: 50 })
  expect(scaleBar(1 / 96, 96)).toEqual({ label: '1 mile', width: 96 })
  expect(scaleBar(milesPerPixel(40, 4), 96)).toEqual({ label: '200 miles', width: 43 })
})

test('links of a credit stay links and the rest stays text', () => {
  expect(
    creditParts('&copy; <a href="https://example.org/copyright">Example</a> and others'),
  ).toEqual([
    { text: '© ', href: null },
    { text: 'Example', href: 'https://example.org/copyright' },
    { text: ' and others', href: null },
  ])
})

test('no other mark-up and no other scheme gets through', () => {
  expect(
    creditParts('<img src=x onerror=alert(1)>Tiles <a href="javascript:alert(1)">here</a>'),
  ).toEqual([
    { text: 'Tiles ', href: null },
    { text: 'here', href: null },
  ])
})

test('without tiles the sources of our own map are named', async () => {
  const screen = await render(<Credit region="uk" tiles={null} />)
  await expect.element(screen.getByText(/OS data © Crown copyright/)).toBeVisible()
})
