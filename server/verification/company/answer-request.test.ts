import { expect, test } from 'vitest'
import { DocumentResponse } from '#contract/verification.ts'
import { StaffProvider } from '#contract/verification-staff.ts'
import { makeProviderAccount } from '#tests/harness/accounts.ts'
import { Browser } from '#tests/harness/browser.ts'
import { lastMailTo } from '#tests/harness/sent-emails.ts'
import { describeEngines } from '#tests/harness/servers/engines.ts'
import { signInDemoStaff } from '#tests/harness/staff.ts'
import type { TestApp } from '#tests/harness/test-app.ts'
import { makeTestAppWithFiles } from '#tests/harness/verification.ts'

const PDF = Buffer.from(
  '%PDF-1.4\n1 0 obj <</Type/Catalog>> endobj\ntrailer <</Root 1 0 R>>\n%%EOF\n',
)

async function uploadBy(browser: Browser): Promise<string> {
  const response = await browser.fetch('/upload/company-document', {
    method: 'POST',
    headers: { 'content-type': 'application/pdf' },
    body: PDF,
  })
  return DocumentResponse.parse(await response.json()).document
}

/** A provider whom staff have asked for their certificate. */
async function open(testApp: TestApp, about?: 'company') {
  const { provider } = await makeProviderAccount(testApp)
  await testApp.database.db
    .updateTable('providers')
    .set({ verification_status: 'Unverified', verified_at: null })
    .where('no', '=', provider.no)
    .execute()
  const browser = new Browser(testApp, '192.0.2.9')
  await browser.signIn({ email: provider.email, kind: 'provider' })
  const admin = await signInDemoStaff(testApp, 'admin')
  const what = 'Send the certificate of your name.'
  const input = { providerId: provider.id, what, ...(about && { about }) }
  expect((await admin.act('verification.askAgain', input)).status).toBe(200)
  const upload = () => uploadBy(browser)
  const read = async () =>
    StaffProvider.parse(
      (await admin.ask('verification.provider', { providerId: provider.id })).data,
    )
  return { provider, browser, admin, upload, read }
}

describeEngines('a provider’s answer to staff', (makeDatabase) => {
  test('text and document reach staff, and the queue shows the answer', async () => {
    await using testApp = await makeTestAppWithFiles(await makeDatabase())
    const { browser, admin, upload, read } = await open(testApp)
    expect((await browser.ask('verification.mine')).data).toMatchObject({
      asked: { what: 'Send the certificate of your name.', about: 'registration' },
      answeredAt: null,
    })
    const document = await upload()
    testApp.advance(60_000)
    const answer = 'I married in May.\r\nThe certificate is attached.'
    const sent = await browser.act('verification.answer', { answer, document })
    const at = '2026-03-02T09:01:00.000Z'
    expect([sent.status, sent.data]).toMatchObject([200, { asked: null, answeredAt: at }])
    const { evidence } = await read()
    expect(evidence?.asked).toMatchObject([
      {
        isOpen: false,
        answer: {
          at,
          text: 'I married in May.\nThe certificate is attached.',
          documentId: document,
          document: { kind: 'pdf' },
        },
      },
    ])
    const list = await admin.ask('verification.providers', { list: 'waiting' })
    expect(list.data).toMatchObject({ providers: [{ askedAgainAt: null, answeredAt: at }] })
    // A document uploaded later does not take the place of the one that was sent.
    await upload()
    const file = await admin.fetch(`/download/company-document/${document}`)
    expect(file.status).toBe(200)
    expect(Buffer.from(await file.arrayBuffer()).equals(PDF)).toBe(true)
    const lines = await testApp.database.db
      .selectFrom('audit')
      .select(['action', 'details'])
      .where('action', 'in', ['verification.answered', 'company.document_viewed'])
      .orderBy('no')
      .execute()
    expect(lines.map((line) => [line.action, line.details])).toEqual([
      ['verification.answered', '{"document":1}'],
      ['company.document_viewed', expect.stringMatching(/^\{"request":"req_/)],
    ])
    // A new request from staff clears the answered state.
    await admin.act('verification.askAgain', {
      providerId: (await read()).providerId,
      what: 'More.',
    })
    const again = await admin.ask('verification.providers', { list: 'waiting' })
    expect(again.data).toMatchObject({ providers: [{ answeredAt: null }] })
  })
})

test('refuses an answer without a request, a second one, and another provider’s document', async () => {
  await using testApp = await makeTestAppWithFiles()
  const { browser } = await open(testApp)
  const { provider } = await makeProviderAccount(testApp)
  const other = new Browser(testApp, '192.0.2.10')
  await other.signIn({ email: provider.email, kind: 'provider' })
  const document = await uploadBy(other)
  const answer = 'Here it is.'
  const stolen = await browser.act('verification.answer', { answer, document })
  expect([stolen.status, stolen.code]).toEqual([404, 'not_found'])
  expect((await browser.act('verification.answer', { answer })).status).toBe(200)
  expect((await browser.act('verification.answer', { answer })).code).toBe('not_found')
})

const named: ['company' | undefined, string][] = [
  [undefined, '/provider-verify'],
  ['company', '/company-verify'],
]

test.for(named)(
  'a request about %s links to the page on which it is answered',
  async ([about, path]) => {
    await using testApp = await makeTestAppWithFiles()
    const { provider } = await open(testApp, about)
    const mail = await lastMailTo(testApp, provider.email)
    expect(mail.text).toContain(path)
  },
)

const undecided = ['refused', 'lost'] as const

test.each(undecided)(
  'an answer brings a provider who was %s back into the queue',
  async (state) => {
    await using testApp = await makeTestAppWithFiles()
    const { browser, admin, read } = await open(testApp)
    const { db } = testApp.database
    await db.updateTable('provider_standings').set({ state, reason: 'standing' }).execute()
    testApp.advance(60_000)
    await browser.act('verification.answer', { answer: 'Here it is.' })
    expect((await read()).evidence).toMatchObject({ state: 'waiting', reason: null })
    const list = await admin.ask('verification.providers', { list: 'waiting' })
    expect(list.data).toMatchObject({ total: 1 })
  },
)

test('a document uploaded for the answer outlives one uploaded for another form', async () => {
  await using testApp = await makeTestAppWithFiles()
  const { browser, upload } = await open(testApp, 'company')
  const forAnswer = await upload()
  testApp.advance(1_000)
  const forProof = await upload()
  testApp.advance(1_000)
  const sent = await browser.act('verification.answer', { answer: 'Here.', document: forAnswer })
  expect(sent.status).toBe(200)
  expect((await browser.act('verification.sendProof', { document: forProof })).status).toBe(200)
})
