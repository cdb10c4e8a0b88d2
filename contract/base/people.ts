import * as z from 'zod/mini'

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
