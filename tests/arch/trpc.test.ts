import { expect, test } from 'vitest'
import { linesMatching, sourceFiles } from './repository.ts'

// Built from pieces, because this file is searched too.
const PRIVATE = new RegExp(['\\b_d', 'ef\\b|unstable-core-do-', 'not-import'].join(''))

test('tRPC is used through its documented interface: nothing reads its private parts', () => {
  const sources = sourceFiles()
  expect(sources.length).toBeGreaterThan(1_000)
  expect(linesMatching(sources, PRIVATE)).toEqual([])
})
