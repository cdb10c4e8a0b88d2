import { darker, lighter } from './draw-palette.ts'

/** Position and scale of a piece of a scene. */
export type Spot = { x: number; y: number; scale?: number }

/** Moves a drawing made around 0,0 to its spot. */
export function at(spot: Spot, drawing: string): string {
  return `<g transform="translate(${spot.x} ${spot.y}) scale(${spot.scale ?? 1})">${drawing}</g>`
}

export const rect = (fill: string, [x, y, w, h, r]: readonly number[]) =>
  `<rect fill="${fill}" x="${x}" y="${y}" width="${w}" height="${h}" rx="${r ?? 0}"/>`

export const disc = (fill: string, [x, y, r]: readonly number[]) =>
  `<circle fill="${fill}" cx="${x}" cy="${y}" r="${r}"/>`

export const shape = (fill: string, d: string) => `<path fill="${fill}" d="${d}"/>`

/** A stroke of the given width with round ends. */
export const stroke = (colour: string, width: number, d: string) =>
  `<path fill="none" stroke="${colour}" stroke-width="${width}" stroke-linecap="round" stroke-linejoin="round" d="${d}"/>`

/** A leaf from 0,0 up to its tip, halves in two tones, turned by `angle` degrees. */
function leaf(colour: string, length: number, angle: number): string {
  const wide = length * 0.24
  return (
    `<g transform="rotate(${angle})">` +
    shape(
      colour,
      `M0 0C${-wide * 1.5} ${-length * 0.35} ${-wide} ${-length * 0.8} 0 ${-length}C${wide} ${-length * 0.8} ${wide * 1.5} ${-length * 0.35} 0 0Z`,
    ) +
    shape(
      darker(colour, 0.16),
      `M0 0C${wide * 1.5} ${-length * 0.35} ${wide} ${-length * 0.8} 0 ${-length}Z`,
    ) +
    `</g>`
  )
}

/** A pot plant with broad leaves, 0,0 at its foot. */
export function plant(pot: string, green: string): string {
  const leaves: readonly (readonly [number, number, number])[] = [
    [210, -52, 0.1],
    [230, 48, 0],
    [270, -28, 0.12],
    [280, 24, 0.04],
    [310, -4, 0.18],
    [170, -78, 0.02],
    [180, 76, 0.12],
  ]
  return (
    `<g transform="translate(0 -110)">${leaves.map(([length, angle, light]) => leaf(lighter(green, light), length, angle)).join('')}</g>` +
    shape(pot, 'M-74 -130L74 -130L58 0L-58 0Z') +
    shape(darker(pot, 0.12), 'M20 -130L74 -130L58 0L14 0Z') +
    rect(lighter(pot, 0.12), [-84, -150, 168, 34, 10])
  )
}

/** A slim branch with small leaves in pairs, growing up from 0,0. */
export function sprig(green: string, pairs: number): string {
  let drawn = stroke(
    darker(green, 0.1),
    5,
    `M0 0C6 ${-pairs * 22} -6 ${-pairs * 40} 0 ${-pairs * 56}`,
  )
  for (let pair = 0; pair < pairs; pair += 1) {
    const y = -26 - pair * 54
    drawn += `<g transform="translate(0 ${y})">${leaf(green, 74 - pair * 5, -58)}${leaf(lighter(green, 0.12), 74 - pair * 5, 58)}</g>`
  }
  return `${drawn}<g transform="translate(0 ${-pairs * 54})">${leaf(green, 60, 0)}</g>`
}

/** A lamp on a cord of the given length, hanging from 0,0, with a soft glow. */
export function pendant(length: number, colour: string): string {
  return (
    `<circle cx="0" cy="${length + 70}" r="150" fill="#fff3d2" opacity="0.25"/><circle cx="0" cy="${length + 70}" r="96" fill="#fff3d2" opacity="0.35"/>` +
    stroke('#51605a', 5, `M0 0L0 ${length}`) +
    shape(
      colour,
      `M-62 ${length + 74}C-62 ${length + 20} -34 ${length} 0 ${length}C34 ${length} 62 ${length + 20} 62 ${length + 74}Z`,
    ) +
    shape(
      darker(colour, 0.14),
      `M62 ${length + 74}C62 ${length + 20} 34 ${length} 0 ${length}C22 ${length + 14} 34 ${length + 40} 34 ${length + 74}Z`,
    ) +
    `<ellipse cx="0" cy="${length + 74}" rx="62" ry="9" fill="#fff1c9"/>`
  )
}

/** An arched window, 0,0 at the middle of its sill, with morning hills behind. */
export function archWindow(): string {
  const arch = 'M-230 0L-230 -380C-230 -540 -128 -620 0 -620C128 -620 230 -540 230 -380L230 0Z'
  return (
    `<clipPath id="arch"><path d="${arch}"/></clipPath><g clip-path="url(#arch)">` +
    rect('#fbe6cd', [-240, -640, 480, 660]) +
    rect('#f9dcbc', [-240, -300, 480, 320]) +
    disc('#fff3d8', [70, -330, 118]) +
    disc('#ffe3a6', [70, -330, 82]) +
    shape(
      '#bcd8cb',
      'M-240 -190C-160 -262 -70 -250 0 -210C80 -262 170 -262 240 -214L240 20L-240 20Z',
    ) +
    shape(
      '#93bfae',
      'M-240 -110C-170 -168 -90 -158 -20 -124C60 -170 160 -160 240 -104L240 20L-240 20Z',
    ) +
    houses() +
    shape('#6fa592', 'M-240 -46C-120 -96 120 -96 240 -40L240 20L-240 20Z') +
    `</g>` +
    `<path d="${arch}" fill="none" stroke="#fbfaf7" stroke-width="24"/>` +
    stroke('#fbfaf7', 13, 'M0 -10L0 -612M-226 -300L226 -300') +
    rect('#fbfaf7', [-270, -8, 540, 34, 10]) +
    rect('#e1d9c8', [-270, 18, 540, 8, 4])
  )
}

function houses(): string {
  const rows: readonly (readonly [number, number, string, string])[] = [
    [-170, 70, '#f4e3cc', '#b4623d'],
    [-84, 54, '#efd2bb', '#8d4a2e'],
    [96, 62, '#f4e3cc', '#a9573a'],
    [168, 50, '#eed9c4', '#8d4a2e'],
  ]
  return rows
    .map(
      ([x, size, wall, roof]) =>
        rect(wall, [x - size / 2, -66 - size * 0.6, size, size]) +
        shape(
          roof,
          `M${x - size * 0.64} ${-66 - size * 0.6}L${x} ${-66 - size * 1.16}L${x + size * 0.64} ${-66 - size * 0.6}Z`,
        ) +
        rect('#fff1cf', [x - 8, -58 - size * 0.36, 16, 20, 3]),
    )
    .join('')
}

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
