import { expect, test } from 'vitest'
import { rawMember } from './signatures.ts'

test.each([
  ['{"a": 1, "b" : { "x" :[1, 2] } }', 'b', '{ "x" :[1, 2] }'],
  [String.raw`{"a":"\"b\":{","b":"caf\u00e9"}`, 'b', String.raw`"caf\u00e9"`],
  ['{"x":{"b":1},"b":2}', 'b', '2'],
  ['{"b":null,"c":1}', 'b', 'null'],
  ['{"a":["b",{"b":3}]}', 'b', null],
])('in %s the member %s is %s, byte for byte', (json, name, raw) => {
  expect(rawMember(json, name)).toBe(raw)
})
