import { sql } from 'kysely'
import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { RecoveryCodes, SecondFactorSetup } from '#contract/auth.ts'
import { totpCode } from '#server/kernel/security/totp.ts'
import { describeEngines } from '#tests/harness/servers/engines.ts'
import { Browser } from '#tests/harness/spa/browser.ts'
import { makeTestApp, type TestApp } from '#tests/harness/test-app.ts'

const MINUTE = 60_000
const email = 'canary@mail.example'
const passwords = [
  'first canary password',
  'second canary password',
  'third canary password',
] as const

/** Collects every secret as it passes by. */
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

async function dump({ database }: TestApp): Promise<string> {
  const tables = await database.db.introspection.getTables()
  expect(tables.length).toBeGreaterThan(15)
  const rows: unknown[] = []
  for (const { name } of tables) {
    const all = sql<Record<string, unknown>>`select * from ${sql.table(name)}`
    rows.push(name, (await all.execute(database.db)).rows)
  }
  return JSON.stringify(rows)
}

function secretsIn(text: string): string[] {
  return [...text.matchAll(/\/(?:verify|reset-password)\/([\w-]{43})|^ {4}([0-9]{6})$/gm)].map(
    ([, token, code]) => token ?? code ?? '',
  )
}

describeEngines('a whole life of an account', (makeDatabase) => {
  test('leaves none of its secrets in tables or logs', async () => {
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
    const kept = `${await dump(testApp)}\n${JSON.stringify(testApp.logged)}`
    const found = [...secrets.seen].filter((one) =>
      new RegExp(`(?<![\\w-])${one}(?![\\w-])`).test(kept),
    )
    expect(found).toEqual([])
    expect(kept).toContain(email)
    // Nor is the person named in the log.
    expect(JSON.stringify(testApp.logged)).not.toMatch(/canary@|Ngozi|7946/)
  })
})
