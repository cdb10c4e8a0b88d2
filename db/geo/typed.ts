import { parse, validOutcode } from 'postcode'
import type { Region } from '#contract/base/region.ts'
import {
  dropZeroWidth,
  foldApostrophes,
  foldDashes,
  foldSpaces,
  stripWrapping,
} from '#contract/base/typed-text.ts'

/** A reading of a UK code: what to look up, finest first. */
export type UkReading = {
  unit: string | null
  /** "SW1A 1", or null when only the first half was typed. */
  sector: string | null
  outcode: string
  /** Whether the outcode may be used for a sector that does not exist. */
  isCertain: boolean
}

/** Text typed into the place box, classified by its form alone. */
export type Typed =
  | { kind: 'empty' }
  | { kind: 'invalid' }
  /** A code without a location: forces' post offices, giro banks. */
  | { kind: 'no_place'; code: string }
  /** `readings` in the order to try: "M11" is an outcode or the sector "M1 1". */
  | { kind: 'uk_code'; code: string; readings: UkReading[] }
  /** Five digits, or the first three or four. */
  | { kind: 'zip'; code: string }
  /** Name and what follows its comma: "Newport", "Wales"; an outcode may follow too. */
  | {
      kind: 'name'
      /** The complete text, for the message that it was not found. */
      text: string
      name: string
      qualifier: string | null
      outcode: string | null
      /** The region named at the end of the text: "Boston, UK". */
      country: Region | null
    }

/** Nobody types a longer place; the search input allows as much. */
const MAX_LENGTH = 80

/** Letters, digits and the punctuation of names: no markup or wildcards. */
const PLACE_TEXT = /^[\p{L}\p{N}'][\p{L}\p{M}\p{N} .,'()&/-]*$/u

/**
 * Codes the Post Office uses for forces, banks and returns: no point on the map. Exact, because
 * Girvan is a town and BT9 9AB a street.
 */
const WITHOUT_PLACE =
  /^(?:BFPO ?\d{0,4}|B[FX]\d[A-Z\d]?(?: ?\d[A-Z]{0,2})?|GIR(?: ?0A{0,2})?|(?:BT|ZZ)99(?: ?\d[A-Z]{0,2})?)$/

/** A whole postcode among the words of an address, the last one when there are several. */
const POSTCODE_WITHIN = /^(?:.*[ ,.(])?([A-Z]{1,2}\d[A-Z\d]? ?-? ?\d[A-Z]{2})(?:[ ,.)].*)?$/i

/** A ZIP code at the end of an address, after its state, or at the start before a comma. */
const ZIP_WITHIN = [
  /\p{L}.*[ ,.](\d{5})(?:-\d{4})?$/u,
  /[ ,.][A-Z]{2}\.? ?,? ?(\d{5})(?:-\d{4})?(?:[ ,].*)?$/i,
  /^(\d{5})(?:-\d{4})?,.*\p{L}/u,
]

/** Words at the end of a place name that name a region. */
const COUNTRY_WORDS: readonly [word: string, region: Region][] = [
  ['uk', 'uk'],
  ['gb', 'uk'],
  ['united kingdom', 'uk'],
  ['great britain', 'uk'],
  ['us', 'usa'],
  ['usa', 'usa'],
  ['united states', 'usa'],
]

/** Parses typed text. Tolerates spelling, case and spaces; does not check whether the place exists. */
export function readTyped(input: string): Typed {
  // Normalising 10,000 characters would be wasted work.
  if (input.length > MAX_LENGTH * 4) return { kind: 'invalid' }
  const folded = foldDashes(foldSpaces(foldApostrophes(dropZeroWidth(input)).normalize('NFKC')))
  const trimmed = folded.trim()
  if (trimmed === '') return { kind: 'empty' }
  const text = unwrapped(trimmed).replace(/ +/g, ' ')
  if (text.length > MAX_LENGTH || text.includes('--') || !PLACE_TEXT.test(text)) {
    return { kind: 'invalid' }
  }
  return readCode(text) ?? readName(text)
}

/** Text without what was copied around it. Brackets and hyphens within stay: "Hull (Kingston upon Hull)". */
function unwrapped(text: string): string {
  const inner = stripWrapping(text)
  const isOpen = inner.split('(').length > inner.split(')').length
  // Only signs, or a sign of the search itself: refused below.
  return inner === '' || /^[-<]|>$/.test(text) ? text : isOpen ? `${inner})` : inner
}

function readCode(text: string): Typed | null {
  // ASCII only: "ß" becomes "SS" in capitals, which would match Southend.
  const capitals = text.replace(/[a-z]+/g, (letters) => letters.toUpperCase())
  const code = capitals.replace(/ ?- ?/g, '-').replace(/^([A-Z]{1,2}) (?=\d)/, '$1')
  const compact = code.replaceAll(' ', '')
  if (WITHOUT_PLACE.test(code)) return { kind: 'no_place', code }
  const zip = /^(\d{5})(?:-?\d{4}|-\d{0,3})?$/.exec(compact)?.[1]
  if (zip !== undefined) return { kind: 'zip', code: zip }
  if (/^\d{3,4}$/.test(compact)) return { kind: 'zip', code: compact }
  if (/^[\d-]+$/.test(compact)) return { kind: 'invalid' }
  return readUkCode(code, compact) ?? codeWithin(text) ?? confusedCode(compact)
}

