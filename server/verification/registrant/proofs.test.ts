import { expect, test } from 'vitest'
import { DocumentResponse, OwnVerification } from '#contract/verification.ts'
import { StaffProvider } from '#contract/verification-staff.ts'
import { markVerified } from '#server/profiles/mark-verified.ts'
import { makeProviderAccount } from '#tests/harness/accounts.ts'
import { Browser } from '#tests/harness/browser.ts'
import { codeIn, lastMailTo } from '#tests/harness/sent-emails.ts'
import { describeEngines } from '#tests/harness/servers/engines.ts'
import { signInDemoStaff } from '#tests/harness/staff.ts'
import type { TestApp } from '#tests/harness/test-app.ts'
import { addProof, makeTestAppWithFiles, setRegister } from '#tests/harness/verification.ts'

const PDF = Buffer.from(
  '%PDF-1.4\n1 0 obj <</Type/Catalog>> endobj\ntrailer <</Root 1 0 R>>\n%%EOF\n',
)
const MINUTE = 60_000
const published = 'reception@riverside.example'
const source = 'Website of the practice'

/** A verifier, and a provider in the queue whose registration matches. */
async function open(testApp: TestApp) {
  await setRegister(testApp, 'GMC', [{ number: '7000001', name: 'Amara Okafor' }])
  const { provider, account } = await makeProviderAccount(testApp)
  await testApp.database.db
    .updateTable('providers')
    .set({ verification_status: 'Unverified', verified_at: null })
    .where('no', '=', provider.no)
    .execute()
  const browser = new Browser(testApp, '192.0.2.9')
  await browser.signIn({ email: provider.email, kind: 'provider' })
  const admin = await signInDemoStaff(testApp, 'admin')
  const about = { providerId: provider.id }
  const upload = async () => {
    const headers = { 'content-type': 'application/pdf' }
    const init = { method: 'POST', headers, body: PDF }
    const response = await browser.fetch('/upload/company-document', init)
    return DocumentResponse.parse(await response.json()).document
  }
  const read = async () => {
    const { data } = await admin.ask('verification.provider', about)
    const { evidence } = StaffProvider.parse(data)
    if (evidence === null) throw new Error('There is no evidence.')
    return evidence
  }
  const mine = async () =>
    OwnVerification.parse((await browser.ask('verification.mine')).data).proof
  return {
    provider,
    account,
    browser,
    admin,
    about,
    upload,
    read,
    mine,
    sendPaper: async () => browser.act('verification.sendProof', { document: await upload() }),
    offer: (email = published) =>
      admin.act('verification.offerProofCode', { ...about, email, source }),
    sendCode: () => browser.act('verification.sendProofCode'),
    enter: (otp: string) => browser.act('verification.enterProofCode', { otp }),
    code: async (to = published) => codeIn(await lastMailTo(testApp, to)),
    verify: (staff = admin) =>
      staff.act('verification.decide', {
        ...about,
        seen: 'waiting',
        verification_status: 'Verified',
      }),
  }
}

/** A code other than the one emailed. */
function wrongCode(code: string, by = 1): string {
  return String((Number(code) + by) % 1_000_000).padStart(6, '0')
}

async function auditOf({ database }: TestApp, entity: string) {
  const rows = await database.db
    .selectFrom('audit')
    .select(['action', 'actor_kind'])
    .where('action', 'like', 'proof.%')
    .where('entity', '=', entity)
    .orderBy('no')
    .execute()
  return rows.map(({ action, actor_kind: by }) => `${action} by ${by}`)
}

