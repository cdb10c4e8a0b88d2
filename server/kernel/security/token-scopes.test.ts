import { expect, test } from 'vitest'
import { scopeFacts, TokenScope } from '#contract/access-tokens.ts'
import { isOpen, type Principal } from '#server/kernel/access.ts'
import { procedures } from '#server/procedures.ts'

const kindOf = (who: Principal) =>
  who === 'visitor' || who === 'patient' || who === 'provider' ? who : 'staff'

const forTokens = [...procedures].filter(([, { meta }]) => meta.scope !== undefined)

test('no token can step up, sign in, move money, upload, or manage a whole account', () => {
  expect(forTokens.length).toBeGreaterThan(20)
  expect(forTokens.filter(([, { meta }]) => meta.stepUp !== undefined)).toEqual([])
  expect(forTokens.filter(([, { meta }]) => meta.isSecret === true)).toEqual([
    ['auth.me', expect.anything()],
  ])
  const paths = forTokens.map(([path]) => path)
  expect(paths.filter((path) => /^(bankAccounts|superUsers|audit|erasure)\./.test(path))).toEqual(
    [],
  )
  expect(paths.filter((path) => path.startsWith('auth.'))).toEqual(['auth.me'])
  const money = ['payments.startCard', 'payments.startWallet', 'payments.capture']
  expect(paths.filter((path) => money.includes(path))).toEqual([])
})

test('each scope opens something to each kind of account that may have it', () => {
  for (const scope of TokenScope.options) {
    const opened = forTokens.filter(([, { meta }]) => meta.scope === scope)
    const kinds = new Set(opened.flatMap(([, { meta }]) => meta.may.map(kindOf)))
    for (const kind of scopeFacts[scope].kinds)
      expect([scope, kinds.has(kind)]).toEqual([scope, true])
  }
})

test('read scopes contain no writes, and public calls are open to everybody', () => {
  const reading = forTokens.filter(([, { meta }]) => meta.scope?.endsWith(':read') === true)
  expect(reading.filter(([, { kind }]) => kind !== 'query')).toEqual([])
  const open = forTokens.filter(([, { meta }]) => meta.scope === 'any')
  expect(open.length).toBeGreaterThan(5)
  expect(open.filter(([, { meta }]) => !isOpen(meta))).toEqual([])
})

test('staff tokens cannot write', () => {
  const staffOnly = forTokens.filter(([, { meta }]) =>
    meta.may.every((who) => kindOf(who) === 'staff'),
  )
  expect(staffOnly.length).toBeGreaterThan(5)
  for (const [, { meta }] of staffOnly) expect(meta.scope).toMatch(/^staff-\w+:read$/)
})
