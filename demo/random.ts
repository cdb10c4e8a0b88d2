import { ID_ALPHABET, ID_LENGTH } from '#contract/base/ids.ts'

/** A repeatable random generator; `next` gives a float from 0 up to but not including 1. */
export type Random = {
  next: () => number
  /** An integer from `low` to `high`, both included. */
  between: (low: number, high: number) => number
  chance: (probability: number) => boolean
  pick: <T>(choices: readonly T[]) => T
}

/** The seed of everything in the demo. Changing it changes all of its data. */
const SEED = 0x0a99051e

/** FNV-1a: spreads short keys such as ids over 32 bits. */
export function hash32(text: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  }
  return hash >>> 0
}

/**
 * The sfc32 generator (Chris Doty-Humphrey, public domain) started from two keys. The same keys
 * give the same sequence on every machine and in every version of the runtime.
 */
export function randomFor(key: number, detail = 0): Random {
  let a = SEED
  let b = key | 0
  let c = detail | 0
  let counter = 1

  function next(): number {
    const sum = (((a + b) | 0) + counter) | 0
    counter = (counter + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = (c << 21) | (c >>> 11)
    c = (c + sum) | 0
    return (sum >>> 0) / 4_294_967_296
  }

  // The first values still resemble the keys.
  for (let round = 0; round < 12; round += 1) next()

  function pick<T>(choices: readonly T[]): T {
    const chosen = choices[Math.floor(next() * choices.length)]
    if (chosen === undefined) throw new Error('nothing to pick from')
    return chosen
  }

  return {
    next,
    between: (low, high) => low + Math.floor(next() * (high - low + 1)),
    chance: (probability) => next() < probability,
    pick,
  }
}

/** One of `choices`, with probabilities in proportion to their weights. */
export function pickWeighted<T>(random: Random, choices: readonly (readonly [T, number])[]): T {
  const total = choices.reduce((sum, [, weight]) => sum + weight, 0)
  let left = random.next() * total
  for (const [choice, weight] of choices) {
    left -= weight
    if (left < 0) return choice
  }
  const last = choices.at(-1)
  if (last === undefined) throw new Error('nothing to pick from')
  return last[0]
}

/** The same items in a different, repeatable order. */
export function shuffled<T>(random: Random, items: readonly T[]): T[] {
  const result = [...items]
  for (let at = result.length - 1; at > 0; at -= 1) {
    const other = random.between(0, at)
    const here = result[at]
    const there = result[other]
    if (here === undefined || there === undefined) continue
    result[at] = there
    result[other] = here
  }
  return result
}

type Prefix =
  | 'abs'
  | 'blk'
  | 'apt'
  | 'bnk'
  | 'chk'
  | 'clm'
  | 'cmp'
  | 'doc'
  | 'dsk'
  | 'img'
  | 'msg'
  | 'out'
  | 'pay'
  | 'plc'
  | 'prf'
  | 'prv'
  | 'req'
  | 'rfd'
  | 'rmd'
  | 'ocl'
  | 'usr'
  | 'vtp'
  | 'xdt'

/** A deterministic id in the product's format: the same key gives the same id. */
export function idFrom(prefix: Prefix, key: string): string {
  const random = randomFor(hash32(key), hash32(`${prefix} ${key}`))
  let body = ''
  for (let at = 0; at < ID_LENGTH; at += 1) {
    body += ID_ALPHABET.charAt(random.between(0, ID_ALPHABET.length - 1))
  }
  return `${prefix}_${body}`
}
