import { spawn, spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, type Page } from '@playwright/test'
import * as z from 'zod/mini'
import { bareEnvironment } from '#scripts/test/run-script.ts'
import { totpCode, totpStep } from '#server/kernel/security/totp.ts'
import { test as base } from '#tests/e2e/harness/fixtures.ts'
import type { Installation } from './installation.ts'

const Started = z.object({
  url: z.string(),
  control: z.string(),
  env: z.record(z.string(), z.string()),
  startLink: z.string(),
  providerId: z.string(),
  startsAt: z.string(),
})

/** Starts an installation for as long as `use` runs. */
async function withInstallation(use: (installation: Installation) => Promise<void>): Promise<void> {
  const program = join(import.meta.dirname, 'installation.ts')
  const child = spawn(process.execPath, [program], {
    env: { ...bareEnvironment, TMPDIR: process.env['TMPDIR'] },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const ended = new Promise<null>((resolve) => child.once('exit', () => resolve(null)))
  const first = new Promise<string>((resolve) =>
    createInterface(child.stdout).once('line', resolve),
  )
  try {
    const line = await Promise.race([first, ended])
    if (line === null) throw new Error('The real installation did not start.')
    await use(Started.parse(JSON.parse(line)))
  } finally {
    child.stdin.end()
    await ended
  }
}

/** The browser tests' `test` against a real installation, which the tests of a worker share. */
export const test = base.extend<object, { installation: Installation }>({
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads from here what is wanted
  installation: [({}, provide) => withInstallation(provide), { scope: 'worker', timeout: 300_000 }],
  // The proxy's certificate is its own.
  ignoreHTTPSErrors: true,
  site: ({ installation: { url, env } }, provide) =>
    provide({ url, dataDir: env['DATA_DIR'] ?? '' }),
})

const Emails = z.array(z.object({ subject: z.optional(z.string()), text: z.optional(z.string()) }))

/** What the first group of the pattern matches in the latest email to an address that matches, once there is one. */
export async function emailed(
  { control }: Installation,
  to: string,
  pattern: RegExp,
): Promise<string> {
  let found: string | undefined
  await expect(async () => {
    const response = await fetch(`${control}/emails?to=${encodeURIComponent(to)}`)
    const emails = Emails.parse(await response.json()).toReversed()
    found = emails.map(({ text = '' }) => pattern.exec(text)?.[1]).find(Boolean)
    expect(found).toBeDefined()
  }).toPass({ intervals: [50, 100, 250] })
  return found ?? ''
}

/** Runs an operator's command on the installation; returns its output. */
export function operate({ env }: Installation, ...words: string[]): string {
  const script = join(import.meta.dirname, '../../../scripts/apposite.ts')
  const done = spawnSync(process.execPath, [script, ...words], {
    env: { ...bareEnvironment, ...env },
    encoding: 'utf8',
  })
  expect(done.status, done.stderr).toBe(0)
  return done.stdout
}

const STEP_MS = 30_000

/** An authenticator app, set up with the key on the page. */
class Authenticator {
  readonly #secret: string
  #last = 0

  constructor(secret: string) {
    this.#secret = secret
  }

  /** A code that was not used yet. The server takes the next one early, as of a phone whose clock is ahead. */
  async code(): Promise<string> {
    const next = this.#last + 1
    await expect.poll(() => totpStep(Date.now()) + 1).toBeGreaterThanOrEqual(next)
    this.#last = Math.max(totpStep(Date.now()), next)
    return totpCode(this.#secret, this.#last * STEP_MS)
  }
}

/** The second step of signing in: a code of the app, or a recovery code. */
export async function enterCode(page: Page, code: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Code', exact: true }).fill(code)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

/** What somebody keeps who has set up two-step sign-in. */
export type SecondFactor = { app: Authenticator; recoveryCodes: string[] }

/** Sets up an authenticator app where the page offers it, and saves the recovery codes. */
export async function setUpApp(page: Page, button: string): Promise<SecondFactor> {
  await page.getByRole('button', { name: button }).click()
  await expect(page.getByRole('heading', { name: '1. Add Apposite to your app' })).toBeFocused()
  const key = await page.locator('code').innerText()
  const app = new Authenticator(key.replaceAll(/\s/g, ''))
  await page.getByLabel('Code the app shows now').fill(await app.code())
  await page.getByRole('button', { name: 'Turn on' }).click()
  await expect(page.getByRole('heading', { name: 'Save your recovery codes' })).toBeFocused()
  const codes = page.getByRole('listitem').filter({ hasText: /^[0-9a-z]{5}-[0-9a-z]{5}$/ })
  await expect(codes).toHaveCount(10)
  return { app, recoveryCodes: await codes.allInnerTexts() }
}
