import type { Language } from '#contract/base/people.ts'

/**
 * First and last names by family origin. They are combined at random, so that nobody real is meant. `tones`
 * are the bands of portraits.ts with their weights.
 */
export type Heritage = {
  key: string
  female: readonly string[]
  male: readonly string[]
  last: readonly string[]
  tones: readonly (readonly [number, number])[]
  /** Languages besides English, and how likely a person with these names speaks each. */
  languages: readonly (readonly [Language, number])[]
  /** Share of women drawn with a headscarf, and of men drawn with a turban. */
  scarf?: number
  turban?: number
}

/** A list of names written as words; an underscore is a space inside a name. */
export function wordList(text: string): readonly string[] {
  return text
    .trim()
    .split(/\s+/)
    .map((word) => word.replaceAll('_', ' '))
}

/** Common mixes of skin tones, as weights by band. */
export const TONES = {
  pale: [
    [0, 74],
    [1, 16],
    [4, 4],
    [3, 6],
  ],
  warm: [
    [1, 70],
    [2, 30],
  ],
  brown: [
    [2, 62],
    [3, 28],
    [1, 10],
  ],
  dark: [
    [4, 66],
    [3, 34],
  ],
} as const
