import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { DAY_MS } from '#contract/base/time.ts'
import { DataExport } from '#contract/profiles.ts'
import { DOCUMENT_PATH, DocumentResponse } from '#contract/verification.ts'
import { DOCUMENT_VIEW_PATH } from '#contract/verification-staff.ts'
import { purgeUnsentDocuments } from '#server/verification/erase-claims.ts'
import { Browser } from '#tests/harness/browser.ts'
import { lastMailTo } from '#tests/harness/sent-emails.ts'
import { describeEngines } from '#tests/harness/servers/engines.ts'
import { signInDemoStaff } from '#tests/harness/staff.ts'
import { makeTestApp, readAudit, strangerDenials, type TestApp } from '#tests/harness/test-app.ts'
import {
  makeProviderWithCompany,
  makeTestAppWithFiles,
  makeUnverifiedProvider,
  setRegister,
} from '#tests/harness/verification.ts'

const own = { professional_body_name: 'GMC', membership_number: '7000001' }
const UploadResponse = z.record(z.string(), z.unknown())

const PDF = `%PDF-1.7\nCANARY\n${'x'.repeat(500)}\n%%EOF\n`

const company = {
  company_name: 'Harbour Surgery Ltd',
  registration_number: ' 01234567 ',
  address: '1 Borough High Street\r\nLondon SE1 9GF',
}

/** A provider who may send a company for review, with the folder their documents are in. */
async function makeSender(testApp: TestApp) {
  const { browser } = await makeUnverifiedProvider(testApp)
  const upload = async (body: Buffer | string, type = 'application/pdf') => {
    const init = {
      method: 'POST',
      headers: { 'content-type': type },
      body: new Uint8Array(Buffer.from(body)),
    }
    const response = await browser.fetch(DOCUMENT_PATH, init)
    return { status: response.status, answer: UploadResponse.parse(await response.json()) }
  }
  const documents = join(testApp.services.config.dataDir, 'documents')
  return {
    browser,
    upload,
    /** Uploads the PDF above; returns the id of the document. */
    uploadPdf: async () => DocumentResponse.parse((await upload(PDF)).answer).document,
    send: (document: string) => browser.act('verification.sendCompany', { ...company, document }),
    files: () => readdir(documents).catch(() => [] as string[]),
  }
}

test('a company is submitted with its document, one at a time', async () => {
  await using testApp = await makeTestAppWithFiles()
  const { browser, uploadPdf, send, files } = await makeSender(testApp)
  const document = await uploadPdf()
  const { data } = await send(document)
  expect(data).toMatchObject({
    company: {
      state: 'in_review',
      company_name: 'Harbour Surgery Ltd',
      registration_number: '01234567',
      address: '1 Borough High Street\nLondon SE1 9GF',
      document: { kind: 'pdf', bytes: PDF.length },
      sentAt: '2026-03-02T09:00:00.000Z',
      reason: null,
    },
  })
  const next = await uploadPdf()
  const again = await send(next)
  expect([again.status, again.code]).toEqual([409, 'company_sent'])

  const { db } = testApp.database
  const refused = { state: 'refused', reason: 'The document is of another company.' } as const
  await db.updateTable('company_claims').set(refused).execute()
  expect((await browser.ask('verification.mine')).data).toMatchObject({ company: refused })
  expect((await send(document)).code).toBe('company_sent')
  await send(next)
  expect(await db.selectFrom('company_claims').select('state').orderBy('no').execute()).toEqual([
    { state: 'refused' },
    { state: 'in_review' },
  ])
  expect(await files()).toHaveLength(2)
})

test('two concurrent submissions make one claim', async () => {
  await using testApp = await makeTestAppWithFiles()
  const sender = await makeSender(testApp)
  const document = await sender.uploadPdf()
  const sent = await Promise.all(Array.from({ length: 4 }, () => sender.send(document)))
  const statuses = sent.map(({ status }) => String(status)).toSorted()
  expect(statuses.join(' ')).toBe('200 409 409 409')
  const claims = testApp.database.db.selectFrom('company_claims').select('no')
  expect(await claims.execute()).toHaveLength(1)
})

const PLAIN_TEXT = 'Use only letters, numbers and punctuation.'
const NUMBER = 'Use 4 to 20 letters, digits and hyphens.'

