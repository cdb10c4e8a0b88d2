import { expect, test } from 'vitest'
import { contrastOf, INKS, READABLE, textColorOn } from './text-contrast.ts'

test.each([
  { color: '#ffffff', ink: 'dark', isAmple: true },
  { color: '#fbeae1', ink: 'dark', isAmple: true },
  { color: '#ffff00', ink: 'dark', isAmple: true },
  { color: '#000000', ink: 'light', isAmple: true },
  { color: '#0b6b5b', ink: 'light', isAmple: false },
  { color: '#b3261e', ink: 'light', isAmple: false },
  { color: '#767a78', ink: 'black', isAmple: false },
])('text on $color is $ink', ({ color, ink, isAmple }) => {
  expect(textColorOn(color)).toEqual({ ink, isAmple })
})

test('contrast is that of WCAG, whichever colour comes first', () => {
  expect(contrastOf('#ffffff', '#000000')).toBeCloseTo(21)
  expect(contrastOf('#000000', '#ffffff')).toBeCloseTo(21)
  expect(contrastOf('#777777', '#ffffff')).toBeCloseTo(4.48, 2)
})

test('text is readable on every colour there is', () => {
  const steps = [0, 32, 64, 96, 112, 120, 128, 136, 144, 160, 192, 224, 255]
  const hex = (n: number) => n.toString(16).padStart(2, '0')
  for (const r of steps) {
    for (const g of steps) {
      for (const b of steps) {
        const color = `#${hex(r)}${hex(g)}${hex(b)}`
        const { ink } = textColorOn(color)
        expect(contrastOf(color, INKS[ink])).toBeGreaterThanOrEqual(READABLE)
      }
    }
  }
})
