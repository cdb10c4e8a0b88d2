import { GROUNDS } from './draw-palette.ts'

/**
 * Capital letters as single strokes in a box 60 wide and 100 high. Drawn rather than typeset,
 * because which fonts a machine has must not change a picture.
 */
const LETTERS: Record<string, string> = {
  A: 'M2 100L30 0L58 100M13 64L47 64',
  B: 'M4 0L4 100M4 0L28 0C58 0 58 47 28 47L4 47M28 47C64 47 64 100 28 100L4 100',
  C: 'M56 18C36 -10 2 2 2 50C2 98 36 110 56 82',
  D: 'M4 0L4 100M4 0L22 0C72 0 72 100 22 100L4 100',
  E: 'M52 0L4 0L4 100L52 100M4 48L44 48',
  F: 'M52 0L4 0L4 100M4 48L44 48',
  G: 'M56 18C36 -10 2 2 2 50C2 98 36 108 56 86L56 56L36 56',
  H: 'M4 0L4 100M56 0L56 100M4 48L56 48',
  I: 'M30 0L30 100',
  J: 'M46 0L46 72C46 106 8 108 4 78',
  K: 'M6 0L6 100M54 0L6 56M24 38L56 100',
  L: 'M6 0L6 100L52 100',
  M: 'M0 100L4 0L30 62L56 0L60 100',
  N: 'M4 100L4 0L56 100L56 0',
  O: 'M30 0C-8 0 -8 100 30 100C68 100 68 0 30 0Z',
  P: 'M6 100L6 0L30 0C64 0 64 54 30 54L6 54',
  Q: 'M30 0C-8 0 -8 100 30 100C68 100 68 0 30 0ZM36 76L58 104',
  R: 'M6 100L6 0L30 0C62 0 62 50 30 50L6 50M30 50L56 100',
  S: 'M52 14C40 -8 4 -4 4 24C4 56 56 42 56 74C56 106 14 108 4 82',
  T: 'M2 0L58 0M30 0L30 100',
  U: 'M4 0L4 64C4 112 56 112 56 64L56 0',
  V: 'M2 0L30 100L58 0',
  W: 'M-6 0L12 100L30 32L48 100L66 0',
  X: 'M4 0L56 100M56 0L4 100',
  Y: 'M2 0L30 50L58 0M30 50L30 100',
  Z: 'M4 0L54 0L4 100L56 100',
}

/** Up to two initials on one of the grounds as SVG, 320 by 320. */
export function drawMonogram(initials: string, groundNo: number): string {
  const ground = GROUNDS[groundNo % GROUNDS.length]
  if (ground === undefined) throw new Error('no ground')
  const letters = Array.from(initials, (letter) => LETTERS[letter]).filter((d) => d !== undefined)
  const step = 84
  const left = 160 - ((letters.length - 1) * step) / 2 - 30
  const strokes = letters
    .map((d, at) => `<path transform="translate(${left + at * step} 110)" d="${d}"/>`)
    .join('')
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 320 320" width="320" height="320">` +
    `<rect width="320" height="320" fill="${ground.base}"/><circle cx="160" cy="160" r="128" fill="${ground.shape}"/>` +
    `<g fill="none" stroke="${ground.ink}" stroke-width="13" stroke-linecap="round" stroke-linejoin="round">${strokes}</g></svg>`
  )
}