test.each([
  ['no name', { company_name: ' ' }, 'company_name', 'Enter the name of your company.'],
  ['a name of two lines', { company_name: 'A\nB' }, 'company_name', PLAIN_TEXT],
  ['a number of signs', { registration_number: '<1234>' }, 'registration_number', NUMBER],
  ['half an address', { address: 'London' }, 'address', 'Enter the address in full.'],
  ['an address that turns round', { address: 'High Street \u202E 12345' }, 'address', PLAIN_TEXT],
  ['no document', { document: '' }, 'document', 'Add a document.'],
  ['a document of no form', { document: '../../x' }, 'document', 'Add the document again.'],
])('%s is refused beside its field', async (_what, change, path, message) => {
  await using testApp = await makeTestApp()
  const { browser } = await makeUnverifiedProvider(testApp)
  const document = `doc_${'0'.repeat(26)}`
  const refused = await browser.act('verification.sendCompany', { ...company, document, ...change })
  expect([refused.status, refused.issues]).toEqual([400, [{ path, message }]])
})

test('another provider’s document is not found', async () => {
  await using testApp = await makeTestAppWithFiles()
  const sender = await makeSender(testApp)
  const document = await sender.uploadPdf()
  const { browser } = await makeUnverifiedProvider(testApp, '10.0.0.9', '7000002')
  const foreign = await browser.act('verification.sendCompany', { ...company, document })
  expect([foreign.status, foreign.code]).toEqual([404, 'not_found'])
})

test('an image is re-encoded, a PDF is unchanged, and both are stored encrypted', async () => {
  await using testApp = await makeTestAppWithFiles()
  const { browser, upload, files } = await makeSender(testApp)
  const pdf = await upload(PDF, 'image/png')
  expect([pdf.status, pdf.answer['kind']]).toEqual([201, 'pdf'])
  const paper = await sharp({
    create: { width: 3_000, height: 1_000, channels: 3, background: '#fff' },
  })
    .withExif({ IFD0: { Artist: 'CANARY' } })
    .jpeg()
    .toBuffer()
  const { answer } = await upload(Buffer.concat([paper, Buffer.from('CANARY')]), 'image/jpeg')
  expect(answer).toMatchObject({ status: true, kind: 'image' })
  expect(await files()).toHaveLength(2)
  const [, row] = await testApp.database.db
    .selectFrom('company_documents')
    .selectAll()
    .orderBy('no')
    .execute()
  const kept = await testApp.services.documents.read(row?.file ?? '')
  const { format, width, height } = await sharp(kept).metadata()
  expect([format, width, height, kept.includes('CANARY')]).toEqual(['webp', 2_400, 800, false])
  expect((await browser.fetch(`/media/${row?.file}`)).status).toBe(404)
  // Neither was sent.
  testApp.advance(DAY_MS)
  await purgeUnsentDocuments(testApp.services)
  await testApp.drainOutbox()
  expect(await files()).toEqual([])
})

const SVG = '<svg xmlns="http://www.w3.org/2000/svg"><script>1</script></svg>'

test.each([
  ['an SVG', SVG, 'image/svg+xml', 415, 'document_type'],
  ['an SVG that says it is a PDF', SVG, 'application/pdf', 415, 'document_type'],
  ['HTML with a PDF in it', `<html>${PDF}`, 'application/pdf', 415, 'document_type'],
  ['a Word file', 'PK\u0003\u0004', 'application/vnd.ms-word', 415, 'document_type'],
  ['nothing', '', 'application/pdf', 415, 'document_type'],
  ['half a PDF', PDF.slice(0, 300), 'application/pdf', 422, 'document_damaged'],
  ['half a PNG', Buffer.from('89504e470d0a1a0a', 'hex'), 'image/png', 422, 'image_damaged'],
])('%s is refused, and nothing is stored', async (_what, body, type, status, code) => {
  await using testApp = await makeTestAppWithFiles()
  const sender = await makeSender(testApp)
  const refused = await sender.upload(body, type)
  expect([refused.status, refused.answer['code']]).toEqual([status, code])
  expect(await sender.files()).toEqual([])
})

test('five megabytes are accepted, one byte more is not', async () => {
  await using testApp = await makeTestAppWithFiles()
  const sender = await makeSender(testApp)
  const most = 5 * 1_024 * 1_024
  const large = Buffer.concat([
    Buffer.from('%PDF-1.7'),
    Buffer.alloc(most - 14),
    Buffer.from('%%EOF\n'),
  ])
  expect(large.length).toBe(most)
  expect((await sender.upload(large)).status).toBe(201)
  const refused = await sender.upload(Buffer.concat([large, Buffer.from('\n')]))
  expect([refused.status, refused.answer['code']]).toEqual([413, 'document_too_large'])
  expect(refused.answer['error']).toBe('The document must be 5 MB or smaller.')
})

