import { expect, test } from 'vitest'
import { AUDIT_EXPORT_PATH } from '#contract/audit.ts'
import { accessFor } from '#contract/base/staff.ts'
import { HOURS_EXPORT_PATH, VISITS_EXPORT_PATH } from '#contract/booking-provider.ts'
import { GALLERY_PATH, MODAL_IMAGE_PATH } from '#contract/gallery.ts'
import { EXPORT_PATH, OWN_EXPORT_PATH } from '#contract/payments-history.ts'
import { PHOTO_PATH } from '#contract/profiles.ts'
import { DOCUMENT_PATH } from '#contract/verification.ts'
import { DOCUMENT_VIEW_PATH } from '#contract/verification-staff.ts'
import {
  ALLOWED,
  denialDetails,
  expectedVerdict,
  listDenials,
  real,
  sortDenials,
  UNAUTHENTICATED,
  verdict,
} from '#tests/harness/access-matrix.ts'
import type { Browser, Outcome } from '#tests/harness/browser.ts'
import { makePeople, makePerson } from '#tests/harness/principals.ts'
import { isQuery, metaOf, procedurePaths } from '#tests/harness/procedures.ts'
import { sampleInputs } from '#tests/harness/sample-inputs.ts'
import { makeTestApp } from '#tests/harness/test-app.ts'
import type { Access } from './kernel/access.ts'

function call(browser: Browser, path: string, input: unknown): Promise<Outcome> {
  return isQuery(path) ? browser.ask(path, input) : browser.act(path, input)
}

test('every procedure has a sample call', () => {
  expect(Object.keys(sampleInputs).toSorted()).toEqual(procedurePaths.toSorted())
})

test.each(procedurePaths)('%s admits whom it declares, and audits everybody else', async (path) => {
  await using testApp = await makeTestApp(real)
  const people = await makePeople(testApp)
  const row = metaOf(path)
  const found: Record<string, string> = {}
  const denied: Awaited<ReturnType<typeof listDenials>> = []
  for (const [at, person] of people.entries()) {
    const outcome = await call(person.browser, path, sampleInputs[path])
    expect(outcome.status, `${person.name}: ${outcome.code}`).toBeLessThan(500)
    const code = verdict(outcome)
    found[person.name] = code
    if (code === ALLOWED) continue
    expect(outcome.data).toBeUndefined()
    expect(outcome.status).toBe(UNAUTHENTICATED.has(code) ? 401 : 403)
    denied.push({
      entity: path,
      outcome: 'denied',
      details: denialDetails(code, person),
      network: `10.0.0.${at + 1}`,
    })
  }
  expect(found).toEqual(
    Object.fromEntries(people.map((person) => [person.name, expectedVerdict(row, person)])),
  )
  expect((await listDenials(testApp)).filter(({ details }) => !isNotFound(details))).toEqual(
    sortDenials(denied),
  )
})

/** A denial for an id: foreign and unknown ids look the same, and both are audited. */
function isNotFound(details: unknown): boolean {
  return JSON.stringify(details).includes('not_found')
}

test('each refused call of a batch is audited', async () => {
  await using testApp = await makeTestApp(real)
  const [visitor] = await makePeople(testApp)
  const response = await visitor?.browser.fetch(
    '/trpc/auth.sessions,profiles.details,auth.me?batch=1',
  )
  expect(response?.status).toBe(207)
  const denied = (await listDenials(testApp)).map(({ entity }) => entity)
  expect(new Set(denied)).toEqual(new Set(['auth.sessions', 'profiles.details']))
  expect(denied).toHaveLength(2)
})

const SMUGGLED = ['is_admin', 'role', 'status', 'amount_minor', 'provider_id', 'account_no']
const FROM_OBJECT = ['__proto__', 'constructor', 'prototype']

