/** Folding of what people type and paste, before it is checked. Each function takes and returns plain text. */

/**
 * Characters without a shape of their own: format, control and private-use characters, and letters such as
 * U+3164 that show nothing.
 */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Co}\p{Zl}\p{Zp}\p{DI}]/u

/** Whether a text has characters nobody can see, besides spaces. */
export function hasHidden(text: string): boolean {
  return HIDDEN.test(text)
}

/**
 * Removes zero-width characters and those that change the writing direction, which other programs add around
 * what is copied. Control characters stay, to be refused.
 */
export function dropZeroWidth(text: string): string {
  return text.replaceAll(/[\p{Cf}\p{Variation_Selector}\u034f]/gu, '')
}

/** Any space of Unicode, and tabs, as one plain space. Line breaks stay. */
export function foldSpaces(text: string): string {
  return text.replaceAll(/[\t\p{Zs}]+/gu, ' ')
}

/** Dashes, minus signs and hyphens of any kind as `-`. */
export function foldDashes(text: string): string {
  return text.replaceAll(/[\p{Pd}\u02d7\u2043\u2212]/gu, '-')
}

/** Apostrophes, accents and primes typed for one, and the letter U+02BC, as `'`. The letter okina stays. */
export function foldApostrophes(text: string): string {
  return text.replaceAll(/[`´ʹʼʽˈ‘’‛′‵＇]/gu, "'")
}

/** ASCII written in full width, as by Japanese keyboards, and the ideographic space. */
export function foldWidth(text: string): string {
  return text
    .replaceAll(/[\uff01-\uff5e]/g, (one) => String.fromCharCode(one.charCodeAt(0) - 0xfee0))
    .replaceAll('\u3000', ' ')
}

const OPENING = /^[\s"'“”„‘’«‹()[\]{}<>.,;:!*-]+/
const CLOSING = /[\s"'“”„‘’»›()[\]{}<>.,;:!?*-]+$/

/** Removes quotes, brackets and punctuation from both ends, as around what is copied out of a sentence. */
export function stripWrapping(text: string): string {
  return text.replace(OPENING, '').replace(CLOSING, '')
}
