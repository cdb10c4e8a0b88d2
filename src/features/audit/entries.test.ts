import { expect, test } from 'vitest'
import type { AuditEntry } from '#contract/audit.ts'
import { entryAmount, entryDetails, entrySubject, entryText } from './action-labels.ts'
import { countRepeats, groupEntries } from './entries.tsx'

const entry = (more: Partial<AuditEntry> = {}): AuditEntry => ({
  id: 'aud_1',
  at: '2026-03-02T09:00:00.000Z',
  action: 'session.began',
  outcome: 'ok',
  actor: { kind: 'staff', id: 'usr_1', email: 'ada@staff.example', name: null },
  network: '192.0.2.1',
  requestId: 'req-1',
  entity: null,
  entityEmail: null,
  entityName: null,
  details: {},
  position: null,
  ...more,
})

test('a decision names whom it is about; other acts say it below', () => {
  const entityName = 'Dr Amara Okafor, GMC 7654321'
  const decided = entry({
    action: 'verification.decided',
    entityName,
    details: { decision: 'Verified' },
  })
  expect(entryText(decided)).toBe('Verified Dr Amara Okafor, GMC 7654321')
  expect(entrySubject(decided)).toBeNull()
  const looked = entry({ action: 'verification.looked_up', entityName })
  expect(entryText(looked)).toBe('Checked a register')
  expect(entrySubject(looked)).toBe(entityName)
})

test('money is shown as money, of whatever currency', () => {
  const refund = entry({
    action: 'payment.refunded',
    entityName: 'AP-7K3M-2Q',
    details: { amount: 6_000, currency: 'GBP', reason: 'staff' },
  })
  expect(entrySubject(refund)).toBe('AP-7K3M-2Q, £60.00')
  expect(entryDetails(refund)).toEqual([
    ['amount', '£60.00'],
    ['reason', 'staff'],
  ])
  expect(entryAmount(entry({ details: { minor: 8_500, currency: 'USD' } }))).toBe('$85.00')
  expect(entryAmount(entry({ details: { rows: 3 } }))).toBeNull()
})

test('acts of one request, or of one account within a minute, are one row', () => {
  const at = (seconds: number, more: Partial<AuditEntry> = {}) =>
    entry({
      id: `aud_${seconds}`,
      at: new Date(Date.UTC(2026, 2, 2, 9, 0, seconds)).toISOString(),
      requestId: `req-${seconds}`,
      ...more,
    })
  const visitor = { kind: 'visitor', id: null, email: null, name: null } as const
  const groups = groupEntries([
    at(200, { actor: visitor }),
    at(199, { actor: visitor }),
    at(180, { actor: visitor, requestId: 'same' }),
    at(150, { requestId: 'same' }),
    at(140, { actor: visitor, requestId: 'other' }),
    at(130),
    at(75),
    at(60),
  ])
  expect(groups.map((group) => group.map(({ id }) => id))).toEqual([
    ['aud_200'],
    ['aud_199'],
    ['aud_180', 'aud_150'],
    ['aud_140'],
    ['aud_130', 'aud_75'],
    ['aud_60'],
  ])
})

test('the same act several times in a row is told once, with how often', () => {
  const other = entry({ action: 'session.signed_out' })
  const told = countRepeats([entry(), entry(), other, entry()], entryText)
  expect(told.map(({ times }) => times)).toEqual([2, 1, 1])
})

test('a failed refund marked as refunded has the name of the button in the log', () => {
  const marked = entry({ action: 'payment.refund_settled' })
  expect(entryText(marked)).toBe('Marked a payment as refunded')
})
