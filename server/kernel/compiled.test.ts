import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { ErrorData } from '#contract/errors.ts'
import { Homepage } from '#contract/gallery.ts'
import { compiled } from './compiled.ts'

const Nested = z.object({
  total: z.int(),
  note: z.optional(z.string()),
  rows: z.array(
    z.object({
      id: z.string(),
      at: z.nullable(z.iso.datetime()),
      place: z.nullable(z.object({ name: z.string() })),
    }),
  ),
})

const row = { id: 'a', at: '2026-03-02T09:00:00.000Z', place: { name: 'Here' } }

test('what the schema lets through comes out the same, without what nobody declared', () => {
  const extra = { total: 1, secret: 1, rows: [{ ...row, email: 'a@b.example' }] }
  expect(compiled(Nested)(extra)).toEqual({ total: 1, rows: [row] })
  expect(compiled(Nested)(extra)).toEqual(Nested.parse(extra))
})

test.each([
  [{ total: 1.5, rows: [] }],
  [{ total: 1 }],
  [{ total: 1, rows: [{ ...row, at: 'tomorrow' }] }],
  [{ total: 1, rows: [{ ...row, place: {} }] }],
  [{ total: 1, note: 5, rows: [] }],
  [null],
])('%o is refused with the same issues', (value) => {
  const expected = Nested.safeParse(value).error?.issues
  let issues: unknown
  try {
    compiled(Nested)(value)
  } catch (error) {
    issues = error instanceof z.core.$ZodError ? error.issues : error
  }
  expect(expected).toBeDefined()
  expect(issues).toEqual(expected)
})

test('a text that passed as one format is still refused as another, and always while wrong', () => {
  const Dated = compiled(z.object({ at: z.iso.datetime(), on: z.iso.date() }))
  const good = { at: '2026-03-02T09:00:00.000Z', on: '2026-03-02' }
  for (let n = 0; n < 3; n++) {
    expect(Dated(good)).toEqual(good)
    expect(() => Dated({ at: good.on, on: good.on })).toThrow(z.core.$ZodError)
    expect(() => Dated({ at: good.at, on: '2026-02-30' })).toThrow(z.core.$ZodError)
  }
})

test('schemas of the contract behave alike', () => {
  const homepage = {
    image_url: null,
    color: '#ffffff',
    modal_image: null,
    show_modal: false,
    modal_heading: '',
    modal_description: '',
    image_alt: '',
    image_sizes: [],
    modal_sizes: [],
  }
  expect(compiled(Homepage)(homepage)).toEqual(homepage)
  expect(() => compiled(Homepage)({ ...homepage, color: 'red' })).toThrow(z.core.$ZodError)
  const data = { appCode: 'busy', details: { a: 1 }, issues: [], requestId: 'x' }
  expect(compiled(ErrorData)(data)).toEqual(data)
})
