import * as z from 'zod/mini'
import { dropZeroWidth, foldDashes, foldSpaces, foldWidth } from './typed-text.ts'

const INVALID = 'Enter a valid phone number.'

/** An extension after the number: "ext. 4", "x4", "#4", ";ext=4" (RFC 3966), "(ext 4)". */
const EXTENSION =
  /^(.*\d[) ]*?),? ?(?:;ext=|\(?(?:ext(?:ension|n)?|x)[.:]? ?|# ?)([0-9]{1,10})\)?$/i

/** Digits with what people put between them: spaces, dots, brackets, dashes, slashes. */
const NUMBER = /^\+?[0-9( ][0-9 ()./-]*$/

/** E.164 has at most 15 digits; an international prefix and a trunk "(0)" may be written besides. */
const DIGITS = { least: 7, most: 19 } as const

const split = (folded: string) => {
  const [, number = folded, extension = null] = EXTENSION.exec(folded) ?? []
  return { number: number.trim(), extension }
}

function foldPhone(typed: string): string {
  const text = foldSpaces(foldDashes(foldWidth(dropZeroWidth(typed))))
    .trim()
    .replace(/[.,;]+$/, '')
    .replace(/^["'“‘](.*)["'”’]$/u, '$1')
    .replace(/^tel:/i, '')
    .trim()
    .replace(/^ ?\( ?\+ ?([0-9]+) ?\)/, '+$1')
    .replace(/^\+ /, '+')
  const { number, extension } = split(text)
  return extension === null ? number : `${number} ext ${extension}`
}

function isPhone(folded: string): boolean {
  const { number } = split(folded)
  const count = number.replaceAll(/[^0-9]/g, '').length
  return NUMBER.test(number) && count >= DIGITS.least && count <= DIGITS.most
}

/**
 * A telephone number as people write it, kept as written but for invisible characters, dashes and spaces; an
 * extension follows as "ext 4".
 */
export const Phone = z
  .string({ error: 'Enter your phone number.' })
  .check(
    z.overwrite(foldPhone),
    z.minLength(1, { error: 'Enter your phone number.', abort: true }),
    z.maxLength(50, { error: INVALID, abort: true }),
    z.refine<string>(isPhone, { error: INVALID }),
  )

/**
 * The `tel:` link of a stored number (RFC 3966): "+44 (0)20 7946 0123 ext 4" calls +442079460123;ext=4. The
 * trunk zero in brackets is dialled only within the country.
 */
export function phoneLink(phone: string): string {
  const { number, extension } = split(phone)
  const isInternational = /^(?:\+|00)/.test(number)
  const dialled = (isInternational ? number.replace(/\( ?0 ?\)/, '') : number)
    .replaceAll(/[^+0-9]/g, '')
    .replace(/^00/, '+')
  return `tel:${dialled}${extension === null ? '' : `;ext=${extension}`}`
}
