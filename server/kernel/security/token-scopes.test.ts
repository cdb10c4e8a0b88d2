import { expect, test } from 'vitest'
import { scopeFacts, TokenScope } from '#contract/access-tokens.ts'
import { accessTable, type Principal } from '#server/kernel/access.ts'
import { isQuery } from '#tests/harness/procedures.ts'
import { isForTokens, scopeTable } from './token-scopes.ts'

const kindOf = (who: Principal) =>
  who === 'visitor' || who === 'patient' || who === 'provider' ? who : 'staff'

test('no token can step up, sign in, move money, upload, or manage a whole account', () => {
  const reached = [...accessTable].filter(([path]) => isForTokens(path))
  expect(reached.length).toBeGreaterThan(20)
  expect(reached.filter(([, { stepUp }]) => stepUp !== undefined)).toEqual([])
  const rooms = new Set(reached.map(([path]) => path.slice(0, path.indexOf('.'))))
  expect(rooms.has('bankAccounts') || rooms.has('superUsers') || rooms.has('audit')).toBe(false)
  expect(reached.map(([path]) => path).filter((path) => path.startsWith('auth.'))).toEqual([
    'auth.me',
  ])
  const money = ['payments.startCard', 'payments.startWallet', 'payments.capture']
  expect([...money, 'erasure.erase', 'profiles.exportData'].filter(isForTokens)).toEqual([])
})

test('each scope lists existing procedures, each once, for accounts that may have it', () => {
  const listed = Object.values(scopeTable).flat()
  expect(listed.filter((path) => !accessTable.has(path))).toEqual([])
  expect(new Set(listed).size).toBe(listed.length)
  for (const scope of TokenScope.options) {
    const mayCall = new Set(
      scopeTable[scope].flatMap((path) => accessTable.get(path)?.may.map(kindOf) ?? []),
    )
    for (const kind of scopeFacts[scope].kinds)
      expect([scope, mayCall.has(kind)]).toEqual([scope, true])
  }
})

test('read scopes contain no writes', () => {
  const reading = TokenScope.options.filter((scope) => scope.endsWith(':read'))
  expect(reading.flatMap((scope) => scopeTable[scope]).filter((path) => !isQuery(path))).toEqual([])
  const writing = TokenScope.options.filter((scope) => scope.endsWith(':write'))
  expect(writing.flatMap((scope) => scopeTable[scope]).filter(isQuery)).toEqual([])
})

test('staff tokens cannot write', () => {
  const staffOnly = [...accessTable].filter(([, { may }]) =>
    may.every((who) => kindOf(who) === 'staff'),
  )
  const scopes = new Set(
    Object.entries(scopeTable)
      .filter(([, paths]) => staffOnly.some(([path]) => paths.includes(path)))
      .map(([scope]) => scope),
  )
  expect([...scopes].filter((scope) => !/^staff-\w+:read$/.test(scope))).toEqual([])
})
