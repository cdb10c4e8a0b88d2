import { ID_ALPHABET, ID_LENGTH } from '#contract/ids.ts'
import { hash32, randomFor } from './random.ts'

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
