import * as z from 'zod/mini'
import { hasLink, LINK_RULE } from './links.ts'
import { foldApostrophes, foldDashes, foldSpaces, foldWidth, hasHidden } from './typed-text.ts'

/**
 * Letters of any script with their marks, spaces, apostrophes, hyphens, full stops and commas, the middle dots
 * of Catalan and Japanese, the Tibetan and Ethiopic dividers, and Hebrew's geresh and gershayim.
 */
const NAME = /^[\p{L}\p{M}'., ·・\u0f0b\u1361׳״-]+$/u
const NAME_RULE = 'Use letters, spaces, apostrophes and hyphens only.'

/** What reception types as a patient's name besides: "Mr & Mrs Brown", "Lee (twin 2)", `Jo "JJ" Ray`. */
const DESK_NAME = /^[\p{L}\p{M}\p{Nd}'., ·・\u0f0b\u1361׳״&+()"“”#/-]+$/u
const DESK_NAME_RULE = 'Use letters, digits, spaces and the signs \' - . , & + ( ) " # / only.'

const HIDDEN_RULE =
  'This name contains characters that can’t be seen. Type it here instead of pasting it.'
const STACKED_RULE = 'A letter can have up to four accents. Remove the others.'

/** Marks stacked over the neighbouring lines. */
const STACKED = /\p{M}{5}/u

const CURSIVE =
  '\\p{Script=Arabic}\\p{Script=Syriac}\\p{Script=Mongolian}\\p{Script=Nko}\\p{Script=Adlam}'
const VIRAMA =
  '\\u094d\\u09cd\\u0a4d\\u0acd\\u0b4d\\u0bcd\\u0c4d\\u0ccd\\u0d4d\\u0dca\\u1039\\u17d2\\u1b44\\ua9c0'

/**
 * Characters that show nothing but change the letters beside them: joiners where Unicode Annex 31 (2.3)
 * allows them, before the virama of Bengali's and Kannada's ra, and the variants of Chinese characters.
 * Captures what stands before. Without lookbehind, which browsers lacked until 2023.
 */
const SHAPING = new RegExp(
  [
    `([${CURSIVE}]\\p{M}*)\\u200c(?=[${CURSIVE}])`,
    `(\\p{L}\\p{M}*[${VIRAMA}])[\\u200c\\u200d]`,
    `(\\p{L}\\p{M}*)\\u200d(?=[${VIRAMA}])`,
    '(\\p{Script=Han})[\\ufe00-\\ufe02\\u{e0100}-\\u{e01ef}]',
  ].join('|'),
  'gu',
)

/** Look-alikes folded, and what was copied along at both ends removed. */
function foldName(typed: string): string {
  const text = foldSpaces(foldDashes(foldApostrophes(foldWidth(typed.normalize('NFC')))))
  return text
    .trim()
    .replace(/^[“”„«"](.*)[“”»"]$/u, '$1')
    .replace(/^[ .,·&-]+/, '')
    .replace(/[ ,·&-]+$/, '')
}

/**
 * First letter capitalised, as the specification asks; the rest as typed ("McKay", "de Souza"). Letters whose
 * capital is none in names stay: Georgian has none, and ß would become two.
 */
function capitalised(name: string): string {
  const [first = '', ...rest] = name
  const capital = first.toLocaleUpperCase('en')
  const hasCapital = Array.from(capital).length === 1 && !/\p{Script=Georgian}/u.test(first)
  return (hasCapital ? capital : first) + rest.join('')
}

type NameRule = { allowed: RegExp; rule: string }
const PERSON: NameRule = { allowed: NAME, rule: NAME_RULE }
const DESK: NameRule = { allowed: DESK_NAME, rule: DESK_NAME_RULE }

/** A name by a rule, or nothing. */
function nameOrNothing(missing: string, { allowed, rule }: NameRule) {
  return z.string({ error: missing }).check(
    z.overwrite(foldName),
    z.maxLength(60, { error: 'Use 60 characters or fewer.' }),
    z.superRefine((name, context) => {
      if (name === '') return
      const shown = name.replaceAll(SHAPING, '$1$2$3$4')
      const isHidden = hasHidden(shown)
      const isStacked = STACKED.test(shown)
      const message = isHidden ? HIDDEN_RULE : isStacked ? STACKED_RULE : rule
      const isName = !isHidden && !isStacked && allowed.test(shown) && /\p{L}/u.test(shown)
      if (!isName) context.addIssue({ code: 'custom', message })
      else if (hasLink(shown)) context.addIssue({ code: 'custom', message: LINK_RULE })
    }),
    z.overwrite(capitalised),
  )
}

const isGiven = (missing: string) => z.minLength(1, { error: missing })

/** A first or last name of at most 60 characters; `missing` is the message when there is none. */
export function PersonName(missing: string) {
  return nameOrNothing(missing, PERSON).check(isGiven(missing))
}

/** A patient's whole name as reception writes it, with digits and a few signs more. */
export function DeskName(missing: string) {
  return nameOrNothing(missing, DESK).check(isGiven(missing))
}

/** The name of whoever fills in a form; in a schema of `withNames`. */
export const nameFields = {
  first_name: PersonName('Enter your first name.'),
  last_name: z._default(PersonName('Enter your last name.'), ''),
  /** True for people who have no last name: `last_name` is then left out or empty. */
  has_one_name: z.optional(z.boolean()),
}

type Names = { last_name?: unknown; has_one_name?: unknown }

/** Leaves out the last name of people who have none; everybody else's is required. */
function readNames(input: unknown): unknown {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return input
  const { last_name: last, ...rest }: Names = input
  if (rest.has_one_name !== true) return { ...rest, last_name: last ?? '' }
  return last === undefined || last === '' ? rest : input
}

/**
 * A schema of an object with `nameFields`. Not a check of the object, which would not run beside problems of
 * other fields.
 */
export function withNames<Output, Input>(
  schema: z.ZodMiniType<Output, Input>,
): z.ZodMiniType<Output, Input> {
  // The types of zod know no field that may be left out or filled in before it is read.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what goes in is what the schema takes
  return z.pipe(z.transform(readNames), schema) as z.ZodMiniType<Output, Input>
}

/** First and last name with a space between, or the one that there is. */
export function fullName(first: string | null, last: string | null): string {
  return [first, last].filter(Boolean).join(' ')
}

type Named = { title?: string | null; first_name: string | null; last_name: string | null }

/** A name as others see it, of a provider with the title: "Dr Ada Lovelace". Without a last name, the first. */
export function shownName({ title, first_name: first, last_name: last }: Named): string {
  return [title, first, last].filter(Boolean).join(' ')
}

/** A word of a name as it may be stored: names of before look-alikes were folded have ’ for '. */
export function storedSpellings(word: string): string[] {
  const folded = foldName(word)
  return [...new Set([folded, folded.replaceAll("'", '’')])]
}

/** A name or part of one as it is compared in searches: look-alikes folded, lower case. */
export function searchableName(text: string): string {
  return foldName(text).toLocaleLowerCase('en')
}
