import { expect, test } from 'vitest'
import { AUDIT_EXPORT_PATH } from '#contract/audit.ts'
import { HOURS_EXPORT_PATH, VISITS_EXPORT_PATH } from '#contract/booking-export.ts'
import { GALLERY_PATH, MODAL_IMAGE_PATH } from '#contract/gallery-staff.ts'
import { EXPORT_PATH, OWN_EXPORT_PATH } from '#contract/payments-history.ts'
import { PHOTO_PATH } from '#contract/profiles.ts'
import { accessFor } from '#contract/staff.ts'
import { DOCUMENT_PATH } from '#contract/verification.ts'
import { DOCUMENT_VIEW_PATH } from '#contract/verification-staff.ts'
import type { AccessRow } from '#server/kernel/access.ts'
import { ALLOWED, expectedVerdict, UNAUTHENTICATED } from '#tests/harness/access-matrix.ts'
import { denialDetails, listDenials, real, sortDenials } from '#tests/harness/denials.ts'
import { makePeople } from '#tests/harness/principals.ts'
import { makeTestApp } from '#tests/harness/test-app.ts'

const uploads: [string, AccessRow][] = [
  [PHOTO_PATH, { may: ['patient', 'provider'] }],
  [DOCUMENT_PATH, { may: ['provider'] }],
  [GALLERY_PATH, accessFor('upload')],
  [MODAL_IMAGE_PATH, accessFor('publish')],
]

test.each(uploads)('%s takes files from whom it is for only', async (path, row) => {
  await using testApp = await makeTestApp(real)
  const init = { method: 'POST', headers: { 'content-type': 'image/jpeg' }, body: 'none' }
  const people = await makePeople(testApp)
  const denied: Awaited<ReturnType<typeof listDenials>> = []
  for (const [at, person] of people.entries()) {
    const response = await person.browser.fetch(path, init)
    const code = expectedVerdict(path, row, person)
    const status = UNAUTHENTICATED.has(code) ? 401 : 403
    // 415 for those who may upload: the file has the wrong type.
    expect([person.name, response.status]).toEqual([person.name, code === ALLOWED ? 415 : status])
    if (code === ALLOWED) continue
    const network = `10.0.0.${at + 1}`
    denied.push({ entity: path, outcome: 'denied', details: denialDetails(code, person), network })
  }
  expect(await listDenials(testApp)).toEqual(sortDenials(denied))
})

test('the document of a company is for staff who verify only', async () => {
  await using testApp = await makeTestApp(real)
  const people = await makePeople(testApp)
  const row = accessFor('verify')
  for (const person of people) {
    const { status } = await person.browser.fetch(`${DOCUMENT_VIEW_PATH}/doc_${'0'.repeat(26)}`)
    const code = expectedVerdict(DOCUMENT_VIEW_PATH, row, person)
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
])('the file at %s is for whom its row names', async (path, row) => {
  await using testApp = await makeTestApp(real)
  for (const person of await makePeople(testApp)) {
    const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' }
    const response = await person.browser.fetch(path, init)
    const code = expectedVerdict(path, row, person)
    const body = await response.text()
    if (code === ALLOWED) expect([person.name, response.status]).toEqual([person.name, 200])
    else expect([person.name, body]).toEqual([person.name, expect.stringContaining(code)])
  }
})
