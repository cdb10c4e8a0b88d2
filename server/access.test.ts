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
import { isQuery, procedurePaths } from '#tests/harness/procedures.ts'
import { sampleInputs } from '#tests/harness/sample-inputs.ts'
import { makeTestApp } from '#tests/harness/test-app.ts'
import { type AccessRow, accessTable } from './kernel/access.ts'

function call(browser: Browser, path: string, input: unknown): Promise<Outcome> {
  return isQuery(path) ? browser.ask(path, input) : browser.act(path, input)
}

function rowOf(path: string): AccessRow {
  const row = accessTable.get(path)
  if (row === undefined) throw new Error(`${path} has no row in the access matrix`)
  return row
}

test('every procedure has its row, every row its procedure, and each a sample call', () => {
  expect([...accessTable.keys()].toSorted()).toEqual(procedurePaths.toSorted())
  expect(Object.keys(sampleInputs).toSorted()).toEqual(procedurePaths.toSorted())
})

test('own data of patients, providers or staff is closed to the others, and account procedures to visitors', () => {
  const named = [...accessTable].filter(([, { may }]) => may.length < 6)
  expect(Object.fromEntries(named.map(([path, { may }]) => [path, may.join(' ')]))).toEqual({
    'audit.list': 'superuser',
    'audit.verify': 'superuser',
    'auth.setFirstPassword': 'superuser admin editor author',
    'availability.addAbsence': 'provider',
    'availability.addBlock': 'provider',
    'availability.addDates': 'provider',
    'availability.explain': 'provider',
    'availability.mine': 'provider',
    'availability.preview': 'provider',
    'availability.removeAbsence': 'provider',
    'availability.removeBlock': 'provider',
    'availability.removeDate': 'provider',
    'availability.saveHours': 'provider',
    'availability.week': 'provider',
    'bankAccounts.add': 'provider',
    'bankAccounts.edit': 'provider',
    'bankAccounts.list': 'provider',
    'bankAccounts.makePrimary': 'provider',
    'bankAccounts.remove': 'provider',
    'booking.addDesk': 'provider',
    'booking.calendar': 'patient',
    'booking.cancelDesk': 'provider',
    'booking.current': 'patient',
    'booking.describe': 'patient',
    'booking.desk': 'provider',
    'booking.deskList': 'provider',
    'booking.deskNote': 'provider',
    'booking.editDesk': 'provider',
    'booking.hold': 'patient',
    'booking.holdAsVisitor': 'visitor',
    'booking.holds': 'patient',
    'booking.markDesk': 'provider',
    'booking.moveDesk': 'provider',
    'booking.providerVisit': 'provider',
    'booking.purpose': 'provider',
    'booking.renew': 'patient',
    'booking.today': 'provider',
    'booking.week': 'provider',
    'booking.visit': 'patient',
    'booking.visits': 'patient',
    'calendars.create': 'patient provider',
    'calendars.list': 'patient provider',
    'calendars.revoke': 'patient provider',
    'erasure.ahead': 'patient provider',
    'erasure.erase': 'patient provider',
    'gallery.describe': 'superuser admin editor author',
    'gallery.images': 'superuser admin editor author',
    'gallery.publishColor': 'superuser admin editor',
    'gallery.publishImage': 'superuser admin editor',
    'gallery.publishModal': 'superuser admin editor',
    'gallery.remove': 'superuser admin editor author',
    'gallery.restore': 'superuser admin editor',
    'gallery.versions': 'superuser admin editor author',
    'imports.add': 'provider',
    'imports.check': 'provider',
    'imports.list': 'provider',
    'imports.remove': 'provider',
    'messages.failed': 'superuser admin editor author',
    'messages.failedCount': 'superuser admin editor author',
    'messages.retry': 'superuser admin',
    'outcomes.answer': 'provider',
    'outcomes.claimCount': 'superuser admin editor author',
    'outcomes.claimOf': 'provider',
    'outcomes.claims': 'superuser admin',
    'outcomes.contest': 'patient',
    'outcomes.correct': 'superuser admin',
    'outcomes.decide': 'superuser admin',
    'outcomes.mark': 'provider',
    'outcomes.staffMarking': 'superuser admin',
    'outsideCalendars.add': 'provider',
    'outsideCalendars.change': 'provider',
    'outsideCalendars.list': 'provider',
    'outsideCalendars.readNow': 'provider',
    'outsideCalendars.remove': 'provider',
    'payments.capture': 'patient',
    'payments.decideReview': 'superuser admin',
    'payments.differences': 'superuser admin editor author',
    'payments.earnings': 'provider',
    'payments.incomeByDay': 'superuser admin editor author',
    'payments.leave': 'patient',
    'payments.printHistory': 'superuser admin editor author',
    'payments.printOwnHistory': 'provider',
    'payments.providerHistory': 'provider',
    'payments.receipt': 'patient superuser admin',
    'payments.refund': 'superuser admin',
    'payments.reviewCount': 'superuser admin editor author',
    'payments.reviews': 'superuser admin editor author',
    'payments.settleDifference': 'superuser admin',
    'payments.settleRefund': 'superuser admin',
    'payments.staffHistory': 'superuser admin editor author',
    'payments.staffPayment': 'superuser admin editor author',
    'payments.startCard': 'patient',
    'payments.startWallet': 'patient',
    'payments.status': 'patient',
    'profiles.addPlace': 'provider',
    'profiles.archiveVisitType': 'provider',
    'profiles.details': 'patient',
    'profiles.editPlace': 'provider',
    'profiles.exportData': 'patient provider',
    'profiles.favourites': 'patient',
    'profiles.makeMainPlace': 'provider',
    'profiles.orderVisitTypes': 'provider',
    'profiles.own': 'provider',
    'profiles.removeFavourite': 'patient',
    'profiles.removePhoto': 'patient provider',
    'profiles.removePlace': 'provider',
    'profiles.saveFavourite': 'patient',
    'profiles.saveVisitType': 'provider',
    'profiles.updateAbout': 'provider',
    'profiles.updateDetails': 'patient',
    'profiles.updateIdentity': 'provider',
    'profiles.updateOffer': 'provider',
    'reminders.save': 'patient',
    'reminders.settings': 'patient',
    'search.preview': 'provider',
    'superUsers.add': 'superuser',
    'superUsers.changeRole': 'superuser',
    'superUsers.list': 'superuser admin editor author',
    'superUsers.remove': 'superuser',
    'verification.answer': 'provider',
    'verification.askAgain': 'superuser admin',
    'verification.counts': 'superuser admin editor author',
    'verification.decide': 'superuser admin',
    'verification.decideCompany': 'superuser admin',
    'verification.decideProof': 'superuser admin',
    'verification.enterProofCode': 'provider',
    'verification.lookUp': 'superuser admin',
    'verification.lookUpMine': 'provider',
    'verification.mine': 'provider',
    'verification.offerProofCode': 'superuser admin',
    'verification.provider': 'superuser admin editor author',
    'verification.providers': 'superuser admin editor author',
    'verification.queue': 'superuser admin',
    'verification.sendCompany': 'provider',
    'verification.sendProof': 'provider',
    'verification.sendProofCode': 'provider',
    'visits.cancel': 'patient',
    'visits.cancelFor': 'superuser admin',
    'visits.cancelMany': 'provider',
    'visits.join': 'patient provider',
    'visits.flagCount': 'superuser admin editor author',
    'visits.flagged': 'superuser admin',
    'visits.inTimeOff': 'provider',
    'visits.keepTime': 'patient',
    'visits.move': 'patient',
    'visits.moveAgreed': 'provider',
    'visits.moveFor': 'superuser admin',
    'visits.moveTerms': 'patient',
    'visits.propose': 'provider',
    'visits.providerTerms': 'provider',
    'visits.staffTerms': 'superuser admin',
    'visits.terms': 'patient',
    'visits.video': 'patient provider',
  })
  const open = [...accessTable].filter(([, { may }]) => may.includes('visitor'))
  expect(open.map(([path]) => path).filter((path) => path.startsWith('auth.'))).toEqual([
    'auth.checkResetLink',
    'auth.confirmEmail',
    'auth.demoAccounts',
    'auth.enterDemo',
    'auth.forgotPassword',
    'auth.leaveDemo',
    'auth.me',
    'auth.refresh',
    'auth.registerPatient',
    'auth.resendVerification',
    'auth.resetPassword',
    'auth.signIn',
    'auth.signInStaff',
    'auth.signOut',
    'auth.sessionStatus',
    'auth.verifyEmail',
  ])
})

test.each(procedurePaths)(
  '%s admits whom the matrix names, and audits everybody else',
  async (path) => {
    await using testApp = await makeTestApp(real)
    const people = await makePeople(testApp)
    const row = rowOf(path)
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
      Object.fromEntries(people.map((person) => [person.name, expectedVerdict(path, row, person)])),
    )
    expect((await listDenials(testApp)).filter(({ details }) => !isNotFound(details))).toEqual(
      sortDenials(denied),
    )
  },
)

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
  const row = rowOf(path)
  const isForVisitors = row.may.every((may) => may === 'visitor')
  const person = await makePerson(
    testApp,
    (one) =>
      expectedVerdict(path, row, one) === ALLOWED && (one.as === 'visitor') === isForVisitors,
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

const uploads: [string, AccessRow][] = [
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

test('a company document is only for staff who verify', async () => {
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
])('the file at %s is only for those its row names', async (path, row) => {
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
