import type { Region } from '#contract/region.ts'

/** British spellings in our texts, with their American forms. */
const AMERICAN_SPELLINGS: readonly (readonly [RegExp, string])[] = [
  [/\bcolour/g, 'color'],
  [/\bcoeliac\b/g, 'celiac'],
  [/\bsquints\b/g, 'crossed eyes'],
  [/\btummy\b/g, 'stomach'],
  [/\bneighbour/g, 'neighbor'],
  [/\bpiles\b/g, 'hemorrhoids'],
  [/\bprogramme/g, 'program'],
  [/\bspecialis/g, 'specializ'],
  [/\borganis/g, 'organiz'],
  [/\bpractise\b/g, 'practice'],
  [/\bpractised\b/g, 'practiced'],
  [/\bcentre\b/g, 'center'],
  [/\bjudgement/g, 'judgment'],
  [/\ba lift\b/g, 'an elevator'],
  [/\bletter the same day\b/g, 'visit summary the same day'],
  [/\bcheck-up/g, 'checkup'],
  [/\bCheck-up/g, 'Checkup'],
]

/** A text of ours as the region spells it. */
export function localSpelling(text: string, region: Region): string {
  if (region === 'uk') return text
  return AMERICAN_SPELLINGS.reduce(
    (result, [british, american]) => result.replace(british, american),
    text,
  )
}
