import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { expect, test, vi } from 'vitest'
import { systemContext } from '#server/context.ts'
import { makeAccount, makeProviderAccount, PASSWORD } from '#tests/harness/accounts.ts'
import { Browser } from '#tests/harness/browser.ts'
import { makeProvider } from '#tests/harness/people.ts'
import { lastMailTo, tokenIn } from '#tests/harness/sent-emails.ts'
import { describeEngines } from '#tests/harness/servers/engines.ts'
import { makeTestApp, type TestApp } from '#tests/harness/test-app.ts'
import { insertVisit } from '#tests/harness/visits.ts'

async function folder() {
  const path = await mkdtemp(join(tmpdir(), 'apposite-meanwhile-'))
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) }
}

async function upload(browser: Browser): Promise<Response> {
  const create = { width: 60, height: 40, channels: 3, background: '#3366cc' } as const
  const body = new Uint8Array(await sharp({ create }).jpeg().toBuffer())
  const headers = { 'content-type': 'image/jpeg' }
  return browser.fetch('/upload/profile-photo', { method: 'POST', headers, body })
}

/** The same person in a second tab. */
function openSecondTab(testApp: TestApp, browser: Browser): Browser {
  const tab = new Browser(testApp)
  for (const [name, cookie] of browser.jar) tab.jar.set(name, cookie)
  return tab
}

/** Erases the account while an uploaded picture is being processed. */
function eraseDuringProcessing(testApp: TestApp, browser: Browser): void {
  const { pictures } = testApp.services
  testApp.services.pictures = {
    ...pictures,
    savePortrait: async (bytes) => {
      const path = await pictures.savePortrait(bytes)
      const erased = await openSecondTab(testApp, browser).act('erasure.erase', { confirm: true })
      expect(erased.status).toBe(200)
      return path
    },
  }
}

describeEngines('an account erased while its picture is being processed', (makeDatabase) => {
  test.each(['patient', 'provider'])(
    'keeps neither the picture of the %s nor its file',
    async (kind) => {
      await using data = await folder()
      const database = await makeDatabase()
      const testApp = await makeTestApp({ database, config: { dataDir: data.path } })
      const account =
        kind === 'patient'
          ? await makeAccount(testApp)
          : (await makeProviderAccount(testApp)).account
      const browser = new Browser(testApp)
      await browser.signIn(account)
      eraseDuringProcessing(testApp, browser)
      expect((await upload(browser)).status).toBe(401)
      await testApp.drainOutbox()
      const { db } = testApp.database
      const shown = [
        ...(await db.selectFrom('accounts').select('profile_image as path').execute()),
        ...(await db.selectFrom('providers').select('photo as path').execute()),
      ]
      expect(shown.filter(({ path }) => path !== null)).toEqual([])
      expect(await readdir(join(data.path, 'media'))).toEqual([])
    },
  )

  test('is erased once, also with concurrent requests', async () => {
    const testApp = await makeTestApp({ database: await makeDatabase() })
    const account = await makeAccount(testApp)
    const browser = new Browser(testApp)
    await browser.signIn(account)
    const asked = Array.from({ length: 5 }, () =>
      openSecondTab(testApp, browser).act('erasure.erase', { confirm: true }),
    )
    const statuses = (await Promise.all(asked)).map(({ status }) => status)
    expect(statuses.toSorted((a, b) => a - b)).toEqual([200, 401, 401, 401, 401])
    await testApp.drainOutbox()
    expect(testApp.mails.map(({ to, subject }) => [to, subject])).toEqual([
      [account.email, 'Your account was deleted'],
    ])
  })
})

test('a provider’s free times are deleted with the account, taken ones stay', async () => {
  await using testApp = await makeTestApp()
  const { db } = testApp.database
  const { account, provider } = await makeProviderAccount(testApp)
  const { no: place_no } = await db
    .selectFrom('places')
    .select('no')
    .where('provider_no', '=', provider.no)
    .executeTakeFirstOrThrow()
  const taken = { provider_no: provider.no, place_no, minutes: 15, free: 0 } as const
  const start_at = testApp.services.now() + 7 * 60_000
  await db
    .insertInto('slots')
    .values({ ...taken, start_at })
    .execute()
  const free = await db.selectFrom('slots').select('free').where('free', '=', 1).execute()
  expect(free.length).toBeGreaterThan(0)
  const stranger = new Browser(testApp)
  const see = () => stranger.ask('availability.freeTimes', { providerId: provider.id, days: 7 })
  expect((await see()).status).toBe(200)
  const browser = new Browser(testApp)
  await browser.signIn(account)
  await browser.act('erasure.erase', { confirm: true })
  expect((await see()).code).toBe('provider_not_found')
  await testApp.drainOutbox()
  expect(await db.selectFrom('search_index').selectAll().execute()).toEqual([])
  const left = await db.selectFrom('slots').select(['free', 'start_at']).execute()
  expect(left).toEqual([{ free: 0, start_at }])
})

