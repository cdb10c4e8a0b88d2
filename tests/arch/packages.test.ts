import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { linesMatching, read, sourceFiles } from './repository.ts'

const Versions = z.record(z.string(), z.string())
const Manifest = z.object({
  dependencies: Versions,
  devDependencies: Versions,
  optionalDependencies: Versions,
})
test('package.json names exact versions, so that two installs are the same', () => {
  const manifest = Manifest.parse(JSON.parse(read('package.json')))
  const named = Object.entries({
    ...manifest.dependencies,
    ...manifest.devDependencies,
    ...manifest.optionalDependencies,
  })
  expect(named.length).toBeGreaterThan(40)
  const loose = named.filter(([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))
  expect(loose).toEqual([])
})

// Built from pieces, because this file is searched too.
const PRIVATE = new RegExp(['\\b_d', 'ef\\b|unstable-core-do-', 'not-import'].join(''))

test('tRPC is used through its documented interface: nothing reads its private parts', () => {
  const sources = sourceFiles()
  expect(sources.length).toBeGreaterThan(1_000)
  expect(linesMatching(sources, PRIVATE)).toEqual([])
})
