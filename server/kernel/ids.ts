import { customAlphabet } from 'nanoid'
import { ID_ALPHABET, ID_LENGTH } from '#contract/base/ids.ts'

/** `length` characters of Crockford base32, five random bits each. */
export const randomText: (length: number) => string = customAlphabet(ID_ALPHABET)

/** A new id such as `msg_…`: 130 random bits after a prefix that names the type. */
export function newId(prefix: string): string {
  return `${prefix}_${randomText(ID_LENGTH)}`
}

/** A random number in [0, 1), for spreading load. */
export function chance(): number {
  return Math.random()
}
