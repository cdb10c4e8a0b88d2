import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { ContactInput } from '#contract/messages.ts'
import { SearchFilters } from '#contract/search.ts'
import { AppError } from '#server/kernel/errors.ts'
import { makeProviderAccount } from '#tests/harness/accounts.ts'
import { Browser } from '#tests/harness/browser.ts'
import { describeEngines } from '#tests/harness/servers/engines.ts'
import { makeTestApp } from '#tests/harness/test-app.ts'
import { assertNoNul, inputRefusal, parseStrictJson } from './input.ts'

test.each([
  '{"a":1,"b":{"a":2},"c":[{"a":3},{"a":4}]}',
  '{"quote\\"d":"a\\\\","b":"{\\"a\\":1,\\"a\\":2}"}',
  ' [ "a" , "a" , { "a" : "a" } ] ',
  '"text"',
  'null',
  '12',
  '{}',
])('%s is read unchanged', (text) => {
  expect(parseStrictJson(text)).toEqual(JSON.parse(text))
})

test.each([
  '',
  '{',
  '{"a":1,}',
  "{'a':1}",
  'undefined',
  '{"a":1}{"a":1}',
  '{"a":1,"a":1}',
  '{"b":{"a":1,"c":2,"a":3}}',
  '{"a":1,"\\u0061":2}',
  '{"a" :1,"a"\n:2}',
  '{"__proto__":1,"__proto__":2}',
])('%s is not valid JSON here', (text) => {
  expect(() => parseStrictJson(text)).toThrow(new AppError('not_json'))
})

function nested(depth: number): string {
  return '['.repeat(depth) + ']'.repeat(depth)
}

test('deep nesting is refused', () => {
  expect(parseStrictJson(nested(32))).toBeDefined()
  expect(() => parseStrictJson(nested(33))).toThrow(new AppError('not_json'))
  expect(() => parseStrictJson(nested(10_000))).toThrow(new AppError('not_json'))
  const objects = '{"a":'.repeat(10_000) + '1' + '}'.repeat(10_000)
  expect(() => parseStrictJson(objects)).toThrow(new AppError('not_json'))
})

test.each([
  [{ about: 'a\0b' }, 'about'],
  [{ places: [{ name: 'x' }, { name: '\0' }] }, 'places.1.name'],
  ['\0', ''],
])('a NUL in %j is found at its path', (input, path) => {
  const message = 'Use only letters, numbers and punctuation.'
  expect(() => assertNoNul(input)).toThrow(
    expect.objectContaining({ code: 'invalid_input', issues: [{ path, message }] }),
  )
})

test.each([undefined, null, 7, 'a', { a: ['b', { c: null }] }, { a: String.raw`\u0000` }])(
  '%j has no NUL',
  (input) => {
    expect(() => assertNoNul(input)).not.toThrow()
  },
)

const about = {
  about: `${'I see people of all ages.'.repeat(3)}\0`,
  qualifications: ['MBBS'],
  languages: ['en'],
}

describeEngines('a NUL in submitted text', (makeDatabase) => {
  test.each([
    ['profiles.updateAbout', about],
    [
      'messages.contact',
      {
        first_name: 'Maya',
        last_name: 'Ellis',
        email: 'maya@mail.example',
        message: 'A question\0 from Maya.',
      },
    ],
  ])('is refused by %s in a sentence', async (path, input) => {
    const testApp = await makeTestApp({ database: await makeDatabase() })
    const { provider } = await makeProviderAccount(testApp)
    const browser = new Browser(testApp)
    await browser.signIn({ email: provider.email, kind: 'provider' })
    const { status, code, issues } = await browser.act(path, input)
    expect([status, code]).toEqual([400, 'invalid_input'])
    expect(issues[0]?.message).toBe('Use only letters, numbers and punctuation.')
  })
  test('in a search is refused too', async () => {
    const testApp = await makeTestApp({ database: await makeDatabase() })
    const { status } = await new Browser(testApp).ask('search.suggest', { text: 'Lon\0' })
    expect(status).toBe(400)
  })
})