test('the export has checks and submissions; erasing leaves neither rows nor files', async () => {
  await using testApp = await makeTestAppWithFiles()
  const { browser, uploadPdf, send, files } = await makeSender(testApp)
  await setRegister(testApp, 'GMC', [{ number: '7000001', name: 'Amara Okafor' }])
  await browser.act('verification.lookUpMine', own)
  await send(await uploadPdf())
  const taken = DataExport.parse((await browser.act('profiles.exportData')).data)
  expect(taken.verification).toMatchObject([{ outcome: 'match', answer_name: 'Amara Okafor' }])
  expect(taken.companies).toMatchObject([
    {
      company_name: 'Harbour Surgery Ltd',
      document_kind: 'pdf',
      sent_at: '2026-03-02T09:00:00.000Z',
    },
  ])
  await browser.act('erasure.erase', { confirm: true })
  await testApp.drainOutbox()
  const { db } = testApp.database
  for (const table of [
    'verification_checks',
    'provider_standings',
    'company_claims',
    'company_documents',
  ] as const) {
    expect([table, await db.selectFrom(table).selectAll().execute()]).toEqual([table, []])
  }
  expect(await files()).toEqual([])
})

describeEngines('a company sent while another tab uploads its document', (makeDatabase) => {
  test('is sent with its document, or the provider is asked for one', async () => {
    await using testApp = await makeTestAppWithFiles(await makeDatabase())
    const { upload, uploadPdf, send } = await makeSender(testApp)
    for (let round = 0; round < 6; round += 1) {
      const document = await uploadPdf()
      const [second, sent] = await Promise.all([upload(PDF), send(document)])
      expect([round, second.status]).toEqual([round, 201])
      expect([200, 404]).toContain(sent.status)
      await testApp.database.db.deleteFrom('company_claims').execute()
    }
  })
})

const reason = 'The document names another company.'

/** A company in review, and an admin who decides on it. */
async function makeReview(testApp: TestApp) {
  const sent = await makeProviderWithCompany(testApp)
  const admin = await signInDemoStaff(testApp, 'admin')
  const accept = { claimId: sent.claimId, seen: 'in_review', decision: 'accepted' }
  return {
    ...sent,
    admin,
    /** Accepts the company as the admin, unless told otherwise. */
    decide: (change: object = {}, by = admin) =>
      by.act('verification.decideCompany', { ...accept, ...change }),
  }
}

/** Rows that a decision writes. */
async function written(testApp: TestApp) {
  const { db } = testApp.database
  const topic = 'company.decided'
  return {
    claims: await db
      .selectFrom('company_claims')
      .select(['state', 'reason', 'decided_at'])
      .execute(),
    audit: await readAudit(testApp, topic),
    jobs: await db.selectFrom('outbox').select('topic').where('topic', '=', topic).execute(),
  }
}

describeEngines('a company reviewed by staff', (makeDatabase) => {
  test('is accepted, and its provider is emailed', async () => {
    await using testApp = await makeTestAppWithFiles(await makeDatabase())
    const { provider, browser, claimId, admin, decide } = await makeReview(testApp)
    const { status, data } = await decide()
    expect([status, data]).toEqual([200, { state: 'accepted', reason: null }])
    const details = '{"decision":"accepted","before":"in_review"}'
    expect(await written(testApp)).toMatchObject({
      claims: [{ state: 'accepted', reason: null, decided_at: testApp.services.now() }],
      audit: [{ actor_kind: 'staff', entity: claimId, details }],
      jobs: [{ topic: 'company.decided' }],
    })
    const mail = await lastMailTo(testApp, provider.email)
    expect(mail.subject).toBe('Your company is confirmed')
    expect(mail.text).toContain('Borough Care Ltd')
    const mine = await browser.ask('verification.mine')
    expect(mine.data).toMatchObject({ company: { state: 'accepted' } })
    const seen = await admin.ask('verification.provider', { providerId: provider.id })
    expect(seen.data).toMatchObject({
      evidence: { companies: [{ state: 'accepted', decidedBy: 'Ada Lindqvist' }] },
    })
  })

  test('is refused with a reason, which its provider sees', async () => {
    await using testApp = await makeTestAppWithFiles(await makeDatabase())
    const { provider, browser, decide } = await makeReview(testApp)
    const bare = await decide({ decision: 'refused' })
    expect([bare.status, bare.issues]).toEqual([
      400,
      [{ path: 'reason', message: 'Give the reason: the provider reads it.' }],
    ])
    const { data } = await decide({ decision: 'refused', reason })
    expect(data).toEqual({ state: 'refused', reason })
    const mail = await lastMailTo(testApp, provider.email)
    expect(mail.subject).toBe('We couldn’t confirm your company')
    expect(mail.text).toContain(`> ${reason}`)
    expect((await browser.ask('verification.mine')).data).toMatchObject({
      company: { state: 'refused', reason },
    })
  })

  test('a repeated or concurrent decision is made once, with one email', async () => {
    await using testApp = await makeTestAppWithFiles(await makeDatabase())
    const { provider, admin, decide } = await makeReview(testApp)
    const other = await signInDemoStaff(testApp, 'superuser')
    const outcomes = await Promise.all([admin, other, admin].map((by) => decide({}, by)))
    expect(outcomes.map(({ status }) => status)).toEqual([200, 200, 200])
    const { audit, jobs } = await written(testApp)
    expect([audit.length, jobs.length]).toEqual([1, 1])
    const late = await decide({ decision: 'refused', reason }, other)
    expect([late.status, late.code]).toEqual([409, 'company_decided'])
    // Sent again with the current state, the decision can be reversed.
    const back = await decide({ seen: 'accepted', decision: 'refused', reason }, other)
    expect(back.data).toEqual({ state: 'refused', reason })
    const again = await decide({ seen: 'refused' }, other)
    expect(again.code).toBe('company_decided')
    // The acceptance had not been emailed yet.
    await testApp.drainOutbox()
    const mails = testApp.mails.filter(({ to }) => to === provider.email)
    expect(mails.map(({ subject }) => subject)).toEqual(['We couldn’t confirm your company'])
  })
})

