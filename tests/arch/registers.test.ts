import { expect, test } from 'vitest'
import { MAX_ACCESS_TOKENS, scopeFacts, TokenScope } from '#contract/access-tokens.ts'
import { errorCodes, errorMessage } from '#contract/base/sentences.ts'
import { migrations } from '#migrations/registry.ts'
import { limits } from '#server/kernel/limits/rate-limit.ts'
import { metaOf } from '#tests/harness/procedures.ts'
import { read, sourceFiles } from './repository.ts'

test('migrations are numbered without gaps, and none twice', () => {
  const names = Object.keys(migrations)
  expect(names.length).toBeGreaterThan(0)
  expect(names.map((name) => Number(name.slice(0, 4)))).toEqual(names.map((_, at) => at + 1))
})

test('every error code has its own sentence', () => {
  expect(errorCodes.length).toBeGreaterThan(10)
  const sentences = errorCodes.map((code) => errorMessage(code, {}))
  const bad = sentences.filter(
    (text) => !/^[A-Z'‘“].{5,}$/u.test(text) || /undefined|null|NaN/.test(text),
  )
  expect(bad).toEqual([])
})

test('only these public queries may read from a replica', () => {
  const routers = sourceFiles().flatMap((path) => {
    const [, folder] = /^server\/([\w-]+)\/router\.ts$/.exec(path) ?? []
    return folder === undefined
      ? []
      : [{ path, room: folder.replace(/-(\w)/g, (_, c: string) => c.toUpperCase()) }]
  })
  expect(routers.length).toBeGreaterThan(15)
  const found = routers.flatMap(({ path, room }) =>
    [...read(path).matchAll(/(\w+): publicReadProcedure/g)].map(([, name]) => `${room}.${name}`),
  )
  expect(found.toSorted()).toEqual([
    'availability.freeTimes',
    'gallery.homepage',
    'profiles.visitTypes',
    'search.locate',
    'search.map',
    'search.provider',
    'search.providers',
    'search.suggest',
  ])
  for (const path of found) expect(metaOf(path).may).toContain('visitor')
})

const page = read('docs/scripts.md')
const rows = page.split('\n').flatMap((line) => {
  const cells = line.split('|').map((cell) => cell.trim())
  return cells.length > 3 ? [cells.slice(1, -1)] : []
})

test('the page about scripts lists every scope, with its accounts', () => {
  const named = rows.filter(([first = '']) => /^`[a-z-]+:(read|write)`$/.test(first))
  expect(named.map(([first]) => first)).toEqual(TokenScope.options.map((scope) => `\`${scope}\``))
  const forWhom = (kinds: readonly string[]) =>
    kinds.length === 3
      ? 'everybody'
      : kinds.map((kind) => (kind === 'staff' ? kind : `${kind}s`)).join(', ')
  expect(named.map(([, , whom]) => whom)).toEqual(
    TokenScope.options.map((scope) => forWhom(scopeFacts[scope].kinds)),
  )
})

test('its limits are the actual ones', () => {
  const limitOf = (what: string) => rows.find(([first]) => first === what)?.[1]
  expect(limitOf('calls of one token')).toBe(`${limits.token.calls} a minute`)
  expect(limitOf('searches of one token')).toBe(`${limits.search.calls} a minute`)
  expect(limitOf('everything from one network')).toBe(`${limits.all.calls} a minute`)
  expect(page).toContain(`An account can have ${MAX_ACCESS_TOKENS} tokens.`)
})