function refusalOf(schema: z.ZodMiniType, input: unknown) {
  const parsed = z.safeParse(schema, input)
  if (parsed.success) throw new Error('the input was accepted')
  const { code, issues } = inputRefusal(parsed.error)
  return { code, issues }
}

test('a message that is a code becomes the code, with its sentence for the field', () => {
  expect(refusalOf(SearchFilters, { radius: 7 })).toEqual({
    code: 'radius_invalid',
    issues: [{ path: 'radius', message: 'Choose a distance of 1, 3, 5, 10, 25 or 50 miles.' }],
  })
})

test('at most ten unknown keys are named, shortened', () => {
  const input = Object.fromEntries(
    Array.from({ length: 50 }, (_, index) => [`${index}${'k'.repeat(1_000)}`, 1]),
  )
  const { code, issues } = refusalOf(SearchFilters, input)
  expect(code).toBe('unknown_field')
  expect(issues).toHaveLength(10)
  expect(issues[0]).toEqual({ path: `0${'k'.repeat(59)}`, message: 'Unknown field.' })
})

test('messages of the contract reach their fields unchanged', () => {
  const { code, issues } = refusalOf(ContactInput, {
    first_name: '',
    last_name: 'Lee',
    email: 'nobody',
    message: 'Can you see my son on Friday?',
  })
  expect(code).toBe('invalid_input')
  expect(issues).toEqual([
    { path: 'first_name', message: 'Enter your first name.' },
    { path: 'email', message: 'Enter a valid email address.' },
  ])
})

test.each([
  [z.string(), 1, 'send a text'],
  [z.number(), 'x', 'send a number'],
  [z.int(), 1.5, 'send a whole number'],
  [z.boolean(), 'yes', 'send true or false'],
  [z.array(z.string()), 'x', 'send a list'],
  [z.object({}), 'x', 'send an object with fields'],
  [z.enum(['uk', 'usa']), 'fr', 'send one of uk, usa'],
  [z.literal(true), false, 'send true'],
  [z.enum(Array.from('abcdefghijklmnop')), 'z', 'send one of the values it may have'],
  [z.string().check(z.minLength(1)), '', 'use at least 1 character'],
  [z.string().check(z.minLength(8)), 'x', 'use at least 8 characters'],
  [z.string().check(z.maxLength(3)), 'long', 'use no more than 3 characters'],
  [z.array(z.string()).check(z.minLength(1)), [], 'send at least 1'],
  [z.array(z.string()).check(z.maxLength(1)), ['a', 'b'], 'send 1 at most'],
  [z.int().check(z.minimum(1)), 0, 'send 1 or more'],
  [z.int().check(z.nonnegative()), -1, 'send 0 or more'],
  [z.int().check(z.positive()), 0, 'send more than 0'],
  [z.int().check(z.maximum(9)), 10, 'send 9 or less'],
  [z.iso.date(), '2 March', 'send a date such as 2026-03-02'],
  [z.iso.datetime(), 'now', 'send a date and time such as 2026-03-02T09:30:00Z'],
  [z.string().check(z.regex(/^a$/)), 'b', 'it is not in the form it should have'],
  [z.number().check(z.multipleOf(5)), 7, 'send a multiple of 5'],
  [z.union([z.string(), z.number()]), true, 'send one of the kinds of value it may have'],
  [z.string().check(z.refine(() => false)), 'x', 'it is not as it should be'],
])(
  'a field without its own message gets one that says what is wrong: %#',
  (schema, value, what) => {
    const { issues } = refusalOf(z.strictObject({ a: z.object({ b: schema }) }), {
      a: { b: value },
    })
    expect(issues).toEqual([{ path: 'a.b', message: `Check the field a.b: ${what}.` }])
  },
)