test('an unknown company, or one of an erased account, is not found', async () => {
  await using testApp = await makeTestAppWithFiles()
  const { admin, provider, document, decide } = await makeReview(testApp)
  expect((await decide({ claimId: `cmp_${'0'.repeat(26)}` })).status).toBe(404)
  await testApp.database.db
    .updateTable('providers')
    .set({ email: `${provider.id}@erased.invalid` })
    .execute()
  expect((await decide()).status).toBe(404)
  expect((await admin.fetch(`${DOCUMENT_VIEW_PATH}/${document}`)).status).toBe(404)
})

test('the document is a sandboxed attachment, and each view is audited', async () => {
  await using testApp = await makeTestAppWithFiles()
  const { admin, document, claimId, pdf } = await makeReview(testApp)
  for (let view = 0; view < 2; view += 1) {
    const response = await admin.fetch(`${DOCUMENT_VIEW_PATH}/${document}`)
    expect(response.status).toBe(200)
    expect(Buffer.from(await response.arrayBuffer())).toEqual(pdf)
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'application/pdf',
      'content-disposition': `attachment; filename="${document}.pdf"`,
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    })
    expect(response.headers.get('content-security-policy')).toContain('sandbox')
    expect(response.headers.get('content-security-policy')).toContain("default-src 'none'")
  }
  const view = { actor_kind: 'staff', entity: document, details: `{"claim":"${claimId}"}` }
  expect(await readAudit(testApp, 'company.document_viewed')).toMatchObject([view, view])
  // On disk it is encrypted, and nothing serves it from there.
  const folder = join(testApp.services.config.dataDir, 'documents')
  const [file = ''] = await readdir(folder)
  expect((await readFile(join(folder, file))).includes('%PDF')).toBe(false)
})

test('a document missing from the disk is not found, and not audited as viewed', async () => {
  await using testApp = await makeTestAppWithFiles()
  const { admin, document } = await makeReview(testApp)
  const { file } = await testApp.database.db
    .selectFrom('company_documents')
    .select('file')
    .executeTakeFirstOrThrow()
  await testApp.services.documents.remove(file)
  expect((await admin.fetch(`${DOCUMENT_VIEW_PATH}/${document}`)).status).toBe(404)
  expect(await readAudit(testApp, 'company.document_viewed')).toEqual([])
})

test('nobody else can read it, and every attempt is audited', async () => {
  await using testApp = await makeTestAppWithFiles()
  const { admin, document, browser } = await makeReview(testApp)
  const path = `${DOCUMENT_VIEW_PATH}/${document}`
  const editor = await signInDemoStaff(testApp, 'editor')
  const stranger = new Browser(testApp, '192.0.2.77')
  const statuses = [
    (await stranger.fetch(path)).status,
    (await browser.fetch(path)).status,
    (await editor.fetch(path)).status,
    (await admin.fetch(path, { headers: { 'sec-fetch-site': 'cross-site' } })).status,
    (await admin.fetch(`${DOCUMENT_VIEW_PATH}/doc_${'0'.repeat(26)}`)).status,
    (await admin.fetch(`${DOCUMENT_VIEW_PATH}/..%2f..%2fsecret`)).status,
  ]
  expect(statuses).toEqual([401, 403, 403, 403, 404, 404])
  const denied = await readAudit(testApp, 'call.denied')
  // A cross-site request is rejected before the document id is read.
  const here = denied.filter(({ entity }) => entity?.startsWith(DOCUMENT_VIEW_PATH))
  expect(here).toHaveLength(2)
  expect(await strangerDenials(testApp)).toMatchObject([
    { path: DOCUMENT_VIEW_PATH, code: 'sign_in_required' },
    { path: `${DOCUMENT_VIEW_PATH}/:id`, code: 'foreign_origin' },
  ])
})
