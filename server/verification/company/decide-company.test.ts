import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { DOCUMENT_VIEW_PATH } from '#contract/verification-staff.ts'
import { lastMailTo } from '#tests/harness/sent-emails.ts'
import { describeEngines } from '#tests/harness/servers/engines.ts'
import { Browser } from '#tests/harness/spa/browser.ts'
import { signInDemoStaff } from '#tests/harness/staff.ts'
import { strangerDenials, type TestApp } from '#tests/harness/test-app.ts'
import { makeProviderWithCompany, makeTestAppWithFiles } from '#tests/harness/verification.ts'

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
    owed: await db
      .selectFrom('outbox')
      .select('topic')
      .where('topic', '=', 'company.decided')
      .execute(),
  }
}

describeEngines('a company before staff', (makeDatabase) => {
  test('is accepted, and its provider is told', async () => {
    await using testApp = await makeTestAppWithFiles(await makeDatabase())
    const { provider, browser, claimId } = await makeProviderWithCompany(testApp)
    const admin = await signInDemoStaff(testApp, 'admin')
    const input = { claimId, seen: 'in_review', decision: 'accepted' }
    const { status, data } = await admin.act('verification.decideCompany', input)
    expect([status, data]).toEqual([200, { state: 'accepted', reason: null }])
    expect(await written(testApp)).toEqual({
      claims: [{ state: 'accepted', reason: null, decided_at: testApp.services.now() }],
      audit: [{ entity: claimId, details: '{"decision":"accepted","before":"in_review"}' }],
      owed: [{ topic: 'company.decided' }],
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

  test('is refused with a reason, which its provider reads', async () => {
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

  test('decided twice, or by two at once, is one decision and one letter', async () => {
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
    const { audit, owed } = await written(testApp)
    expect([audit.length, owed.length]).toEqual([1, 1])
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

test('a company of nobody, or of somebody erased, is not found', async () => {
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

test('the document comes as an attachment in a sandbox, and each view is written down', async () => {
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

test('a document that is gone from the disk is not found, and is no view of it', async () => {
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

test('nobody else gets it, and every try is written down', async () => {
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