describeEngines('a proof that the person is the registrant', (makeDatabase) => {
  test('without one nobody becomes Verified, and the evidence says why', async () => {
    await using testApp = await makeTestAppWithFiles(await makeDatabase())
    const { provider, verify, read } = await open(testApp)
    const { status, code } = await verify()
    expect([status, code]).toEqual([409, 'proof_required'])
    const evidence = await read()
    expect(evidence).toMatchObject({ state: 'waiting', isProven: false, proofs: [] })
    expect(evidence.history).toMatchObject([
      {
        outcome: 'match',
        decision: null,
        reason: 'There was no proof yet that the person is the registrant.',
      },
    ])
    const marked = testApp
      .context()
      .transaction((tx) => markVerified(tx, provider, testApp.services.now()))
    await expect(marked).rejects.toMatchObject({ code: 'proof_required' })
    const row = await testApp.database.db
      .selectFrom('providers')
      .select('verification_status')
      .executeTakeFirstOrThrow()
    expect(row).toEqual({ verification_status: 'Unverified' })
  })

  test('an accepted document is one, stored with who accepted it and when', async () => {
    await using testApp = await makeTestAppWithFiles(await makeDatabase())
    const { provider, admin, sendPaper, read, mine, verify } = await open(testApp)
    expect((await sendPaper()).status).toBe(200)
    expect(await mine()).toMatchObject({ acceptedAt: null, document: { state: 'waiting' } })
    expect((await verify()).code).toBe('proof_required')
    const [proof] = (await read()).proofs
    expect(proof).toMatchObject({
      kind: 'document',
      state: 'waiting',
      at: '2026-03-02T09:00:00.000Z',
      by: null,
      document: { kind: 'pdf', bytes: PDF.byteLength },
      isOfNow: true,
    })
    const file = await admin.fetch(`/download/company-document/${proof?.documentId}`)
    expect(file.headers.get('content-security-policy')).toContain('sandbox')
    expect(file.headers.get('content-disposition')).toContain('attachment')
    expect(Buffer.from(await file.arrayBuffer())).toEqual(PDF)
    testApp.advance(MINUTE)
    const decision = { proofId: proof?.id, seen: 'waiting', decision: 'accepted' }
    const accepted = await admin.act('verification.decideProof', decision)
    expect(accepted.data).toEqual({ state: 'accepted', reason: null })
    const now = '2026-03-02T09:01:00.000Z'
    expect(await read()).toMatchObject({
      isProven: true,
      proofs: [{ state: 'accepted', decidedAt: now, decidedBy: 'Ada Lindqvist' }],
    })
    expect(await mine()).toEqual({ acceptedAt: now, document: null, code: null })
    expect((await verify()).status).toBe(200)
    expect(await auditOf(testApp, provider.id)).toEqual([
      'proof.sent by provider',
      'proof.accepted by staff',
    ])
  })

  test('a code sent to the published address is one, also when entered twenty times concurrently', async () => {
    await using testApp = await makeTestAppWithFiles(await makeDatabase())
    const { provider, offer, sendCode, enter, code, read, mine, verify } = await open(testApp)
    expect((await sendCode()).code).toBe('not_found')
    expect((await offer()).status).toBe(200)
    const email = await lastMailTo(testApp, provider.email)
    expect(email.subject).toBe('Confirm that you’re the registrant')
    expect(email.text).toContain(published)
    expect(email.text).toContain('/provider-verify')
    expect((await mine()).code).toEqual({ email: published, source, isSent: false, resendAt: null })
    expect((await sendCode()).status).toBe(200)
    expect((await mine()).code).toMatchObject({
      isSent: true,
      resendAt: '2026-03-02T09:01:00.000Z',
    })
    expect((await sendCode()).code).toBe('rate_limited')
    const mailed = await code()
    const kept = await testApp.database.db.selectFrom('codes').selectAll().execute()
    const jobs = await testApp.database.db.selectFrom('outbox').select('payload').execute()
    expect(JSON.stringify([kept, jobs])).not.toContain(mailed)
    const wrong = await enter(wrongCode(mailed))
    expect([wrong.status, wrong.code]).toEqual([400, 'code_invalid'])
    const answers = await Promise.all(Array.from({ length: 20 }, () => enter(mailed)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(await read()).toMatchObject({
      isProven: true,
      proofs: [{ kind: 'code', state: 'accepted', email: published, source, decidedBy: null }],
    })
    expect((await verify()).status).toBe(200)
    expect(await auditOf(testApp, provider.id)).toEqual([
      'proof.address_entered by staff',
      'proof.accepted by provider',
    ])
  })

  test('of two conflicting concurrent decisions one wins, and the other is refused', async () => {
    await using testApp = await makeTestAppWithFiles(await makeDatabase())
    const { provider, admin, sendPaper, read } = await open(testApp)
    const colleague = await signInDemoStaff(testApp, 'superuser')
    await sendPaper()
    const about = { proofId: (await read()).proofs[0]?.id, seen: 'waiting' }
    const outcomes = await Promise.all([
      admin.act('verification.decideProof', { ...about, decision: 'accepted' }),
      colleague.act('verification.decideProof', {
        ...about,
        decision: 'refused',
        reason: 'It is unreadable.',
      }),
    ])
    expect(outcomes.map(({ status }) => String(status)).toSorted()).toEqual(['200', '409'])
    expect(outcomes.find(({ status }) => status === 409)?.code).toBe('proof_decided')
    expect(await auditOf(testApp, provider.id)).toHaveLength(2)
  })

  test('concurrent addresses or documents leave one of each kind waiting', async () => {
    await using testApp = await makeTestAppWithFiles(await makeDatabase())
    const { admin, about, browser, upload, read } = await open(testApp)
    const colleague = await signInDemoStaff(testApp, 'superuser')
    const offers = [admin, colleague].map((staff, at) =>
      staff.act('verification.offerProofCode', { ...about, email: `a${at}@b.example`, source }),
    )
    expect((await Promise.all(offers)).map(({ status }) => status)).toEqual([200, 200])
    const document = await upload()
    await Promise.all([1, 2].map(() => browser.act('verification.sendProof', { document })))
    const waiting = (await read()).proofs.filter(({ state }) => state === 'waiting')
    expect(waiting.map(({ kind }) => kind).toSorted()).toEqual(['code', 'document'])
  })

  test('the same document sent again changes nothing while it waits or once it is accepted', async () => {
    await using testApp = await makeTestAppWithFiles(await makeDatabase())
    const { provider, admin, browser, upload, read } = await open(testApp)
    const document = await upload()
    const send = () => browser.act('verification.sendProof', { document })
    const first = await send()
    const answers = await Promise.all([1, 2, 3].map(send))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    expect(answers[0]?.data).toEqual(first.data)
    const { proofs } = await read()
    expect(proofs).toMatchObject([{ state: 'waiting', documentId: document }])
    const decided = { proofId: proofs[0]?.id, seen: 'waiting', decision: 'accepted' }
    await admin.act('verification.decideProof', decided)
    await send()
    expect((await read()).proofs).toMatchObject([{ state: 'accepted' }])
    expect(await auditOf(testApp, provider.id)).toEqual([
      'proof.sent by provider',
      'proof.accepted by staff',
    ])
    await browser.act('verification.sendProof', { document: await upload() })
    expect((await read()).proofs).toMatchObject([{ state: 'waiting' }, { state: 'accepted' }])
  })

  test('nobody becomes Verified by a proof that is being revoked', async () => {
    await using testApp = await makeTestAppWithFiles(await makeDatabase())
    const { admin, sendPaper, read, verify } = await open(testApp)
    const colleague = await signInDemoStaff(testApp, 'superuser')
    await sendPaper()
    const proofId = (await read()).proofs[0]?.id
    await admin.act('verification.decideProof', { proofId, seen: 'waiting', decision: 'accepted' })
    const reason = 'It is of somebody else.'
    const [decided, withdrawn] = await Promise.all([
      verify(),
      colleague.act('verification.decideProof', {
        proofId,
        seen: 'accepted',
        decision: 'refused',
        reason,
      }),
    ])
    expect([String(decided.status), String(withdrawn.status)].toSorted()).toEqual(['200', '409'])
    const { state, isProven } = await read()
    expect(state === 'verified').toBe(isProven)
  })

  test('a code sent to a replaced address is refused', async () => {
    await using testApp = await makeTestAppWithFiles(await makeDatabase())
    const { offer, sendCode, enter, code, read } = await open(testApp)
    await offer()
    await sendCode()
    const old = await code()
    await offer('other@riverside.example')
    expect((await enter(old)).code).toBe('code_invalid')
    expect(await read()).toMatchObject({
      isProven: false,
      proofs: [{ state: 'waiting' }, { state: 'replaced' }],
    })
  })
})

test('a code is void after five wrong entries or ten minutes', async () => {
  await using testApp = await makeTestAppWithFiles()
  const { provider, browser, offer, sendCode, enter, code } = await open(testApp)
  await offer()
  await sendCode()
  const first = await code()
  for (let count = 1; count <= 5; count += 1) {
    expect((await enter(wrongCode(first, count))).code).toBe('code_invalid')
  }
  expect((await enter(first)).code).toBe('code_locked')
  testApp.advance(MINUTE)
  await sendCode()
  const second = await code()
  testApp.advance(10 * MINUTE)
  await browser.signIn({ email: provider.email, kind: 'provider' })
  expect((await enter(second)).code).toBe('code_invalid')
})

test('a refused document is returned with the reason, and a newer one replaces it', async () => {
  await using testApp = await makeTestAppWithFiles()
  const { provider, admin, sendPaper, read, mine } = await open(testApp)
  await sendPaper()
  const proofId = (await read()).proofs[0]?.id
  const refusal = { proofId, seen: 'waiting', decision: 'refused', reason: 'It is unreadable.' }
  expect((await admin.act('verification.decideProof', refusal)).data).toEqual({
    state: 'refused',
    reason: 'It is unreadable.',
  })
  const mail = await lastMailTo(testApp, provider.email)
  expect(mail.subject).toBe('We need another proof that it’s you')
  expect(mail.text).toContain('It is unreadable.')
  expect((await mine()).document).toMatchObject({ state: 'refused', reason: 'It is unreadable.' })
  await sendPaper()
  expect((await mine()).document).toMatchObject({ state: 'waiting', reason: null })
})

test('a document in an answer about the registration waits as a proof too', async () => {
  await using testApp = await makeTestAppWithFiles()
  const { browser, admin, about, upload, read } = await open(testApp)
  await admin.act('verification.askAgain', { ...about, what: 'A photo ID, please.' })
  const document = await upload()
  await browser.act('verification.answer', { answer: 'Here it is.', document })
  expect((await read()).proofs).toMatchObject([{ kind: 'document', documentId: document }])
})

test('a proof is for one number: claiming another one requires another proof', async () => {
  await using testApp = await makeTestAppWithFiles()
  const { provider, admin, sendPaper, read, mine } = await open(testApp)
  await sendPaper()
  const proofId = (await read()).proofs[0]?.id
  await admin.act('verification.decideProof', { proofId, seen: 'waiting', decision: 'accepted' })
  const claim = (number: string) =>
    testApp.database.db
      .updateTable('providers')
      .set({ membership_number: number })
      .where('no', '=', provider.no)
      .execute()
  await claim('7000009')
  expect(await read()).toMatchObject({ isProven: false, proofs: [{ isOfNow: false }] })
  expect((await mine()).acceptedAt).toBeNull()
  await claim('7000001')
  expect((await read()).isProven).toBe(true)
})

test('staff cannot enter a provider’s code, nor revoke the proof of a Verified one', async () => {
  await using testApp = await makeTestAppWithFiles()
  const { admin, offer, sendCode, enter, code, read, verify } = await open(testApp)
  await offer()
  const proofId = (await read()).proofs[0]?.id
  const accept = { proofId, seen: 'waiting', decision: 'accepted' }
  expect((await admin.act('verification.decideProof', accept)).code).toBe('proof_decided')
  await sendCode()
  await enter(await code())
  await verify()
  const refusal = { proofId, seen: 'accepted', decision: 'refused', reason: 'A mistake.' }
  const late = await admin.act('verification.decideProof', refusal)
  expect([late.status, late.code]).toEqual([409, 'decided_meanwhile'])
})

test('providers Verified before proofs existed stay Verified', async () => {
  await using testApp = await makeTestAppWithFiles()
  const { provider, read } = await open(testApp)
  await testApp.database.db
    .updateTable('providers')
    .set({ verification_status: 'Verified', verified_at: testApp.services.now() })
    .where('no', '=', provider.no)
    .execute()
  expect(await read()).toMatchObject({ state: 'verified', isProven: false, proofs: [] })
})

test('somebody else’s document is not found', async () => {
  await using testApp = await makeTestAppWithFiles()
  const { upload } = await open(testApp)
  const document = await upload()
  const { account } = await makeProviderAccount(testApp)
  const stranger = new Browser(testApp, '192.0.2.77')
  await stranger.signIn(account)
  const { status, code } = await stranger.act('verification.sendProof', { document })
  expect([status, code]).toEqual([404, 'not_found'])
})

test('a proof brings a provider who was refused back into the queue', async () => {
  await using testApp = await makeTestAppWithFiles()
  const { admin, about, sendPaper, read } = await open(testApp)
  const refusal = { seen: 'waiting', verification_status: 'Unverified', reason: 'Send a photo ID.' }
  expect((await admin.act('verification.decide', { ...about, ...refusal })).status).toBe(200)
  testApp.advance(MINUTE)
  expect((await sendPaper()).status).toBe(200)
  expect(await read()).toMatchObject({ state: 'waiting', reason: null })
})

test('a provider stays proven however many documents they send afterwards', async () => {
  await using testApp = await makeTestAppWithFiles()
  const { about, browser, upload, read } = await open(testApp)
  await addProof(testApp, about.providerId)
  const document = await upload()
  for (let count = 0; count < 20; count += 1) {
    expect((await browser.act('verification.sendProof', { document })).status).toBe(200)
  }
  expect((await read()).isProven).toBe(true)
})
