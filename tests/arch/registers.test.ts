import { readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { ErrorCode } from '#contract/errors.ts'
import { errorMessage } from '#contract/sentences.ts'
import { migrations } from '#migrations/registry.ts'
import { accessTable } from '#server/kernel/access.ts'
import { procedurePaths } from '#tests/harness/procedures.ts'
import { inRoot } from './repository.ts'

test('every migration file is registered, under its own name and in order', () => {
  const files = readdirSync(inRoot('migrations'))
    .filter((name) => /^\d/.test(name))
    .map((name) => name.replace(/\.ts$/, ''))
    .toSorted()
  expect(files.length).toBeGreaterThan(0)
  expect(Object.keys(migrations)).toEqual(files)
  expect(files.map((name) => Number(name.slice(0, 4)))).toEqual(files.map((_, at) => at + 1))
})

test('every error code has a sentence of its own kind, and it is a sentence', () => {
  const codes = ErrorCode.options
  expect(codes.length).toBeGreaterThan(10)
  const sentences = codes.map((code) => errorMessage(code, {}))
  const bad = sentences.filter(
    (text) => !/^[A-Z'‘“].{5,}$/u.test(text) || /undefined|null|NaN/.test(text),
  )
  expect(bad).toEqual([])
})

test('every procedure has its row in the access matrix, and every row a procedure', () => {
  expect(procedurePaths.length).toBeGreaterThan(100)
  expect([...accessTable.keys()].toSorted()).toEqual(procedurePaths.toSorted())
})
