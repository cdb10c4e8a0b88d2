import { expect, test } from 'vitest'
import { READABLE } from '#app/lib/text-contrast.ts'
import { contrastOn, mixInOklab } from './homepage-color.tsx'

// What Chromium computes for `color-mix(in oklab, …)`.
test.each([
  ['#ffffff', '#000000', 0.5, '#636363'],
  ['#ff0000', '#0000ff', 0.5, '#8c53a2'],
  ['#0b6b5b', '#0f1614', 0, '#0f1614'],
  ['#0b6b5b', '#0f1614', 1, '#0b6b5b'],
])('%s into %s by %d is %s', (one, other, share, mixed) => {
  expect(mixInOklab(one, other, share)).toBe(mixed)
})

test('the words are readable on every colour, by day and in the dark', () => {
  const steps = ['00', '40', '76', '80', '8a', 'c0', 'ff']
  for (const r of steps) {
    for (const g of steps) {
      for (const b of steps) {
        const { light, dark } = contrastOn(`#${r}${g}${b}`)
        expect(light).toBeGreaterThanOrEqual(READABLE)
        expect(dark).toBeGreaterThanOrEqual(7)
      }
    }
  }
})
