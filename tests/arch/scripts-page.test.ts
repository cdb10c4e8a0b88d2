import { expect, test } from 'vitest'
import { MAX_ACCESS_TOKENS, scopeFacts, TokenScope } from '#contract/access-tokens.ts'
import { limits } from '#server/kernel/limits/rate-limit.ts'
import { read } from './repository.ts'

const page = read('docs/scripts.md')
const rows = page.split('\n').flatMap((line) => {
  const cells = line.split('|').map((cell) => cell.trim())
  return cells.length > 3 ? [cells.slice(1, -1)] : []
})

test('the page about scripts names every scope, and whom it is for', () => {
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

test('the limits it tells are those that hold', () => {
  const told = (what: string) => rows.find(([first]) => first === what)?.[1]
  expect(told('calls of one token')).toBe(`${limits.token.calls} a minute`)
  expect(told('searches of one token')).toBe(`${limits.search.calls} a minute`)
  expect(told('everything from one network')).toBe(`${limits.all.calls} a minute`)
  expect(page).toContain(`At most ${MAX_ACCESS_TOKENS} an account.`)
})
