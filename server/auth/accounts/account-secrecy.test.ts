import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { RecoveryCodes, SecondFactorSetup } from '#contract/auth-second-factor.ts'
import { totpCode } from '#server/kernel/security/totp.ts'
import { makeAccount } from '#tests/harness/accounts.ts'
import { Browser, type Outcome } from '#tests/harness/browser.ts'
import { describeEngines } from '#tests/harness/servers/engines.ts'
import { dumpTables, makeTestApp, type TestApp } from '#tests/harness/test-app.ts'

/** Two hundred calls, half of them for accounts that exist. */
const ROUNDS = 100

/**
 * Medians of interleaved calls cancel out the load of other programs. A factor of two would be a difference
 * in kind: one more password hash, or a round trip to a mail server.
 */
const MAX_RATIO = 2

function median(times: number[]): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0
}

async function measureMs(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}

const registration = {
  first_name: 'Ngozi',
  last_name: 'Obi',
  password: 'under the mango tree',
  phone_number: '+44 20 7946 0123',
  date_of_birth: '1990-02-28',
  terms: true,
}

/** Every procedure that takes an address, with its path and its input for an address. */
const ways: [string, string, (email: string) => object][] = [
  [
    'signing in',
    'auth.signIn',
    (email) => ({ email, password: 'not this one', user_type: 'patient' }),
  ],
  ['signing in without a kind', 'auth.signIn', (email) => ({ email, password: 'not this one' })],
  ['a password forgotten by whoever it is', 'auth.forgotPassword', (email) => ({ email })],
  ['a forgotten password', 'auth.forgotPassword', (email) => ({ email, userType: 'patient' })],
  [
    'asking for the mail again',
    'auth.resendVerification',
    (email) => ({ email, user_type: 'patient' }),
  ],
  ['registering', 'auth.registerPatient', (email) => ({ ...registration, email })],
]

/** Every request comes from a different network, so that no rate limit responds instead. */
function makeCaller(testApp: TestApp) {
  let count = 0
  return (path: string, input: object): Promise<Outcome> => {
    count += 1
    return new Browser(testApp, `10.${count >> 16}.${(count >> 8) & 255}.${count & 255}`).act(
      path,
      input,
    )
  }
}

/** A real difference shows in every measurement; the load of another program does not. */
const MEASURED = 3

function isAlike(ratio: number): boolean {
  return ratio < MAX_RATIO && ratio > 1 / MAX_RATIO
}

function addresses(count: number, name: string): string[] {
  return Array.from({ length: count }, (_, at) => `person${name}-${at}@mail.example`)
}

test.each(ways)(
  '%s takes equally long with and without an account',
  async (_way, path, input) => {
    await using testApp = await makeTestApp()
    const ask = makeCaller(testApp)
    let ratio = Number.POSITIVE_INFINITY
    for (let measured = 0; measured < MEASURED && !isAlike(ratio); measured += 1) {
      const known = addresses(ROUNDS, `${measured}`)
      for (const [at, email] of known.entries()) {
        await makeAccount(testApp, { email, email_verified_at: at % 2 === 0 ? null : 1 })
      }
      const times = { known: [] as number[], unknown: [] as number[] }
      for (const [at, email] of known.entries()) {
        const stranger = `nobody-${email}`
        const yes = () => measureMs(() => ask(path, input(email)))
        const no = () => measureMs(() => ask(path, input(stranger)))
        // Alternate which goes first.
        if (at % 2 === 0) times.known.push(await yes())
        times.unknown.push(await no())
        if (at % 2 === 1) times.known.push(await yes())
      }
      ratio = median(times.known) / median(times.unknown)
    }
    expect(ratio).toBeLessThan(MAX_RATIO)
    expect(ratio).toBeGreaterThan(1 / MAX_RATIO)
  },
  120_000,
)

test.each(ways)('%s gets the same response', async (_way, path, input) => {
  await using testApp = await makeTestApp()
  const ask = makeCaller(testApp)
  const account = await makeAccount(testApp, { email_verified_at: null })
  const known = await ask(path, input(account.email))
  const unknown = await ask(path, input('nobody@mail.example'))
  const shape = ({ status, code, message, data, headers, issues }: Outcome) => ({
    status,
    code,
    message,
    issues,
    headers: [...headers.keys()],
    data: JSON.stringify(data)?.replace(/"auth_token":"[\w-]{43}"/, 'a token'),
  })
  expect(shape(known)).toEqual(shape(unknown))
})

test.each(ways)('%s does the same work: the same hashes and emails', async (_way, path, input) => {
  await using testApp = await makeTestApp()
  const ask = makeCaller(testApp)
  const account = await makeAccount(testApp, { email_verified_at: null })
  const { passwords } = testApp.services
  const work: string[] = []
  testApp.services.passwords = {
    hash: (password) => {
      work.push('hash')
      return passwords.hash(password)
    },
    verify: (password, find) => {
      work.push('verify')
      return passwords.verify(password, find)
    },
  }
  const workFor = async (email: string) => {
    work.length = 0
    await testApp.database.db.deleteFrom('outbox').execute()
    await ask(path, input(email))
    const jobs = await testApp.database.db.selectFrom('outbox').select(['topic']).execute()
    return [...work, ...jobs.map(({ topic }) => topic)]
  }
  const known = await workFor(account.email)
  expect(known.length).toBeGreaterThan(0)
  expect(await workFor('nobody@mail.example')).toEqual(known)
})

