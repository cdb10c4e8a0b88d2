import { randomBytes } from 'node:crypto'
import { ID_ALPHABET, ID_LENGTH } from '#contract/ids.ts'

const POOL_SIZE = 4_096
let pool = randomBytes(0)
let used = 0

/** Random bytes are drawn in bulk, for some hundred ids at a time. */
function randomByte(): number {
  if (used >= pool.length) {
    pool = randomBytes(POOL_SIZE)
    used = 0
  }
  const byte = pool[used] ?? 0
  used += 1
  return byte
}

/** `length` characters of Crockford base32, five random bits each. */
export function randomText(length: number): string {
  let text = ''
  for (let index = 0; index < length; index += 1) text += ID_ALPHABET.charAt(randomByte() & 31)
  return text
}

/** A new id such as `msg_…`: 130 random bits after a prefix that names the type. */
export function newId(prefix: string): string {
  return `${prefix}_${randomText(ID_LENGTH)}`
}

/** A random number in [0, 1), for spreading load. */
export function chance(): number {
  return Math.random()
}
