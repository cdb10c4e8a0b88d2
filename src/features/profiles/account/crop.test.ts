import { expect, test } from 'vitest'
import { pushed, squareOf, WHOLE, ZOOM_MAX } from './photo-cropper.tsx'

const wide = { width: 1_600, height: 900 }

test('at first the middle of the picture is kept, as large as it goes', () => {
  expect(squareOf(wide, WHOLE)).toEqual({ side: 900, left: 350, top: 0 })
})

test('nearer means a smaller square, at most four times', () => {
  expect(squareOf(wide, { ...WHOLE, zoom: 2 })).toEqual({ side: 450, left: 575, top: 225 })
  expect(squareOf(wide, { ...WHOLE, zoom: 9 }).side).toBe(900 / ZOOM_MAX)
})

test('the square never reaches over an edge, wherever its middle is asked to be', () => {
  expect(squareOf(wide, { x: 1, y: 1, zoom: 1 })).toEqual({ side: 900, left: 700, top: 0 })
  expect(squareOf(wide, { x: 0, y: 0, zoom: 3 })).toEqual({ side: 300, left: 0, top: 0 })
})

test('a push moves the picture with the finger and stops at its edge', () => {
  const half = pushed(wide, WHOLE, { x: 0.1, y: 0.5 })
  expect(squareOf(wide, half)).toEqual({ side: 900, left: 260, top: 0 })
  expect(squareOf(wide, pushed(wide, half, { x: 5, y: 0 })).left).toBe(0)
})

test('a push back from the edge moves at once', () => {
  const atEdge = pushed(wide, WHOLE, { x: 5, y: 0 })
  expect(squareOf(wide, pushed(wide, atEdge, { x: -0.1, y: 0 })).left).toBeCloseTo(90)
})
