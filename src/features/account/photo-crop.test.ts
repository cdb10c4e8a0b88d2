import { expect, test } from 'vitest'
import { cropSquare, FULL_CROP, MAX_ZOOM, moveCrop } from './photo-crop.ts'

const wide = { width: 1_600, height: 900 }

test('at first the middle of the picture is kept, as large as it goes', () => {
  expect(cropSquare(wide, FULL_CROP)).toEqual({ side: 900, left: 350, top: 0 })
})

test('nearer means a smaller square, at most four times', () => {
  expect(cropSquare(wide, { ...FULL_CROP, zoom: 2 })).toEqual({ side: 450, left: 575, top: 225 })
  expect(cropSquare(wide, { ...FULL_CROP, zoom: 9 }).side).toBe(900 / MAX_ZOOM)
})

test('the square never reaches over an edge, wherever its middle is asked to be', () => {
  expect(cropSquare(wide, { x: 1, y: 1, zoom: 1 })).toEqual({ side: 900, left: 700, top: 0 })
  expect(cropSquare(wide, { x: 0, y: 0, zoom: 3 })).toEqual({ side: 300, left: 0, top: 0 })
})

test('a push moves the picture with the finger and stops at its edge', () => {
  const half = moveCrop(wide, FULL_CROP, { x: 0.1, y: 0.5 })
  expect(cropSquare(wide, half)).toEqual({ side: 900, left: 260, top: 0 })
  expect(cropSquare(wide, moveCrop(wide, half, { x: 5, y: 0 })).left).toBe(0)
})

test('a push back from the edge moves at once', () => {
  const atEdge = moveCrop(wide, FULL_CROP, { x: 5, y: 0 })
  expect(cropSquare(wide, moveCrop(wide, atEdge, { x: -0.1, y: 0 })).left).toBeCloseTo(90)
})
