import type { Random } from '#demo/random.ts'

/** What a provider's portrait has to match. `tone` is one of five bands, light to dark. */
export type Sitter = {
  gender: 'female' | 'male'
  tone: number
  older: boolean
  cover: 'none' | 'scarf' | 'turban'
}

/** How many different people of each tone there are: common ones need more variety. */
const YOUNGER = [34, 30, 26, 24, 20]
const OLDER = [22, 16, 14, 12, 10]
const SCARVED = 14
const TURBANED = 7

function peopleIn(sitter: Sitter): number {
  if (sitter.cover === 'scarf') return SCARVED
  if (sitter.cover === 'turban') return TURBANED
  return (sitter.older ? OLDER : YOUNGER)[sitter.tone] ?? 1
}

/** Name of one of the portraits that match the person: a file in `files/`. */
export function choosePortrait(sitter: Sitter, random: Random): string {
  const { gender, tone, older, cover } = sitter
  const no = random.between(0, peopleIn(sitter) - 1)
  return `portrait-${gender}-${tone}-${older ? 'older' : 'younger'}-${cover}-${no}`
}
