import { expect, test } from 'vitest'
import { CheckCodeResponse } from '#contract/auth-codes.ts'
import { makeAccount, makeProviderAccount } from '#tests/harness/accounts.ts'
import { Browser } from '#tests/harness/browser.ts'
import { codeIn, lastMailTo } from '#tests/harness/sent-emails.ts'
import { describeEngines } from '#tests/harness/servers/engines.ts'
import { makeTestApp, type TestApp } from '#tests/harness/test-app.ts'
import { useVerifiedCode } from './codes.ts'

const SECOND = 1_000
const MINUTE = 60 * SECOND

const hold = { purpose: 'booking', object: 'hold_1' }

async function signInPatient(testApp: TestApp) {
  const account = await makeAccount(testApp)
  const browser = new Browser(testApp)
  await browser.signIn(account)
  const send = async (asked: object = hold) => browser.act('auth.sendCode', asked)
  const check = (otp: string, asked: object = hold) =>
    browser.act('auth.checkCode', { ...asked, otp })
  const codeMailed = async () => codeIn(await lastMailTo(testApp, account.email))
  /** Access tokens live ten minutes, so a longer wait needs a refresh. */
  const later = async (ms: number) => {
    testApp.advance(ms)
    await browser.act('auth.refresh')
  }
  return { account, browser, send, check, codeMailed, later }
}

/** A code other than the one emailed. */
function wrongCode(code: string, by = 1): string {
  return String((Number(code) + by) % 1_000_000).padStart(6, '0')
}

function consumeCode(testApp: TestApp, accountNo: number, asked = hold): Promise<boolean> {
  const now = testApp.services.now()
  return testApp.context().transaction((tx) => useVerifiedCode(tx, { accountNo, ...asked, now }))
}

test('the response shows two characters of the address and when another code may be requested', async () => {
  await using testApp = await makeTestApp()
  const { account, send } = await signInPatient(testApp)
  const { data } = await send()
  expect(data).toEqual({
    email: `${account.email.slice(0, 2)}${'x'.repeat(account.email.length - 2)}`,
    resendAt: '2026-03-02T09:01:00.000Z',
  })
  const mail = await lastMailTo(testApp, account.email)
  expect(mail.subject).toBe('Your code to book a visit')
  expect(codeIn(mail)).toMatch(/^[0-9]{6}$/)
  expect(mail.html).toContain(codeIn(mail))
})

test('the right code is accepted once, and is good for one use within thirty minutes', async () => {
  await using testApp = await makeTestApp()
  const { account, send, check, codeMailed } = await signInPatient(testApp)
  await send()
  const code = await codeMailed()
  expect(await consumeCode(testApp, account.no)).toBe(false)
  expect((await check(code)).data).toEqual({ status: true })
  expect((await check(code)).data).toEqual({ status: false })
  testApp.advance(30 * MINUTE - 1)
  expect(await consumeCode(testApp, account.no, { purpose: 'erase', object: 'hold_1' })).toBe(false)
  expect(await consumeCode(testApp, account.no, { purpose: 'booking', object: 'hold_2' })).toBe(
    false,
  )
  expect(await consumeCode(testApp, account.no)).toBe(true)
  expect(await consumeCode(testApp, account.no)).toBe(false)
})

test('a verified code expires after thirty minutes', async () => {
  await using testApp = await makeTestApp()
  const { account, send, check, codeMailed } = await signInPatient(testApp)
  await send()
  await check(await codeMailed())
  testApp.advance(30 * MINUTE)
  expect(await consumeCode(testApp, account.no)).toBe(false)
})

