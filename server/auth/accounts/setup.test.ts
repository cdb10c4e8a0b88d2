import { expect, test } from 'vitest'
import { Me } from '#contract/auth.ts'
import { RecoveryCodes, SecondFactorSetup } from '#contract/auth-second-factor.ts'
import { recoverSuperuser } from '#server/auth/accounts/accounts.ts'
import { newTotpSecret, totpCode } from '#server/kernel/security/totp.ts'
import { real } from '#tests/harness/access-matrix.ts'
import { makeAccount, makeProviderAccount, PASSWORD } from '#tests/harness/accounts.ts'
import { Browser } from '#tests/harness/browser.ts'
import { makeStaff, signInNewStaff, signInStaff } from '#tests/harness/staff.ts'
import { makeTestApp, type TestApp } from '#tests/harness/test-app.ts'

const OWN = 'a boat on the river'

type Person = { browser: Browser; password: string; secret: string | null }

async function meOf(browser: Browser) {
  return Me.parse((await browser.ask('auth.me')).data)
}

/** What the pages do for the step that `me` names first. Returns whether there was one. */
async function takeNextStep(testApp: TestApp, person: Person): Promise<boolean> {
  const { browser } = person
  const me = await meOf(browser)
  if (me.must_change_password) {
    const passwords = { new_password: OWN, confirm_password: OWN }
    expect(await browser.act('auth.setFirstPassword', passwords)).toMatchObject({ status: 200 })
    person.password = OWN
    return true
  }
  if (!me.must_set_second_factor) return false
  let begun = await browser.act('auth.beginSecondFactor')
  if (begun.code === 'step_up_required') {
    const proved = await browser.act('auth.stepUp', { password: person.password })
    expect(proved).toMatchObject({ status: 200 })
    begun = await browser.act('auth.beginSecondFactor')
  }
  expect(begun).toMatchObject({ status: 200 })
  person.secret = SecondFactorSetup.parse(begun.data).secret
  const code = totpCode(person.secret, testApp.services.now())
  const confirmed = await browser.act('auth.confirmSecondFactor', { code })
  expect(RecoveryCodes.parse(confirmed.data).recovery_codes).toHaveLength(10)
  return true
}

/** Takes every step; fails when the calls of one are refused, or when they don't end. */
async function finish(testApp: TestApp, person: Person): Promise<void> {
  for (let steps = 0; await takeNextStep(testApp, person); steps += 1) expect(steps).toBeLessThan(2)
  expect((await person.browser.ask('auth.sessions')).code).toBeNull()
}

const combinations = (['patient', 'provider', 'staff'] as const).flatMap((kind) =>
  [true, false].flatMap((isDemo) =>
    ([0, 1] as const).flatMap((first) =>
      ['none', 'begun', 'on'].flatMap((app) =>
        [true, false].map((isFresh) => ({ kind, isDemo, first, app, isFresh })),
      ),
    ),
  ),
)

function factorOf({ services }: TestApp, app: string) {
  const sealed = services.secrets.seal('totp', newTotpSecret())
  if (app === 'begun') return { totp_pending: sealed }
  return app === 'on' ? { totp_secret: sealed, totp_confirmed_at: 1 } : {}
}

test.each(combinations)(
  'from every state a session gets to the end: $kind, demo $isDemo, first password $first, app $app, fresh $isFresh',
  async ({ kind, isDemo, first, app, isFresh }) => {
    await using testApp = await makeTestApp(isDemo ? {} : real)
    const makers = {
      patient: () => makeAccount(testApp),
      provider: async () => (await makeProviderAccount(testApp)).account,
      staff: () => makeStaff(testApp, 'superuser'),
    }
    const account = await makers[kind]()
    const browser = new Browser(testApp)
    const signedIn =
      kind === 'staff' ? await signInStaff(browser, account.email) : await browser.signIn(account)
    expect(signedIn.status).toBe(200)
    await testApp.database.db
      .updateTable('accounts')
      .set({ must_change_password: kind === 'staff' ? first : 0, ...factorOf(testApp, app) })
      .where('no', '=', account.no)
      .execute()
    if (!isFresh) testApp.advance(6 * 60_000)
    await finish(testApp, { browser, password: PASSWORD, secret: null })
  },
)

test('in a real installation a new member of staff chooses a password, sets up the app, and works', async () => {
  await using testApp = await makeTestApp(real)
  const root: Person = {
    ...(await signInNewStaff(testApp, 'superuser')),
    password: PASSWORD,
    secret: null,
  }
  await finish(testApp, root)
  for (const role of ['superuser', 'admin', 'editor', 'author']) {
    const email = `${role}@staff.example`
    const added = { email, role, password: 'given by a colleague' }
    expect(await root.browser.act('superUsers.add', added)).toMatchObject({ status: 200 })
    const browser = new Browser(testApp, '192.0.2.9')
    await signInStaff(browser, email, added.password)
    const person: Person = { browser, password: added.password, secret: null }
    // One thing at a time: the app is not asked for before the password is theirs alone.
    expect((await browser.act('auth.beginSecondFactor')).code).toBe('password_change_required')
    expect((await browser.ask('superUsers.list')).code).toBe('password_change_required')
    await takeNextStep(testApp, person)
    expect((await browser.ask('superUsers.list')).code).toBe('second_factor_setup_required')
    await finish(testApp, person)
    expect((await browser.ask('superUsers.list')).status).toBe(200)
    testApp.advance(30_000)
    const second_factor = totpCode(person.secret ?? '', testApp.services.now())
    const again = await new Browser(testApp, '192.0.2.10').act('auth.signInStaff', {
      email,
      password: person.password,
      second_factor,
    })
    expect(again).toMatchObject({ status: 200 })
  }
})

test('in a real installation the only superuser works again after a recovery, as often as needed', async () => {
  await using testApp = await makeTestApp(real)
  const { email } = await makeStaff(testApp, 'superuser', { email: 'ada@staff.example' })
  for (const at of [1, 2]) {
    const password = (await recoverSuperuser(testApp.services, email)) ?? ''
    const browser = new Browser(testApp, `192.0.2.${at}`)
    expect(await signInStaff(browser, email, password)).toMatchObject({ status: 200 })
    await finish(testApp, { browser, password, secret: null })
    expect((await browser.ask('superUsers.list')).status).toBe(200)
  }
  // Who loses the one session of the printed password runs the command again.
  const lost = (await recoverSuperuser(testApp.services, email)) ?? ''
  await signInStaff(new Browser(testApp, '192.0.2.3'), email, lost)
  const password = (await recoverSuperuser(testApp.services, email)) ?? ''
  const browser = new Browser(testApp, '192.0.2.4')
  await signInStaff(browser, email, password)
  await finish(testApp, { browser, password, secret: null })
})
