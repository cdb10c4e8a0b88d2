import { expect, test } from 'vitest'
import type * as z from 'zod/mini'
import { DeskName, PersonName, searchableName, storedSpellings } from './person-names.ts'

const MISSING = 'Enter your last name.'
const Name = PersonName(MISSING)
const Desk = DeskName('Enter the patient’s name.')
const messages = (schema: z.ZodMiniType, typed: string) =>
  schema.safeParse(typed).error?.issues.map(({ message }) => message)

test.each([
  ['علی\u200cرضا', 'علی\u200cرضا'],
  ['ශ්\u200dරියානි', 'ශ්\u200dරියානි'],
  ['রিক্\u200cতা', 'রিক্\u200cতা'],
  ['র\u200d্যাচেল', 'র\u200d্যাচেল'],
  ['葛\u{e0100}城', '葛\u{e0100}城'],
  ['’t Hooft', "'t Hooft"],
  ["'t Hooft", "'t Hooft"],
  ['Mary\u00a0Ann', 'Mary Ann'],
  ['Mary\u2009\u202f Ann', 'Mary Ann'],
  ['O‘Brien', "O'Brien"],
  ['O´Brien', "O'Brien"],
  ['O`Brien', "O'Brien"],
  ['O\u02bcBrien', "O'Brien"],
  ['O′Brien', "O'Brien"],
  ['Ka\u02bbahumanu', 'Ka\u02bbahumanu'],
  ['Anne\u2011Marie', 'Anne-Marie'],
  ['Anne–Marie', 'Anne-Marie'],
  ['Anne—Marie', 'Anne-Marie'],
  ['Anne\u2212Marie', 'Anne-Marie'],
  ['Gal·la', 'Gal·la'],
  ['ジョン・スミス', 'ジョン・スミス'],
  ['King, Jr.', 'King, Jr.'],
  ['ג׳ורג׳', 'ג׳ורג׳'],
  ['בן־דוד', 'בן-דוד'],
  ['Jose\u0301', 'José'],
  ['Ａｎｎ\u3000Ｌｅｅ', 'Ann Lee'],
  ['“Ann Lee”', 'Ann Lee'],
  ['Lee,', 'Lee'],
  ['van der Berg', 'Van der Berg'],
  ["o'brien", "O'brien"],
  ['McKay', 'McKay'],
  ['élodie', 'Élodie'],
  ['ნინო', 'ნინო'],
  ['ßmann', 'ßmann'],
  ['陳大文', '陳大文'],
])('the name %j is stored as %j', (typed, stored) => {
  expect(Name.parse(typed)).toBe(stored)
  expect(Desk.parse(typed)).toBe(stored)
  // What was stored can be saved again unchanged.
  expect(Name.parse(stored)).toBe(stored)
})

const HIDDEN = /can’t be seen/
const RULE = /^Use letters, spaces, apostrophes and hyphens only\.$/

test.each([
  ['Ng\u200bozi', HIDDEN],
  ['\u202eizogN', HIDDEN],
  ['Ngozi\u0000', HIDDEN],
  ['An\u200dna', HIDDEN],
  ['An\u200cna', HIDDEN],
  ['علی\u200c\u200cرضا', HIDDEN],
  ['\u3164', HIDDEN],
  ['Ng\ufe0fozi', HIDDEN],
  [`Z${'\u0335'.repeat(5)}algo`, /^A letter can have up to four accents\./],
  ['Ng0zi', RULE],
  ['<b>Ngozi</b>', RULE],
  ['Mr & Mrs Brown', RULE],
  ['😀', RULE],
  ["'", RULE],
  ['-', /^Enter your last name\.$/],
  ['', /^Enter your last name\.$/],
  ['\u00a0', /^Enter your last name\.$/],
  ['x'.repeat(61), /^Use 60 characters or fewer\.$/],
])('the name %j is refused with a sentence that is true', (typed, rule) => {
  expect(messages(Name, typed)).toEqual([expect.stringMatching(rule)])
})

test('the length is that of what is stored, not of what was pasted', () => {
  expect(Name.parse(`${' '.repeat(40)}${'x'.repeat(60)}\u00a0`)).toHaveLength(60)
  expect(Name.parse(`Mary${'\u00a0'.repeat(80)}Ann`)).toBe('Mary Ann')
})

test.each([
  ['Mr & Mrs Brown', 'Mr & Mrs Brown'],
  ['Lee (twin 2)', 'Lee (twin 2)'],
  ['Henry 3rd', 'Henry 3rd'],
  ['2 of Lee', '2 of Lee'],
  ['Jo “JJ” Ray', 'Jo “JJ” Ray'],
  ['Baby of Ann Lee/Ray', 'Baby of Ann Lee/Ray'],
  ['Ｌｅｅ＃２', 'Lee#2'],
])('reception may type %j', (typed, stored) => {
  expect(Desk.parse(typed)).toBe(stored)
})

test.each(['12', '<b>Lee</b>', 'Lee=1', 'Lee\u200b'])('reception may not type %j', (typed) => {
  expect(messages(Desk, typed)).toHaveLength(1)
})

test('a search finds the folded name by any of its look-alikes, and the name of before folding', () => {
  for (const typed of ['O’BRIEN', 'o‘brien', "O'Brien", 'o´brien']) {
    expect(searchableName(typed)).toBe("o'brien")
    expect(storedSpellings(typed).map((one) => one.toLowerCase())).toEqual(["o'brien", 'o’brien'])
  }
})