test.each([
  ['five', '12345'],
  ['seven', '1234567'],
  ['Arabic-Indic', '١٢٣٤٥٦'],
  ['full-width', '１２３４５６'],
  ['emoji', '12345🙂'],
  ['letters', 'abcdef'],
  ['line break', '123456\n'],
])('a code of %s is "Invalid OTP" and does not count as an attempt', async (_what, otp) => {
  await using testApp = await makeTestApp()
  const { send, check } = await signInPatient(testApp)
  await send()
  const { status, code, message, issues } = await check(otp)
  expect([status, code, message]).toEqual([400, 'code_invalid', 'Invalid OTP'])
  expect(issues).toEqual([{ path: 'otp', message: 'Invalid OTP' }])
  const rows = await testApp.database.db.selectFrom('codes').select('tries').execute()
  expect(rows).toEqual([{ tries: 0 }])
})

test('after five wrong codes a new code is required', async () => {
  await using testApp = await makeTestApp()
  const { send, check, codeMailed } = await signInPatient(testApp)
  await send()
  const code = await codeMailed()
  for (let count = 1; count <= 5; count += 1) {
    expect((await check(wrongCode(code, count))).data).toEqual({ status: false })
  }
  const sixth = await check(code)
  expect([sixth.status, sixth.message]).toEqual([429, 'Too many attempts. Request a new code.'])
  expect(sixth.retryAfter).toBe(60)
  testApp.advance(MINUTE)
  await send()
  expect((await check(await codeMailed())).data).toEqual({ status: true })
})

test('at most fifteen wrong codes a day across resends', async () => {
  await using testApp = await makeTestApp()
  const { send, check, codeMailed, later } = await signInPatient(testApp)
  for (let round = 0; round < 3; round += 1) {
    await send()
    const code = await codeMailed()
    for (let count = 1; count <= 5; count += 1) await check(wrongCode(code, count))
    await later(15 * MINUTE)
  }
  await send()
  const { status, code, retryAfter } = await check(await codeMailed())
  expect([status, code]).toEqual([429, 'code_locked'])
  expect(retryAfter).toBeGreaterThan(3_600)
})

test('every attempt is audited, and so is being locked out for the day', async () => {
  await using testApp = await makeTestApp()
  const { account, send, check, codeMailed, later } = await signInPatient(testApp)
  for (let round = 0; round < 3; round += 1) {
    await send()
    const code = await codeMailed()
    for (let count = 1; count <= 5; count += 1) await check(wrongCode(code, count))
    await later(15 * MINUTE)
  }
  await send()
  await check(await codeMailed())
  const rows = await testApp.database.db
    .selectFrom('audit')
    .select(['details'])
    .where('action', '=', 'code.refused')
    .where('entity', '=', account.id)
    .orderBy('no')
    .execute()
  expect(rows).toHaveLength(16)
  expect(rows.at(-1)?.details).toBe('{"purpose":"booking","verdict":"locked for the day"}')
})

test('a batch of a thousand guesses is refused, a batch of ten is counted', async () => {
  await using testApp = await makeTestApp()
  const { browser, send, check, codeMailed } = await signInPatient(testApp)
  await send()
  const code = await codeMailed()
  const guess = async (count: number) => {
    const paths = Array.from({ length: count }, () => 'auth.checkCode').join(',')
    const inputs = Array.from({ length: count }, (_, at) => ({
      ...hold,
      otp: wrongCode(code, at + 1),
    }))
    const headers = { 'content-type': 'application/json' }
    const body = JSON.stringify(Object.fromEntries(inputs.slice(0, 500).entries()))
    return browser.fetch(`/trpc/${paths}?batch=1`, { method: 'POST', headers, body })
  }
  const tries = () => testApp.database.db.selectFrom('codes').select('tries').execute()
  const thousand = await guess(1_000)
  expect([thousand.status, await thousand.text()]).toEqual([
    400,
    expect.stringContaining('Batch call exceeds maximum size'),
  ])
  expect(await tries()).toEqual([{ tries: 0 }])
  expect((await guess(10)).headers.get('retry-after')).toBe('60')
  expect(await tries()).toEqual([{ tries: 5 }])
  expect((await check(code)).code).toBe('code_locked')
})

