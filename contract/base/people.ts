import * as z from 'zod/mini'

/** Letters of any script, marks, spaces, apostrophes, hyphens and full stops. */
const NAME = /^[\p{L}\p{M}][\p{L}\p{M}'’.\- ]*$/u
const NAME_RULE = 'Use letters, spaces, apostrophes and hyphens only.'

/**
 * Format, control and private-use characters hide text; none belongs in a name. Nor do invisible letters such as
 * U+3164, or marks stacked over neighbouring lines.
 */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Co}\p{Zl}\p{Zp}\p{DI}]|\p{M}{5}/u

/** Plain ASCII mailbox: look-alikes such as U+212A would fold into somebody else's address. */
const EMAIL = /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[a-z0-9](?:[a-z0-9-]{0,62}\.)+[a-z]{2,63}$/

/** First letter capitalised, as the specification asks; the rest as typed ("McKay", "de Souza"). */
function capitalised(name: string): string {
  const [first = '', ...rest] = name
  return first.toLocaleUpperCase('en') + rest.join('')
}

/** A first or last name of at most 60 characters; `missing` is the message when there is none. */
export function PersonName(missing: string) {
  return z.string({ error: missing }).check(
    z.trim(),
    z.minLength(1, { error: missing, abort: true }),
    z.maxLength(60, { error: 'Use 60 characters or fewer.' }),
    z.regex(NAME, { error: NAME_RULE }),
    z.refine<string>((value) => !INVISIBLE.test(value), { error: NAME_RULE }),
    z.overwrite(capitalised),
  )
}

/** Lower-cased once, here, so that every path stores and compares the same bytes. */
export const Email = z.string({ error: 'Enter your email address.' }).check(
  z.trim(),
  z.minLength(1, { error: 'Enter your email address.', abort: true }),
  z.maxLength(254, { error: 'Enter a valid email address.' }),
  // Before lower-casing: JavaScript folds the Kelvin sign into an ASCII k.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: printable ASCII is the point
  z.regex(/^[\x21-\x7e]+$/, { error: 'Enter a valid email address.', abort: true }),
  z.toLowerCase(),
  z.regex(EMAIL, { error: 'Enter a valid email address.' }),
  // Reserved (RFC 2606): we store such addresses in place of erased ones.
  z.refine<string>((value) => !value.endsWith('.invalid'), {
    error: 'Enter a valid email address.',
  }),
)

/** A telephone number as people write it: digits, spaces, dots, brackets, dashes, a leading plus. */
export const Phone = z.string({ error: 'Enter your phone number.' }).check(
  z.trim(),
  z.minLength(1, { error: 'Enter your phone number.', abort: true }),
  z.maxLength(30, { error: 'Enter a valid phone number.' }),
  z.regex(/^\+?[0-9(][0-9 ().-]{5,28}$/, { error: 'Enter a valid phone number.' }),
  z.refine<string>((value) => (value.match(/[0-9]/g)?.length ?? 0) >= 7, {
    error: 'Enter a valid phone number.',
  }),
)

type Named = { title?: string | null; first_name: string | null; last_name: string | null }

/** A name as others see it, of a provider with the title: "Dr Ada Lovelace". */
export function shownName({ title, first_name: first, last_name: last }: Named): string {
  return [title, first, last].filter(Boolean).join(' ')
}

/**
 * Removes invisible characters and those that change the writing direction from multi-line text: control
 * characters and bidi marks. Joiners stay, as used in Persian or emoji. NUL is left in, to be refused as
 * everywhere.
 */
export const stripInvisible = z.overwrite((text: string) =>
  text
    .replaceAll(/\r\n?|[\u2028\u2029]/g, '\n')
    .replaceAll('\t', ' ')
    .replaceAll(/(?![\n\0])[\p{Cc}\p{Co}\p{Bidi_Control}\ufeff]/gu, ''),
)

/** One line of free text; invisible and direction-changing characters are refused. */
export const Note = z.string().check(
  z.trim(),
  z.maxLength(200, { error: 'Use 200 characters or fewer.' }),
  z.regex(/^[^\p{Cc}\p{Cf}\p{Co}\p{DI}\p{Zl}\p{Zp}]*$/u, {
    error: 'Use only letters, numbers and punctuation.',
  }),
)

/** A date of birth, `1990-02-28`. The server checks the age. */
export const BirthDate = z.iso.date({ error: 'Enter your date of birth.' })

/** Verification status values of the specification. */
export const VerificationStatus = z.enum(['Verified', 'Unverified'])
export type VerificationStatus = z.infer<typeof VerificationStatus>

/** Who keeps the register: GMC and GDC for the UK, NPI for the USA. */
export const ProfessionalBody = z.enum(['GMC', 'GDC', 'NPI'])
export type ProfessionalBody = z.infer<typeof ProfessionalBody>

export const Gender = z.enum(['female', 'male', 'non_binary'])
export type Gender = z.infer<typeof Gender>

/**
 * Languages providers can say they speak, ISO 639. The position is a bit in the search index:
 * append only, at most 31. Names come from `Intl.DisplayNames`.
 */
export const LANGUAGES = [
  'en',
  'cy',
  'es',
  'fr',
  'de',
  'it',
  'pt',
  'pl',
  'ro',
  'ru',
  'uk',
  'tr',
  'ar',
  'fa',
  'ur',
  'hi',
  'pa',
  'gu',
  'bn',
  'ta',
  'zh',
  'yue',
  'vi',
  'ko',
  'ja',
  'tl',
  'so',
  'yo',
  'el',
] as const

export const Language = z.enum(LANGUAGES)
export type Language = z.infer<typeof Language>
