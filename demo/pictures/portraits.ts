import { hash32, pickWeighted, type Random, randomFor } from '#demo/random.ts'
import { STYLES_FOR } from './draw-hair.ts'
import { drawMonogram } from './draw-monogram.ts'
import { GROUNDS, type HairColour, KNITS, SCARVES, SCRUBS, SHIRTS } from './draw-palette.ts'
import { drawPortrait, type Portrait } from './draw-portrait.ts'

/** What a provider's picture has to agree with. `tone` is one of five bands, light to dark. */
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

function clothesFor(random: Random, ground: number): Pick<Portrait, 'outfit' | 'colour' | 'under'> {
  const outfit = pickWeighted(random, [
    ['coat', 34],
    ['scrubs', 18],
    ['shirt', 20],
    ['cardigan', 14],
    ['jacket', 14],
  ] as const)
  // A blue shirt on the blue ground, or green on green, would leave a floating head.
  const shirts = SHIRTS.filter((_, no) => no !== [3, 2, 2, 1, 3, 4, 2, 3][ground])
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
  const ground = (no * 3 + key) % GROUNDS.length
  const clothes = clothesFor(random, ground)
  return {
    ...clothes,
    ground,
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
  /** Pixels across; left out it is as large as it was drawn. */
  width?: number
}

/** One of the fixed set of portraits that agrees with the sitter. */
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

/** The initials of a name; which ground they stand on follows from them. */
export function chooseMonogram(firstName: string, lastName: string): Picture {
  const initials = (plainInitial(firstName) + plainInitial(lastName)).toUpperCase()
  return {
    key: `monogram-${initials}`,
    draw: () => drawMonogram(initials, hash32(initials) % GROUNDS.length),
  }
}
