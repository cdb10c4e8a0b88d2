import * as z from 'zod/mini'

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
