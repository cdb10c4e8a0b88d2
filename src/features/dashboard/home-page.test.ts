import { expect, test } from 'vitest'
import { CompanyClaim } from '#contract/verification.ts'
import { businessFacts } from './home-page.tsx'

const claim = (state: CompanyClaim['state'], reason: string | null = null): CompanyClaim =>
  CompanyClaim.parse({
    id: `cmp_${'0'.repeat(26)}`,
    company_name: 'Borough Care Ltd',
    registration_number: '01234567',
    address: '12 Harper Road',
    document: { kind: 'pdf', bytes: 1_000 },
    state,
    reason,
    sentAt: '2026-03-02T09:00:00.000Z',
    decidedAt: null,
  })

const asked = (about: 'company' | 'registration') => ({
  at: '2026-03-02T09:00:00.000Z',
  what: 'Which branch is yours?',
  about,
})

const facts = (verification: object = {}, hasBankAccount = true) =>
  businessFacts({
    profile: { hasBankAccount },
    verification: { asked: null, company: null, verification_status: 'Verified', ...verification },
  })

test('each state of a company has its words, its mark and the way on', () => {
  const [missing] = facts()
  expect(missing).toMatchObject({ mark: 'missing', action: { to: '/company-verify' } })
  expect(facts({ company: claim('in_review') })[0]).toMatchObject({ mark: 'waiting' })
  expect(facts({ company: claim('accepted') })[0]).toEqual({
    mark: 'done',
    words: 'We have confirmed your company.',
  })
  expect(facts({ company: claim('refused', 'Another address.') })[0]).toMatchObject({
    mark: 'wrong',
    more: 'Another address.',
    action: { label: 'Send your company again' },
  })
})

test('a question about the company is what counts, whatever became of the company', () => {
  const [question] = facts({ asked: asked('company'), company: claim('in_review') })
  expect(question).toMatchObject({ mark: 'wrong', more: 'Which branch is yours?' })
})

test('a question about the registration of somebody Verified comes first; before, its own button leads there', () => {
  expect(facts({ asked: asked('registration') })[0]).toMatchObject({
    action: { to: '/provider-verify' },
  })
  const waiting = { asked: asked('registration'), verification_status: 'Unverified' }
  expect(facts(waiting).map(({ action }) => action?.to)).not.toContain('/provider-verify')
})

test('whoever has no bank account is told that we cannot pay them', () => {
  expect(facts({}, false).at(-1)).toMatchObject({
    mark: 'missing',
    action: { to: '/doctor/bank-account' },
  })
  expect(facts({}, true).at(-1)).toMatchObject({ mark: 'done' })
})