test('an email that is being sent while its owner erases the account is not kept', async () => {
  const sending = Promise.withResolvers<'sent'>()
  const sent: string[] = []
  await using testApp = await makeTestApp({
    mail: {
      send: ({ to }) => {
        sent.push(to)
        return sending.promise
      },
    },
  })
  const account = await makeAccount(testApp, { first_name: 'Canary' })
  await new Browser(testApp).act('auth.forgotPassword', {
    email: account.email,
    userType: 'patient',
  })
  const browser = new Browser(testApp)
  await browser.signIn(account)
  const delivered = testApp.drainOutbox()
  await vi.waitFor(() => expect(sent).toEqual([account.email]))
  expect((await browser.act('erasure.erase', { confirm: true })).status).toBe(200)
  sending.resolve('sent')
  await delivered
  const mails = await testApp.database.db.selectFrom('mails').selectAll().execute()
  expect(mails.length).toBeGreaterThan(0)
  expect(JSON.stringify(mails)).not.toMatch(new RegExp(`Canary|${account.email}|${account.id}`))
})

test('an export leaves out emails to the address’s former owner', async () => {
  await using testApp = await makeTestApp()
  const before = await makeAccount(testApp, { email: 'shared@mail.example' })
  await new Browser(testApp).act('auth.forgotPassword', {
    email: before.email,
    userType: 'patient',
  })
  await testApp.drainOutbox()
  await testApp.database.db
    .updateTable('accounts')
    .set({ email: 'moved@mail.example' })
    .where('no', '=', before.no)
    .execute()
  const after = await makeAccount(testApp, { email: 'shared@mail.example' })
  const browser = new Browser(testApp)
  await browser.signIn(after)
  const { data } = await browser.act('profiles.exportData')
  expect(data).toMatchObject({ account: { id: after.id }, mails: [] })
  expect(JSON.stringify(data)).not.toContain(before.id)
})

test('an export has emails to a former address, and none of a provider’s about the visits', async () => {
  await using testApp = await makeTestApp()
  const provider = await makeProvider(testApp)
  const account = await makeAccount(testApp, { email: 'before@mail.example' })
  const { id } = await insertVisit(testApp, provider, {
    patientNo: account.no,
    startsAt: '2026-03-10T10:00:00Z',
  })
  const ctx = systemContext(testApp.services, 'test')
  await ctx.transaction((tx) => tx.outbox.add('booking.confirmed', { bookingId: id }))
  await testApp.drainOutbox()
  expect(testApp.mails.map(({ to }) => to)).toEqual([account.email, provider.email])
  const email = 'after@mail.example'
  const accounts = testApp.database.db.updateTable('accounts').where('no', '=', account.no)
  await accounts.set({ email }).execute()
  const browser = new Browser(testApp)
  await browser.signIn({ ...account, email })
  const { data } = await browser.act('profiles.exportData')
  expect(data).toMatchObject({ mails: [{ subject: testApp.mails[0]?.subject }] })
})

describeEngines('two providers', (makeDatabase) => {
  test('may both erase their accounts, and their addresses are free again', async () => {
    const testApp = await makeTestApp({ database: await makeDatabase() })
    for (const email of ['one@clinic.example', 'two@clinic.example']) {
      const { account } = await makeProviderAccount(testApp)
      const browser = new Browser(testApp)
      await browser.signIn(account)
      expect([email, (await browser.act('erasure.erase', { confirm: true })).status]).toEqual([
        email,
        200,
      ])
    }
    const rows = await testApp.database.db.selectFrom('providers').select(['id', 'email']).execute()
    expect(rows.map(({ email }) => email)).toEqual(rows.map(({ id }) => `${id}@erased.invalid`))
  })
})

test('a provider who changes their address gets messages there, and frees the old one', async () => {
  await using testApp = await makeTestApp()
  const { account, provider } = await makeProviderAccount(testApp)
  const browser = new Browser(testApp)
  await browser.signIn(account)
  await browser.act('auth.changeEmail', { email: 'moved@clinic.example', password: PASSWORD })
  const token = tokenIn(await lastMailTo(testApp, 'moved@clinic.example'), 'verify')
  expect((await browser.act('auth.verifyEmail', { token })).status).toBe(200)
  await browser.act('messages.contact', {
    first_name: 'Ann',
    last_name: 'Lee',
    email: 'ann@mail.example',
    message: 'Can you see my son on Friday?',
    providerId: provider.id,
  })
  expect((await lastMailTo(testApp, 'moved@clinic.example')).text).toContain('my son on Friday')
  const next = await makeProvider(testApp, { email: account.email })
  expect(next.email).toBe(account.email)
})