test('a code ten minutes old, of another object or purpose, is wrong', async () => {
  await using testApp = await makeTestApp()
  const { send, check, codeMailed, later } = await signInPatient(testApp)
  await send()
  const code = await codeMailed()
  expect((await check(code, { ...hold, object: 'hold_2' })).data).toEqual({ status: false })
  expect((await check(code, { purpose: 'erase', object: 'hold_1' })).data).toEqual({
    status: false,
  })
  await later(10 * MINUTE + SECOND)
  expect((await check(code)).data).toEqual({ status: false })
})

test('somebody else’s code is wrong', async () => {
  await using testApp = await makeTestApp()
  const mine = await signInPatient(testApp)
  const theirs = await signInPatient(testApp)
  await mine.send()
  await theirs.send()
  const code = await mine.codeMailed()
  if (code === (await theirs.codeMailed())) return
  expect((await theirs.check(code)).data).toEqual({ status: false })
  expect((await mine.check(code)).data).toEqual({ status: true })
})

test('a code is sent at most once a minute, five times an hour and ten times a day', async () => {
  await using testApp = await makeTestApp()
  const { send, later } = await signInPatient(testApp)
  expect((await send()).status).toBe(200)
  await later(59 * SECOND)
  const soon = await send()
  expect([soon.status, soon.retryAfter]).toEqual([429, 1])
  await later(SECOND)
  for (let count = 2; count <= 5; count += 1) {
    expect((await send()).status).toBe(200)
    await later(MINUTE)
  }
  expect((await send()).status).toBe(429)
  for (let count = 6; count <= 10; count += 1) {
    await later(20 * MINUTE)
    if (count === 6) await later(50 * MINUTE)
    expect((await send()).status).toBe(200)
  }
  await later(2 * 60 * MINUTE)
  const daily = await send()
  expect(daily.status).toBe(429)
  expect(daily.retryAfter).toBeGreaterThan(3_600)
  await testApp.drainOutbox()
  expect(testApp.mails).toHaveLength(10)
})

test('providers cannot request booking codes, and visitors are asked to sign in', async () => {
  await using testApp = await makeTestApp()
  const { account } = await makeProviderAccount(testApp)
  const provider = new Browser(testApp)
  await provider.signIn(account)
  expect((await provider.act('auth.sendCode', hold)).status).toBe(403)
  expect((await provider.act('auth.checkCode', { ...hold, otp: '123456' })).status).toBe(403)
  expect((await new Browser(testApp).act('auth.sendCode', hold)).status).toBe(401)
})

describeEngines('codes', (makeDatabase) => {
  test('the right code sent fifty times concurrently is accepted once, and used once', async () => {
    const testApp = await makeTestApp({ database: await makeDatabase() })
    const { account, send, check, codeMailed } = await signInPatient(testApp)
    await send()
    const code = await codeMailed()
    const answers = await Promise.all(Array.from({ length: 50 }, () => check(code)))
    const right = answers.filter(({ data }) => CheckCodeResponse.safeParse(data).data?.status)
    expect(right).toHaveLength(1)
    const uses = await Promise.all(
      Array.from({ length: 10 }, () => consumeCode(testApp, account.no)),
    )
    expect(uses.filter(Boolean)).toHaveLength(1)
  })

  test('of a hundred concurrent guesses five are checked', async () => {
    const testApp = await makeTestApp({ database: await makeDatabase() })
    const { send, check, codeMailed } = await signInPatient(testApp)
    await send()
    const code = await codeMailed()
    const asked = Array.from({ length: 100 }, (_, at) => check(wrongCode(code, at + 1)))
    const answers = await Promise.all(asked)
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(5)
    const rows = await testApp.database.db.selectFrom('codes').select('tries').execute()
    expect(rows).toEqual([{ tries: 5 }])
  })

  test('ten concurrent requests send one code', async () => {
    const testApp = await makeTestApp({ database: await makeDatabase() })
    const { send } = await signInPatient(testApp)
    const answers = await Promise.all(Array.from({ length: 10 }, () => send()))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    await testApp.drainOutbox()
    expect(testApp.mails).toHaveLength(1)
  })
})
