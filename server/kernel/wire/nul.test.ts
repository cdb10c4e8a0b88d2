import { expect, test } from 'vitest'
import { assertNoNul } from './nul.ts'

test.each([
  [{ about: 'a\0b' }, 'about'],
  [{ places: [{ name: 'x' }, { name: '\0' }] }, 'places.1.name'],
  ['\0', ''],
])('a NUL in %j is found where it is', (input, path) => {
  const message = 'Use plain letters, digits and signs.'
  expect(() => assertNoNul(input)).toThrow(
    expect.objectContaining({ code: 'invalid_input', issues: [{ path, message }] }),
  )
})

test.each([undefined, null, 7, 'a', { a: ['b', { c: null }] }, { a: String.raw`\u0000` }])(
  '%j has none',
  (input) => {
    expect(() => assertNoNul(input)).not.toThrow()
  },
)