test('the fourth request for an address gets the same response as the first', async () => {
  await using testApp = await makeTestApp()
  const ask = makeCaller(testApp)
  const account = await makeAccount(testApp, { email_verified_at: null })
  for (const [, path, input] of ways.slice(2)) {
    for (let count = 0; count < 5; count += 1) {
      const known = await ask(path, input(account.email))
      const unknown = await ask(path, input('nobody@mail.example'))
      expect([known.status, known.code]).toEqual([unknown.status, unknown.code])
      expect(known.status).toBe(200)
    }
  }
})

test('an email to nobody is not sent, and delays no other', async () => {
  await using testApp = await makeTestApp()
  await makeCaller(testApp)('auth.forgotPassword', {
    email: 'nobody@mail.example',
    userType: 'patient',
  })
  await testApp.drainOutbox()
  expect(testApp.mails).toEqual([])
  const rows = await testApp.database.db.selectFrom('outbox').selectAll().execute()
  expect(rows).toMatchObject([{ attempts: 1, failed_at: null, last_error: null }])
  expect(JSON.stringify(rows)).not.toContain('nobody@')
})

const MINUTE = 60_000
const email = 'canary@mail.example'
const passwords = [
  'first canary password',
  'second canary password',
  'third canary password',
] as const

/** Collects every secret that is generated. */
class Secrets {
  readonly seen = new Set<string>(passwords)

  add(...secrets: (string | undefined)[]): void {
    for (const secret of secrets) {
      expect(secret?.length).toBeGreaterThanOrEqual(6)
      this.seen.add(secret ?? '')
    }
  }

  cookies(browser: Browser): void {
    this.add(browser.cookie('access_token'), browser.cookie('refresh_token'))
  }
}

function secretsIn(text: string): string[] {
  return [...text.matchAll(/\/(?:verify|reset-password)\/([\w-]{43})|^ {4}([0-9]{6})$/gm)].map(
    ([, token, code]) => token ?? code ?? '',
  )
}

describeEngines('an account’s whole life cycle', (makeDatabase) => {
  test('leaves no secret in tables or logs', async () => {
    const secrets = new Secrets()
    let newest = ''
    const testApp = await makeTestApp({
      database: await makeDatabase(),
      mail: {
        send: (mail) => {
          newest = secretsIn(mail.text).at(-1) ?? newest
          secrets.add(...secretsIn(mail.text))
          return Promise.resolve('sent')
        },
      },
    })
    const mailed = async () => {
      await testApp.drainOutbox()
      return newest
    }
    const browser = new Browser(testApp)
    const done = async (path: string, input: object = {}) => {
      const { status, code, data } = await browser.act(path, input)
      expect([path, status, code]).toEqual([path, 200, null])
      secrets.cookies(browser)
      return data
    }
    const { data } = await browser.act('auth.registerPatient', {
      first_name: 'Ngozi',
      last_name: 'Obi',
      email,
      password: passwords[0],
      phone_number: '+44 20 7946 0123',
      date_of_birth: '1990-02-28',
      terms: true,
    })
    secrets.add(z.object({ auth_token: z.string() }).parse(data).auth_token)
    await browser.act('auth.verifyEmail', { token: await mailed() })
    await done('auth.signIn', { email, password: passwords[0], user_type: 'patient' })
    const { secret } = SecondFactorSetup.parse(await done('auth.beginSecondFactor'))
    const first = totpCode(secret, testApp.services.now())
    const codes = RecoveryCodes.parse(await done('auth.confirmSecondFactor', { code: first }))
    secrets.add(secret, ...codes.recovery_codes)
    await done('auth.stepUp', { second_factor: codes.recovery_codes[0] })
    await done('auth.sendCode', { purpose: 'booking', object: 'hold_1' })
    await done('auth.checkCode', { purpose: 'booking', object: 'hold_1', otp: await mailed() })
    testApp.advance(2 * MINUTE)
    await done('auth.refresh')
    const changed = { new_password: passwords[1], confirm_password: passwords[1] }
    await done('auth.changePassword', { current_password: passwords[0], ...changed })
    await done('auth.forgotPassword', { email, userType: 'patient' })
    const reset = { new_password: passwords[2], confirm_password: passwords[2] }
    await done('auth.resetPassword', { token: await mailed(), ...reset })
    // Rejected secrets count too: they may be valid for another account.
    await browser.act('auth.signIn', { email, password: 'a wrong canary', user_type: 'patient' })
    await browser.act('auth.resetPassword', { token: newest, ...reset })
    secrets.add('a wrong canary')
    expect(secrets.seen.size).toBeGreaterThan(22)
    const kept = `${await dumpTables(testApp)}\n${JSON.stringify(testApp.logged)}`
    const found = [...secrets.seen].filter((one) =>
      new RegExp(`(?<![\\w-])${one}(?![\\w-])`).test(kept),
    )
    expect(found).toEqual([])
    expect(kept).toContain(email)
    // Nor is the person named in the log.
    expect(JSON.stringify(testApp.logged)).not.toMatch(/canary@|Ngozi|7946/)
  })
})