/** "SE1-6ET", "SE1.6ET", "SE1, 6ET": a whole postcode with signs for its space. */
const withoutSigns = (code: string) => code.replaceAll(/[ .,/-]/g, '')

/** Where letters (L) and digits (N) stand in postcodes. */
const FORMS = ['LNNLL', 'LNNNLL', 'LLNNLL', 'LLNNNLL', 'LNLNLL', 'LLNLNLL']

const asDigit: Readonly<Record<string, string>> = { O: '0', I: '1', L: '1' }
const asLetter: Readonly<Record<string, string>> = { '0': 'O', '1': 'I' }

/** A code read by one of the forms, with look-alikes exchanged where the form needs the other kind. */
function readAs(form: string, code: string): string | null {
  if (form.length !== code.length) return null
  const read = code.replaceAll(
    /[OIL01]/g,
    (one, at: number) => (form[at] === 'N' ? asDigit : asLetter)[one] ?? one,
  )
  return parse(read).valid ? read : null
}

/**
 * A whole code with O for 0 or I for 1, or the other way round, that is none as typed; null where it could be
 * read in more than one way.
 */
function confusedCode(compact: string): Typed | null {
  const code = withoutSigns(compact)
  if (!/^(?=.*\d)[A-Z\d]+$/.test(code)) return null
  if (/^[\dOIL]{5}$/.test(code)) {
    return { kind: 'zip', code: code.replaceAll(/[OIL]/g, (one) => asDigit[one] ?? one) }
  }
  const [first, ...others] = new Set(FORMS.flatMap((form) => readAs(form, code) ?? []))
  return first === undefined || others.length > 0 ? null : fullPostcode(first)
}

function fullPostcode(compact: string): Typed | null {
  const parts = parse(compact)
  if (!parts.valid) return null
  const { postcode, sector, outcode } = parts
  const reading = { unit: compact, sector, outcode, isCertain: true }
  return { kind: 'uk_code', code: postcode, readings: [reading] }
}

function readUkCode(code: string, compact: string): Typed | null {
  const full = fullPostcode(withoutSigns(compact))
  if (full !== null) return full
  const readings: UkReading[] = []
  const [head, tail] = code.split(' ')
  const isWhole = code === compact
  if (isWhole && validOutcode(compact)) {
    readings.push({ unit: null, sector: null, outcode: compact, isCertain: true })
  }
  // A sector, or a postcode without its last letter or two.
  const half = isWhole
    ? /^(.+?)(\d)[A-Z]?$/.exec(compact)
    : /^(\S+) (\d)[A-Z]?$/.exec(`${head} ${tail}`)
  const [, outcode, digit] = half ?? []
  if (outcode !== undefined && validOutcode(outcode) && code.split(' ').length <= 2) {
    const isCertain = readings.length === 0
    readings.push({ unit: null, sector: `${outcode} ${digit}`, outcode, isCertain })
  }
  return readings.length === 0 ? null : { kind: 'uk_code', code, readings }
}

/** An address with its code: the code is more precise than the words around it. */
function codeWithin(text: string): Typed | null {
  const { words } = withoutCountry(text)
  const postcode = POSTCODE_WITHIN.exec(words)?.[1]
  if (postcode !== undefined) return fullPostcode(withoutSigns(postcode).toUpperCase())
  for (const pattern of ZIP_WITHIN) {
    const zip = pattern.exec(words)?.[1]
    if (zip !== undefined) return { kind: 'zip', code: zip }
  }
  return null
}

function readName(text: string): Typed {
  const { words, country } = withoutCountry(text)
  const parts = words
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
  const atEnd = /^(.+?)[ ,]+([A-Z]{1,2}\d[A-Z\d]?)$/i.exec(words)
  const name = atEnd?.[1] ?? parts[0] ?? ''
  if (!/\p{L}/u.test(name) || /\p{N}/u.test(name)) return { kind: 'invalid' }
  const outcode = atEnd?.[2]?.toUpperCase() ?? null
  const qualifier = parts.length > 1 ? (parts.at(-1) ?? null) : null
  if (qualifier !== null && outcode === null && /\p{N}/u.test(qualifier)) return { kind: 'invalid' }
  return {
    kind: 'name',
    text,
    name,
    qualifier: outcode === null ? qualifier : null,
    outcode,
    country,
  }
}

/** Strips "UK" or "USA" from the end of a name. */
function withoutCountry(text: string): { words: string; country: Region | null } {
  const lower = text.toLowerCase()
  for (const [word, country] of COUNTRY_WORDS) {
    const before = lower.endsWith(word) ? text.slice(0, -word.length) : ''
    const words = before.replace(/[ ,]+$/, '')
    if (words !== '' && words !== before) return { words, country }
  }
  return { words: text, country: null }
}