test.each(procedurePaths)('%s refuses unknown fields', async (path) => {
  await using testApp = await makeTestApp(real)
  const row = metaOf(path)
  const isForVisitors = row.may.every((may) => may === 'visitor')
  const person = await makePerson(
    testApp,
    (one) => expectedVerdict(row, one) === ALLOWED && (one.as === 'visitor') === isForVisitors,
  )
  if (person === undefined) throw new Error(`nobody may call ${path}`)
  const text = JSON.stringify(sampleInputs[path])
  for (const key of [...SMUGGLED, ...FROM_OBJECT]) {
    // Skip fields the procedure accepts: its own rules apply to them.
    if (Object.hasOwn(sampleInputs[path] ?? {}, key)) continue
    // Built as text: in an object literal, `__proto__` would set the prototype.
    const smuggled = text.replace(/^\{/, `{"${key}":"superuser"${text === '{}' ? '' : ','}`)
    const response = isQuery(path)
      ? await person.browser.fetch(`/trpc/${path}?input=${encodeURIComponent(smuggled)}`)
      : await person.browser.fetch(`/trpc/${path}`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: smuggled,
        })
    const said = await response.text()
    expect([key, response.status, said]).toEqual([
      key,
      400,
      expect.stringContaining('Unknown field.'),
    ])
  }
})

const uploads: [string, Access][] = [
  [PHOTO_PATH, { may: ['patient', 'provider'] }],
  [DOCUMENT_PATH, { may: ['provider'] }],
  [GALLERY_PATH, accessFor('upload')],
  [MODAL_IMAGE_PATH, accessFor('publish')],
]

test.each(uploads)('%s accepts files only from those who may upload', async (path, row) => {
  await using testApp = await makeTestApp(real)
  const init = { method: 'POST', headers: { 'content-type': 'image/jpeg' }, body: 'none' }
  const people = await makePeople(testApp)
  const denied: Awaited<ReturnType<typeof listDenials>> = []
  for (const [at, person] of people.entries()) {
    const response = await person.browser.fetch(path, init)
    const code = expectedVerdict(row, person)
    const status = UNAUTHENTICATED.has(code) ? 401 : 403
    // 415 for those who may upload: the file has the wrong type.
    expect([person.name, response.status]).toEqual([person.name, code === ALLOWED ? 415 : status])
    if (code === ALLOWED) continue
    const network = `10.0.0.${at + 1}`
    denied.push({ entity: path, outcome: 'denied', details: denialDetails(code, person), network })
  }
  expect(await listDenials(testApp)).toEqual(sortDenials(denied))
})

test('a company document is only for staff who verify', async () => {
  await using testApp = await makeTestApp(real)
  const people = await makePeople(testApp)
  const row = accessFor('verify')
  for (const person of people) {
    const { status } = await person.browser.fetch(`${DOCUMENT_VIEW_PATH}/doc_${'0'.repeat(26)}`)
    const code = expectedVerdict(row, person)
    const refused = UNAUTHENTICATED.has(code) ? 401 : 403
    // 404 for those who may read documents: this one does not exist.
    expect([person.name, status]).toEqual([person.name, code === ALLOWED ? 404 : refused])
  }
})

test.each([
  [AUDIT_EXPORT_PATH, { ...accessFor('readAudit'), stepUp: 'always' as const }],
  [EXPORT_PATH, { ...accessFor('export'), stepUp: 'always' as const }],
  [OWN_EXPORT_PATH, { may: ['provider'] as const }],
  [VISITS_EXPORT_PATH, { may: ['provider'] as const }],
  [HOURS_EXPORT_PATH, { may: ['provider'] as const }],
])('the file at %s is only for those its row names', async (path, row) => {
  await using testApp = await makeTestApp(real)
  for (const person of await makePeople(testApp)) {
    const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' }
    const response = await person.browser.fetch(path, init)
    const code = expectedVerdict(row, person)
    const body = await response.text()
    if (code === ALLOWED) expect([person.name, response.status]).toEqual([person.name, 200])
    else expect([person.name, body]).toEqual([person.name, expect.stringContaining(code)])
  }
})
