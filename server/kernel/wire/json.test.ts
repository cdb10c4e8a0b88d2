import { expect, test } from 'vitest'
import { AppError } from '#server/kernel/errors.ts'
import { parseStrictJson } from './json.ts'

test.each([
  '{"a":1,"b":{"a":2},"c":[{"a":3},{"a":4}]}',
  '{"quote\\"d":"a\\\\","b":"{\\"a\\":1,\\"a\\":2}"}',
  ' [ "a" , "a" , { "a" : "a" } ] ',
  '"text"',
  'null',
  '12',
  '{}',
])('%s is read as it stands', (text) => {
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

test('nesting is refused before it hurts', () => {
  expect(parseStrictJson(nested(32))).toBeDefined()
  expect(() => parseStrictJson(nested(33))).toThrow(new AppError('not_json'))
  expect(() => parseStrictJson(nested(10_000))).toThrow(new AppError('not_json'))
  const objects = '{"a":'.repeat(10_000) + '1' + '}'.repeat(10_000)
  expect(() => parseStrictJson(objects)).toThrow(new AppError('not_json'))
})
