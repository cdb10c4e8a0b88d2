import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { DataExport } from '#contract/profiles.ts'
import { DOCUMENT_PATH, DocumentResponse } from '#contract/verification.ts'
import { setRegister } from '#tests/harness/registers.ts'
import { makeTestApp } from '#tests/harness/test-app.ts'
import { makeUnverifiedProvider } from '#tests/harness/verification.ts'

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

test('a company goes to staff with its document, and only one at a time', async () => {
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

test('two sent at once make one claim', async () => {
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
    'Use plain letters, digits and signs.',
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
    'Use plain letters, digits and signs.',
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

test('a document of somebody else is not found', async () => {
  await using studio_ = await studio()
  const { document } = DocumentResponse.parse((await studio_.upload(PDF)).answer)
  const { browser } = await makeUnverifiedProvider(studio_.testApp, '10.0.0.9', '7000002')
  const foreign = await browser.act('verification.sendCompany', { ...company, document })
  expect([foreign.status, foreign.code]).toEqual([404, 'not_found'])
})

test('a picture is drawn anew, a PDF stays as it is, and both are kept encrypted', async () => {
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
])('%s is refused, and nothing is kept', async (_what, body, type, status, code) => {
  await using studio_ = await studio()
  const refused = await studio_.upload(body, type)
  expect([refused.status, refused.answer['code']]).toEqual([status, code])
  expect(await studio_.files()).toEqual([])
})

test('five megabytes are taken, one byte more is not', async () => {
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

test('the export has what was compared and sent; erasing leaves neither rows nor files', async () => {
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
