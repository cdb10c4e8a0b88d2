import { expect, test } from 'vitest'
import { DataExport } from '#contract/profiles.ts'
import { makeAccount, PASSWORD } from '#tests/harness/accounts.ts'
import { Browser } from '#tests/harness/browser.ts'
import { lastMailTo, tokenIn } from '#tests/harness/sent-emails.ts'
import { describeEngines } from '#tests/harness/servers/engines.ts'
import { makeTestApp, type TestApp } from '#tests/harness/test-app.ts'

const OLD = 'old@mail.example'
const NEW = 'new@mail.example'

const write = (testApp: TestApp, email: string, message: string) =>
  testApp.caller().messages.contact({ first_name: 'Ada', last_name: 'Obi', email, message })

/** Changes the address of the account that a browser is signed in to. */
async function moveTo(testApp: TestApp, browser: Browser, email: string): Promise<void> {
  await browser.act('auth.changeEmail', { email, password: PASSWORD })
  const token = tokenIn(await lastMailTo(testApp, email), 'verify')
  expect((await browser.act('auth.verifyEmail', { token })).status).toBe(200)
}

async function messagesIn(browser: Browser): Promise<unknown[]> {
  const { data } = await browser.act('profiles.exportData')
  return DataExport.parse(data).messages.map(({ message }) => message)
}

/** An account that wrote before and after it changed its address, and the next owner of the former one. */
async function open(testApp: TestApp) {
  const browser = new Browser(testApp)
  await browser.signIn(await makeAccount(testApp, { email: OLD }))
  await write(testApp, OLD, 'A question from before.')
  await testApp.drainOutbox()
  await moveTo(testApp, browser, NEW)
  await write(testApp, NEW, 'A question from after.')
  const next = new Browser(testApp)
  await next.signIn(await makeAccount(testApp, { email: OLD }))
  await write(testApp, OLD, 'A question of the next owner.')
  await testApp.drainOutbox()
  return { browser, next }
}

describeEngines('contact messages from a former address', (makeDatabase) => {
  test('are in the export of the account that had it, and not of the next', async () => {
    await using testApp = await makeTestApp({ database: await makeDatabase() })
    const { browser, next } = await open(testApp)
    expect(await messagesIn(browser)).toEqual(['A question from before.', 'A question from after.'])
    expect(await messagesIn(next)).toEqual(['A question of the next owner.'])
  })

  test('go with that account, and their emails too; those of the next owner stay', async () => {
    await using testApp = await makeTestApp({ database: await makeDatabase() })
    const { browser, next } = await open(testApp)
    const { db } = testApp.database
    const kept = async () => [
      ...(await db.selectFrom('contact_messages').select('message as text').execute()),
      ...(await db
        .selectFrom('mails')
        .select('text_body as text')
        .where('reply_to', 'is not', null)
        .execute()),
    ]
    expect(await kept()).toHaveLength(6)
    expect((await browser.act('erasure.erase', { confirm: true })).status).toBe(200)
    const rest = await kept()
    expect(rest).toHaveLength(2)
    for (const { text } of rest) expect(text).toContain('A question of the next owner.')
    expect(await messagesIn(next)).toEqual(['A question of the next owner.'])
  })
})
