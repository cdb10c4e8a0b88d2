import { randomUUID } from 'node:crypto'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defineConfig } from '@playwright/test'
import { chromiumArgs, chromiumPath, sizes } from '#tests/e2e/chromium.ts'

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address()
      probe.close(() => {
        if (address !== null && typeof address === 'object') resolve(address.port)
        else reject(new Error('The system gave no port.'))
      })
    })
  })
}

// Workers read this file again: what the first reading chose reaches them through the environment.
const port = (process.env['E2E_PORT'] ??= String(await freePort()))
// Where the tests serve calendars of their own, which no address but this one may stand on.
const calendarPort = (process.env['E2E_CALENDAR_PORT'] ??= String(await freePort()))
const dataDir = (process.env['E2E_DATA_DIR'] ??= join(tmpdir(), `apposite-e2e-${randomUUID()}`))
const report = process.env['PLAYWRIGHT_JSON_OUTPUT_NAME']
// The site's own address as the server knows it: its origin check compares with this.
const site = `http://localhost:${port}`

export default defineConfig({
  testDir: 'tests/e2e',
  testMatch: '*.e2e.ts',
  outputDir: 'test-results',
  fullyParallel: true,
  forbidOnly: true,
  // A busy machine can be late once; `npm test` names what needed a second try.
  retries: 1,
  // Journeys wait for pages and answers: two leave a quarter of two cores idle.
  workers: 3,
  // Only what hangs may run out of time: a slow or shared machine is no fault of a test.
  timeout: 120_000,
  expect: { timeout: 30_000 },
  globalSetup: 'tests/e2e/global-setup.ts',
  globalTeardown: 'tests/e2e/global-teardown.ts',
  reporter:
    report === undefined
      ? [['list']]
      : [['dot'], ['json', { outputFile: report }], ['./scripts/test/playwright-reporter.ts']],
  use: {
    baseURL: site,
    locale: 'en-GB',
    timezoneId: 'Europe/London',
    // Half-faded text has half its contrast: without motion axe sees what people see.
    contextOptions: { reducedMotion: 'reduce' },
    screenshot: 'only-on-failure',
    // Steps, requests and console. Snapshots put a script into every frame, which those of mails refuse
    // with console errors, and a film takes more CPU than the test.
    trace: { mode: 'retain-on-failure', screenshots: false, snapshots: false, sources: true },
    launchOptions: { executablePath: await chromiumPath(), args: chromiumArgs },
  },
  // A test for one of the two says so in its title: @phone or @desktop. A journey that is the same at any
  // width is taken @once, on the phone, and looks at its screens at both. Skipping counts as failing.
  projects: [
    {
      name: 'phone',
      grepInvert: /@desktop/,
      use: { viewport: sizes.phone, isMobile: true, hasTouch: true },
    },
    {
      name: 'desktop',
      grepInvert: /@phone|@once/,
      use: { viewport: sizes.desktop },
    },
  ],
  webServer: {
    command: `"${process.execPath}" server/main.ts`,
    url: `${site}/healthz`,
    env: {
      PORT: port,
      DATA_DIR: dataDir,
      LOG_LEVEL: 'warn',
      OUTSIDE_TEST_HOSTS: `127.0.0.1:${calendarPort}`,
      // The tests say which network they come from.
      TRUSTED_PROXIES: '127.0.0.1,::1',
    },
    // The first start makes the demo data.
    timeout: 300_000,
    stdout: 'ignore',
    stderr: 'pipe',
    reuseExistingServer: false,
    gracefulShutdown: { signal: 'SIGTERM', timeout: 5_000 },
  },
})
