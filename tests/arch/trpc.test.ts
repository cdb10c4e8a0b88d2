import { expect, test } from 'vitest'
import { linesMatching, sourceFiles } from './repository.ts'

// In pieces, because this file is a source too.
const PRIVATE = new RegExp(['\\b_d', 'ef\\b|unstable-core-do-', 'not-import'].join(''))

test('tRPC is used through its documented interface: nothing reads its private parts', () => {
  const sources = sourceFiles().filter((path) => /^(server|src|client|scripts)\//.test(path))
  expect(sources.length).toBeGreaterThan(400)
  expect(linesMatching(sources, PRIVATE)).toEqual([])
})

test('tests look inside tRPC in one place', () => {
  const inside = sourceFiles().filter(
    (path) => /^(tests|bench|examples)\//.test(path) && linesMatching([path], PRIVATE).length > 0,
  )
  expect(inside).toEqual(['tests/harness/procedures.ts'])
})
