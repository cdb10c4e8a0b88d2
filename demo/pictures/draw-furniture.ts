import { at, disc, plant, rect, shape, stroke } from './draw-scene.ts'

/** A board with books and a plant, 380 wide, 0,0 at its left end. */
export function shelf(): string {
  const books = ['#0b6b5b', '#d98f62', '#4f7a6c', '#e4c27e', '#5c6f94', '#b8643f', '#8fb8a8']
  return (
    rect('#c99a6b', [0, 0, 380, 18, 6]) +
    rect('#b5855a', [0, 12, 380, 6, 3]) +
    books
      .map((colour, no) =>
        rect(colour, [26 + no * 25, -84 + (no % 3) * 9, 20, 84 - (no % 3) * 9, 4]),
      )
      .join('') +
    at({ x: 300, y: 0, scale: 0.5 }, plant('#f2e0c9', '#3f8b74'))
  )
}

/** A clock at ten past twelve around 0,0. */
export function clock(): string {
  return (
    disc('#fbfaf7', [0, 0, 62]) +
    `<circle r="62" fill="none" stroke="#0b6b5b" stroke-width="9"/>` +
    stroke('#14211d', 7, 'M0 0L0 -36') +
    stroke('#b4471b', 6, 'M0 0L26 14') +
    disc('#14211d', [0, 0, 6])
  )
}

/** Cloth in three tones: as it is, in shadow, in light. */
export type Cloth = readonly [base: string, shadow: string, light: string]

const TERRACOTTA: Cloth = ['#d98f62', '#c97c4f', '#e3a077']

/** An armchair from the front, 0,0 in the middle of the floor below it. */
export function armchair([base, shadow, light]: Cloth = TERRACOTTA): string {
  return (
    rect('#7a4a2c', [-120, -34, 16, 40, 6]) +
    rect('#7a4a2c', [104, -34, 16, 40, 6]) +
    shape(base, 'M-118 -60L-118 -250C-118 -316 118 -316 118 -250L118 -60Z') +
    shape(shadow, 'M40 -296C90 -290 118 -276 118 -250L118 -60L60 -60Z') +
    rect(light, [-104, -138, 208, 74, 26]) +
    rect(shadow, [-156, -176, 62, 150, 28]) +
    rect(shadow, [94, -176, 62, 150, 28])
  )
}
