import { expect, test } from 'vitest'
import { AUDIT_EXPORT_PATH } from '#contract/audit.ts'
import { HOURS_EXPORT_PATH, VISITS_EXPORT_PATH } from '#contract/booking-export.ts'
import { GALLERY_PATH, MODAL_IMAGE_PATH } from '#contract/gallery-staff.ts'
import { EXPORT_PATH, OWN_EXPORT_PATH } from '#contract/payments-history.ts'
import { PHOTO_PATH } from '#contract/profiles.ts'
import { whoMay } from '#contract/staff.ts'
import { DOCUMENT_PATH } from '#contract/verification.ts'
import { DOCUMENT_VIEW_PATH } from '#contract/verification-staff.ts'
import type { AccessRow } from '#server/kernel/access.ts'
import { denial, denialsIn, inOrder, real } from '#tests/harness/denials.ts'
import { ALLOWED, UNKNOWN, wanted } from '#tests/harness/matrix.ts'
import { makePeople } from '#tests/harness/principals.ts'
import { makeTestApp } from '#tests/harness/test-app.ts'

const uploads: [string, AccessRow][] = [
  [PHOTO_PATH, { may: ['patient', 'provider'] }],
  [DOCUMENT_PATH, { may: ['provider'] }],
  [GALLERY_PATH, whoMay('upload')],
  [MODAL_IMAGE_PATH, whoMay('publish')],
]

test.each(uploads)('%s takes files from whom it is for only', async (path, row) => {
  await using testApp = await makeTestApp(real)
  const init = { method: 'POST', headers: { 'content-type': 'image/jpeg' }, body: 'none' }
  const people = await makePeople(testApp)
  const denied: Awaited<ReturnType<typeof denialsIn>> = []
  for (const [at, person] of people.entries()) {
    const response = await person.browser.fetch(path, init)
    const code = wanted(path, row, person)
    const status = UNKNOWN.has(code) ? 401 : 403
    // 415 for those who may upload: the file has the wrong type.
    expect([person.name, response.status]).toEqual([person.name, code === ALLOWED ? 415 : status])
    if (code === ALLOWED) continue
    const network = `10.0.0.${at + 1}`
    denied.push({ entity: path, outcome: 'denied', details: denial(code, person), network })
  }
  expect(await denialsIn(testApp)).toEqual(inOrder(denied))
})

test('the document of a company is for staff who verify only', async () => {
  await using testApp = await makeTestApp(real)
  const people = await makePeople(testApp)
  const row = whoMay('verify')
  for (const person of people) {
    const { status } = await person.browser.fetch(`${DOCUMENT_VIEW_PATH}/doc_${'0'.repeat(26)}`)
    const code = wanted(DOCUMENT_VIEW_PATH, row, person)
    const refused = UNKNOWN.has(code) ? 401 : 403
    // 404 for those who may read documents: this one does not exist.
    expect([person.name, status]).toEqual([person.name, code === ALLOWED ? 404 : refused])
  }
})

test.each([
  [AUDIT_EXPORT_PATH, { ...whoMay('readAudit'), stepUp: 'always' as const }],
  [EXPORT_PATH, { ...whoMay('export'), stepUp: 'always' as const }],
  [OWN_EXPORT_PATH, { may: ['provider'] as const }],
  [VISITS_EXPORT_PATH, { may: ['provider'] as const }],
  [HOURS_EXPORT_PATH, { may: ['provider'] as const }],
])('the file at %s is for whom its row names', async (path, row) => {
  await using testApp = await makeTestApp(real)
  for (const person of await makePeople(testApp)) {
    const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' }
    const response = await person.browser.fetch(path, init)
    const code = wanted(path, row, person)
    const body = await response.text()
    if (code === ALLOWED) expect([person.name, response.status]).toEqual([person.name, 200])
    else expect([person.name, body]).toEqual([person.name, expect.stringContaining(code)])
  }
})
