import { hash32, pickWeighted, type Random, randomFor } from '#demo/random.ts'
import { BACKGROUNDS, type HairColour, KNITS, SCARVES, SCRUBS, SHIRTS } from './draw-palette.ts'
import { drawPortrait, type Portrait, STYLES_FOR } from './draw-portrait.ts'

/** What a provider's picture has to match. `tone` is one of five bands, light to dark. */
export type Sitter = {
  gender: 'female' | 'male'
  tone: number
  older: boolean
  cover: 'none' | 'scarf' | 'turban'
}

/** How many different people of each tone are drawn: common ones need more variety. */
const YOUNGER = [34, 30, 26, 24, 20]
const OLDER = [22, 16, 14, 12, 10]
const SCARVED = 14
const TURBANED = 7

const HAIR_BY_TONE: readonly (readonly HairColour[])[] = [
  ['brown', 'chestnut', 'blond', 'soft', 'auburn', 'blond', 'brown', 'soft'],
  ['soft', 'brown', 'black', 'chestnut', 'brown', 'blond', 'black'],
  ['black', 'soft', 'black', 'brown'],
  ['black', 'soft', 'black'],
  ['black', 'soft'],
]

const COILED_FROM = 3

function peopleIn(sitter: Sitter): number {
  if (sitter.cover === 'scarf') return SCARVED
  if (sitter.cover === 'turban') return TURBANED
  return (sitter.older ? OLDER : YOUNGER)[sitter.tone] ?? 1
}

function groupKey(sitter: Sitter): string {
  return [sitter.gender, sitter.tone, sitter.older ? 'older' : 'younger', sitter.cover].join('-')
}

function hairFor(sitter: Sitter, random: Random): HairColour {
  if (sitter.older) return random.pick(['grey', 'silver', 'grey', 'soft'] as const)
  return random.pick(HAIR_BY_TONE[sitter.tone] ?? ['black'])
}

function styleFor(sitter: Sitter, no: number): string {
  const styles = STYLES_FOR[sitter.gender]
  const kind = sitter.older ? 'older' : sitter.tone >= COILED_FROM ? 'coiled' : 'any'
  const choices: readonly string[] = styles[kind]
  return choices[no % choices.length] ?? 'crop'
}

function beardFor(sitter: Sitter, random: Random): Portrait['beard'] {
  if (sitter.gender === 'female') return 'none'
  if (sitter.cover === 'turban') return random.pick(['full', 'short', 'full'] as const)
  return pickWeighted(random, [
    ['none', 52],
    ['stubble', sitter.older ? 0 : 16],
    ['short', 20],
    ['full', 8],
    ['moustache', 4],
  ] as const)
}

function clothesFor(
  random: Random,
  background: number,
): Pick<Portrait, 'outfit' | 'colour' | 'under'> {
  const outfit = pickWeighted(random, [
    ['coat', 34],
    ['scrubs', 18],
    ['shirt', 20],
    ['cardigan', 14],
    ['jacket', 14],
  ] as const)
  // A blue shirt on a blue background, or green on green, would leave a floating head.
  const shirts = SHIRTS.filter((_, no) => no !== [3, 2, 2, 1, 3, 4, 2, 3][background])
  const colour =
    outfit === 'scrubs'
      ? random.pick(SCRUBS)
      : outfit === 'cardigan'
        ? random.pick(KNITS)
        : random.pick(shirts)
  return { outfit, colour, under: random.pick(['#ffffff', '#dbe8f1', '#f6e9dc', '#e4efe8']) }
}

function portraitOf(sitter: Sitter, no: number): Portrait {
  const key = hash32(groupKey(sitter))
  const random = randomFor(key, no)
  const background = (no * 3 + key) % BACKGROUNDS.length
  const clothes = clothesFor(random, background)
  return {
    ...clothes,
    background,
    skin: sitter.tone * 2 + random.between(0, 1),
    hair: hairFor(sitter, random),
    style: styleFor(sitter, no),
    stethoscope: clothes.outfit === 'coat' ? random.chance(0.5) : random.chance(0.12),
    glasses: pickWeighted(random, [
      ['none', sitter.older ? 45 : 68],
      ['round', 18],
      ['square', 18],
    ] as const),
    beard: beardFor(sitter, random),
    cover: sitter.cover,
    coverColour: SCARVES[(no * 5 + key) % SCARVES.length] ?? '#0b6b5b',
    lines: sitter.older,
    width: 0.96 + random.next() * 0.09,
    tilt: random.between(-3, 3),
  }
}

/** A picture by its stable key, drawn when asked. */
export type Picture = {
  key: string
  draw: () => string
  /** Width in pixels; left out, as large as it was drawn. */
  width?: number
}

/** One of the fixed set of portraits that matches the person. */
export function choosePortrait(sitter: Sitter, random: Random): Picture {
  const no = random.between(0, peopleIn(sitter) - 1)
  return {
    key: `portrait-${groupKey(sitter)}-${no}`,
    draw: () => drawPortrait(portraitOf(sitter, no)),
  }
}

function plainInitial(name: string): string {
  return name
    .normalize('NFD')
    .replace(/[^A-Za-z]/g, '')
    .charAt(0)
}

/** A picture of a name's initials, which also determine its background. */
export function chooseMonogram(firstName: string, lastName: string): Picture {
  const initials = (plainInitial(firstName) + plainInitial(lastName)).toUpperCase()
  return {
    key: `monogram-${initials}`,
    draw: () => drawMonogram(initials, hash32(initials) % BACKGROUNDS.length),
  }
}

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

/** Up to two initials on one of the backgrounds as SVG, 320 by 320. */
function drawMonogram(initials: string, backgroundNo: number): string {
  const background = BACKGROUNDS[backgroundNo % BACKGROUNDS.length]
  if (background === undefined) throw new Error('no background')
  const letters = Array.from(initials, (letter) => LETTERS[letter]).filter((d) => d !== undefined)
  const step = 84
  const left = 160 - ((letters.length - 1) * step) / 2 - 30
  const strokes = letters
    .map((d, at) => `<path transform="translate(${left + at * step} 110)" d="${d}"/>`)
    .join('')
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 320 320" width="320" height="320">` +
    `<rect width="320" height="320" fill="${background.base}"/><circle cx="160" cy="160" r="128" fill="${background.shape}"/>` +
    `<g fill="none" stroke="${background.ink}" stroke-width="13" stroke-linecap="round" stroke-linejoin="round">${strokes}</g></svg>`
  )
}
