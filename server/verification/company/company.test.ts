import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { DataExport } from '#contract/profiles.ts'
import { DOCUMENT_PATH, DocumentResponse } from '#contract/verification.ts'
import { DOCUMENT_VIEW_PATH } from '#contract/verification-staff.ts'
import { makeProviderAccount } from '#tests/harness/accounts.ts'
import { Browser } from '#tests/harness/browser.ts'
import { lastMailTo } from '#tests/harness/sent-emails.ts'
import { describeEngines } from '#tests/harness/servers/engines.ts'
import { signInDemoStaff } from '#tests/harness/staff.ts'
import { makeTestApp, strangerDenials, type TestApp } from '#tests/harness/test-app.ts'
import {
  makeProviderWithCompany,
  makeTestAppWithFiles,
  makeUnverifiedProvider,
  setRegister,
} from '#tests/harness/verification.ts'

const own = { professional_body_name: 'GMC', membership_number: '7000001' }
const UploadResponse = z.record(z.string(), z.unknown())

async function studio() {
  const dataDir = await mkdtemp(join(tmpdir(), 'apposite-verify-'))
  const testApp = await makeTestApp({ config: { dataDir } })
  const { browser, account, provider } = await makeUnverifiedProvider(testApp)
  const upload = async (body: Buffer | string, type = 'application/pdf') => {
    const init = {
      method: 'POST',
      headers: { 'content-type': type },
      body: new Uint8Array(Buffer.from(body)),
    }
    const response = await browser.fetch(DOCUMENT_PATH, init)
    return { status: response.status, answer: UploadResponse.parse(await response.json()) }
  }
  return {
    testApp,
    browser,
    account,
    provider,
    upload,
    files: () => readdir(join(dataDir, 'documents')).catch(() => [] as string[]),
    [Symbol.asyncDispose]: async () => {
      await testApp[Symbol.asyncDispose]()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

const PDF = `%PDF-1.7\nCANARY\n${'x'.repeat(500)}\n%%EOF\n`

const company = {
  company_name: 'Harbour Surgery Ltd',
  registration_number: ' 01234567 ',
  address: '1 Borough High Street\r\nLondon SE1 9GF',
}

test('a company is submitted with its document, one at a time', async () => {
  await using studio_ = await studio()
  const { browser, upload, testApp, files } = studio_
  const { document } = DocumentResponse.parse((await upload(PDF)).answer)
  const { data } = await browser.act('verification.sendCompany', { ...company, document })
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
  const next = DocumentResponse.parse((await upload(PDF)).answer)
  const again = await browser.act('verification.sendCompany', {
    ...company,
    document: next.document,
  })
  expect([again.status, again.code]).toEqual([409, 'company_sent'])

  const { db } = testApp.database
  const refused = { state: 'refused', reason: 'The document is of another company.' } as const
  await db.updateTable('company_claims').set(refused).execute()
  expect((await browser.ask('verification.mine')).data).toMatchObject({ company: refused })
  const used = await browser.act('verification.sendCompany', { ...company, document })
  expect(used.code).toBe('company_sent')
  await browser.act('verification.sendCompany', { ...company, document: next.document })
  expect(await db.selectFrom('company_claims').select('state').orderBy('no').execute()).toEqual([
    { state: 'refused' },
    { state: 'in_review' },
  ])
  expect(await files()).toHaveLength(2)
})

test('two concurrent submissions make one claim', async () => {
  await using studio_ = await studio()
  const { browser, upload, testApp } = studio_
  const { document } = DocumentResponse.parse((await upload(PDF)).answer)
  const sent = await Promise.all(
    Array.from({ length: 4 }, () =>
      browser.act('verification.sendCompany', { ...company, document }),
    ),
  )
  expect(
    sent
      .map(({ status }) => String(status))
      .toSorted()
      .join(' '),
  ).toBe('200 409 409 409')
  expect(
    await testApp.database.db.selectFrom('company_claims').select('no').execute(),
  ).toHaveLength(1)
})

test.each([
  ['no name', { company_name: ' ' }, 'company_name', 'Enter the name of your company.'],
  [
    'a name of two lines',
    { company_name: 'A\nB' },
    'company_name',
    'Use only letters, numbers and punctuation.',
  ],
  [
    'a number of signs',
    { registration_number: '<1234>' },
    'registration_number',
    'Use 4 to 20 letters, digits and hyphens.',
  ],
  ['half an address', { address: 'London' }, 'address', 'Enter the address in full.'],
  [
    'an address that turns round',
    { address: 'High Street \u202E 12345' },
    'address',
    'Use only letters, numbers and punctuation.',
  ],
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
  await using studio_ = await studio()
  const { document } = DocumentResponse.parse((await studio_.upload(PDF)).answer)
  const { browser } = await makeUnverifiedProvider(studio_.testApp, '10.0.0.9', '7000002')
  const foreign = await browser.act('verification.sendCompany', { ...company, document })
  expect([foreign.status, foreign.code]).toEqual([404, 'not_found'])
})

test('an image is re-encoded, a PDF is unchanged, and both are stored encrypted', async () => {
  await using studio_ = await studio()
  const { upload, testApp, files } = studio_
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
  await testApp.drainOutbox()
  // The first was never sent, so the second replaces it.
  expect(await files()).toHaveLength(1)
  const [row] = await testApp.database.db.selectFrom('company_documents').selectAll().execute()
  const kept = await testApp.services.documents.read(row?.file ?? '')
  const { format, width, height } = await sharp(kept).metadata()
  expect([format, width, height, kept.includes('CANARY')]).toEqual(['webp', 2_400, 800, false])
  expect((await studio_.browser.fetch(`/media/${row?.file}`)).status).toBe(404)
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
  await using studio_ = await studio()
  const refused = await studio_.upload(body, type)
  expect([refused.status, refused.answer['code']]).toEqual([status, code])
  expect(await studio_.files()).toEqual([])
})

test('five megabytes are accepted, one byte more is not', async () => {
  await using studio_ = await studio()
  const most = 5 * 1_024 * 1_024
  const large = Buffer.concat([
    Buffer.from('%PDF-1.7'),
    Buffer.alloc(most - 14),
    Buffer.from('%%EOF\n'),
  ])
  expect(large.length).toBe(most)
  expect((await studio_.upload(large)).status).toBe(201)
  const refused = await studio_.upload(Buffer.concat([large, Buffer.from('\n')]))
  expect([refused.status, refused.answer['code']]).toEqual([413, 'document_too_large'])
  expect(refused.answer['error']).toBe('The document must be 5 MB or smaller.')
})

test('the export has checks and submissions; erasing leaves neither rows nor files', async () => {
  await using studio_ = await studio()
  const { browser, upload, testApp, files } = studio_
  await setRegister(testApp, 'GMC', [{ number: '7000001', name: 'Amara Okafor' }])
  await browser.act('verification.lookUpMine', own)
  const { document } = DocumentResponse.parse((await upload(PDF)).answer)
  await browser.act('verification.sendCompany', { ...company, document })
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

const harbourSurgery = {
  company_name: 'Harbour Surgery Ltd',
  registration_number: '01234567',
  address: '1 Harbour Street, London',
}

describeEngines('a company sent while another tab uploads its document', (makeDatabase) => {
  test('is sent with its document, or the provider is asked for one', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'apposite-documents-'))
    const testApp = await makeTestApp({ database: await makeDatabase(), config: { dataDir } })
    const { account } = await makeProviderAccount(testApp)
    const browser = new Browser(testApp)
    await browser.signIn(account)
    const upload = () =>
      browser.fetch(DOCUMENT_PATH, {
        method: 'POST',
        headers: { 'content-type': 'application/pdf' },
        body: '%PDF-1.7 %%EOF',
      })
    for (let round = 0; round < 6; round += 1) {
      const { document } = DocumentResponse.parse(await (await upload()).json())
      const [second, sent] = await Promise.all([
        upload(),
        browser.act('verification.sendCompany', { ...harbourSurgery, document }),
      ])
      expect([round, second.status]).toEqual([round, 201])
      expect([200, 404]).toContain(sent.status)
      await testApp.database.db.deleteFrom('company_claims').execute()
    }
    await rm(dataDir, { recursive: true, force: true })
  })
})

const reason = 'The document names another company.'

/** Rows that a decision writes. */
async function written({ database: { db } }: TestApp) {
  return {
    claims: await db
      .selectFrom('company_claims')
      .select(['state', 'reason', 'decided_at'])
      .execute(),
    audit: await db
      .selectFrom('audit')
      .select(['entity', 'details'])
      .where('action', '=', 'company.decided')
      .execute(),
    jobs: await db
      .selectFrom('outbox')
      .select('topic')
      .where('topic', '=', 'company.decided')
      .execute(),
  }
}

describeEngines('a company reviewed by staff', (makeDatabase) => {
  test('is accepted, and its provider is emailed', async () => {
    await using testApp = await makeTestAppWithFiles(await makeDatabase())
    const { provider, browser, claimId } = await makeProviderWithCompany(testApp)
    const admin = await signInDemoStaff(testApp, 'admin')
    const input = { claimId, seen: 'in_review', decision: 'accepted' }
    const { status, data } = await admin.act('verification.decideCompany', input)
    expect([status, data]).toEqual([200, { state: 'accepted', reason: null }])
    expect(await written(testApp)).toEqual({
      claims: [{ state: 'accepted', reason: null, decided_at: testApp.services.now() }],
      audit: [{ entity: claimId, details: '{"decision":"accepted","before":"in_review"}' }],
      jobs: [{ topic: 'company.decided' }],
    })
    const mail = await lastMailTo(testApp, provider.email)
    expect([mail.subject, mail.text.includes('Borough Care Ltd')]).toEqual([
      'Your company is confirmed',
      true,
    ])
    const mine = await browser.ask('verification.mine')
    expect(mine.data).toMatchObject({ company: { state: 'accepted' } })
    const seen = await admin.ask('verification.provider', { providerId: provider.id })
    expect(seen.data).toMatchObject({
      evidence: { companies: [{ state: 'accepted', decidedBy: 'Ada Lindqvist' }] },
    })
  })

  test('is refused with a reason, which its provider sees', async () => {
    await using testApp = await makeTestAppWithFiles(await makeDatabase())
    const { provider, browser, claimId } = await makeProviderWithCompany(testApp)
    const admin = await signInDemoStaff(testApp, 'admin')
    const input = { claimId, seen: 'in_review', decision: 'refused' }
    const bare = await admin.act('verification.decideCompany', input)
    expect([bare.status, bare.issues]).toEqual([
      400,
      [{ path: 'reason', message: 'Give the reason: the provider reads it.' }],
    ])
    const { data } = await admin.act('verification.decideCompany', { ...input, reason })
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
    const { claimId } = await makeProviderWithCompany(testApp)
    const [admin, other] = [
      await signInDemoStaff(testApp, 'admin'),
      await signInDemoStaff(testApp, 'superuser'),
    ]
    const input = { claimId, seen: 'in_review', decision: 'accepted' }
    const outcomes = await Promise.all(
      [admin, other, admin].map((one) => one.act('verification.decideCompany', input)),
    )
    expect(outcomes.map(({ status }) => status)).toEqual([200, 200, 200])
    const { audit, jobs } = await written(testApp)
    expect([audit.length, jobs.length]).toEqual([1, 1])
    const late = await other.act('verification.decideCompany', {
      ...input,
      decision: 'refused',
      reason,
    })
    expect([late.status, late.code]).toEqual([409, 'company_decided'])
    // Sent again with the current state, the decision can be reversed.
    const back = await other.act('verification.decideCompany', {
      claimId,
      seen: 'accepted',
      decision: 'refused',
      reason,
    })
    expect(back.data).toEqual({ state: 'refused', reason })
    const again = await other.act('verification.decideCompany', { ...input, seen: 'refused' })
    expect(again.code).toBe('company_decided')
  })
})

test('an unknown company, or one of an erased account, is not found', async () => {
  await using testApp = await makeTestAppWithFiles()
  const { provider, claimId, document } = await makeProviderWithCompany(testApp)
  const admin = await signInDemoStaff(testApp, 'admin')
  const input = { seen: 'in_review', decision: 'accepted' }
  const nobody = { ...input, claimId: `cmp_${'0'.repeat(26)}` }
  expect((await admin.act('verification.decideCompany', nobody)).status).toBe(404)
  await testApp.database.db
    .updateTable('providers')
    .set({ email: `${provider.id}@erased.invalid` })
    .execute()
  expect((await admin.act('verification.decideCompany', { ...input, claimId })).status).toBe(404)
  expect((await admin.fetch(`${DOCUMENT_VIEW_PATH}/${document}`)).status).toBe(404)
})

test('the document is a sandboxed attachment, and each view is audited', async () => {
  await using testApp = await makeTestAppWithFiles()
  const { document, claimId, pdf } = await makeProviderWithCompany(testApp)
  const admin = await signInDemoStaff(testApp, 'admin')
  for (let view = 0; view < 2; view += 1) {
    const response = await admin.fetch(`${DOCUMENT_VIEW_PATH}/${document}`)
    expect(response.status).toBe(200)
    expect(Buffer.from(await response.arrayBuffer())).toEqual(pdf)
    expect(response.headers.get('content-type')).toBe('application/pdf')
    expect(response.headers.get('content-disposition')).toBe(
      `attachment; filename="${document}.pdf"`,
    )
    expect(response.headers.get('content-security-policy')).toContain('sandbox')
    expect(response.headers.get('content-security-policy')).toContain("default-src 'none'")
    expect(response.headers.get('cache-control')).toBe('no-store')
    expect(response.headers.get('x-content-type-options')).toBe('nosniff')
  }
  const views = await testApp.database.db
    .selectFrom('audit')
    .select(['actor_kind', 'entity', 'details'])
    .where('action', '=', 'company.document_viewed')
    .execute()
  const view = { actor_kind: 'staff', entity: document, details: `{"claim":"${claimId}"}` }
  expect(views).toEqual([view, view])
  // On disk it is encrypted, and nothing serves it from there.
  const folder = join(testApp.services.config.dataDir, 'documents')
  const [file = ''] = await readdir(folder)
  expect((await readFile(join(folder, file))).includes('%PDF')).toBe(false)
})

test('a document missing from the disk is not found, and not audited as viewed', async () => {
  await using testApp = await makeTestAppWithFiles()
  const { document } = await makeProviderWithCompany(testApp)
  const admin = await signInDemoStaff(testApp, 'admin')
  const { file } = await testApp.database.db
    .selectFrom('company_documents')
    .select('file')
    .executeTakeFirstOrThrow()
  await testApp.services.documents.remove(file)
  expect((await admin.fetch(`${DOCUMENT_VIEW_PATH}/${document}`)).status).toBe(404)
  const views = testApp.database.db.selectFrom('audit').select('id')
  expect(await views.where('action', '=', 'company.document_viewed').execute()).toEqual([])
})

test('nobody else can read it, and every attempt is audited', async () => {
  await using testApp = await makeTestAppWithFiles()
  const { document, browser } = await makeProviderWithCompany(testApp)
  const path = `${DOCUMENT_VIEW_PATH}/${document}`
  const editor = await signInDemoStaff(testApp, 'editor')
  const admin = await signInDemoStaff(testApp, 'admin')
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
  const denied = await testApp.database.db
    .selectFrom('audit')
    .select('details')
    .where('action', '=', 'call.denied')
    // A cross-site request is rejected before the document id is read.
    .where('entity', 'like', `${DOCUMENT_VIEW_PATH}%`)
    .execute()
  expect(denied).toHaveLength(2)
  expect(await strangerDenials(testApp)).toMatchObject([
    { path: DOCUMENT_VIEW_PATH, code: 'sign_in_required' },
    { path: `${DOCUMENT_VIEW_PATH}/:id`, code: 'foreign_origin' },
  ])
})
