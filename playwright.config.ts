import { randomUUID } from 'node:crypto'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { defineConfig } from '@playwright/test'
// Moves the clock of this process, of its workers and of the server.
import '#tests/harness/clock/run-clock.ts'
import { chromiumArgs, chromiumPath, sizes } from '#tests/e2e/harness/chromium.ts'
import { freePort } from '#tests/harness/servers/server-process.ts'

// Workers load this file again and get the values chosen at first through the environment.
const port = (process.env['E2E_PORT'] ??= String(await freePort()))
// Port of the tests' own calendars: the only local address where the server may read a calendar.
const calendarPort = (process.env['E2E_CALENDAR_PORT'] ??= String(await freePort()))
const dataDir = (process.env['E2E_DATA_DIR'] ??= join(tmpdir(), `apposite-e2e-${randomUUID()}`))
// The site's URL, with which the server's origin check compares.
const site = `http://localhost:${port}`

export default defineConfig({
  testDir: 'tests/e2e',
  testMatch: '*.e2e.ts',
  outputDir: 'test-results',
  fullyParallel: true,
  forbidOnly: true,
  // A busy machine can cause a timeout once; `npm test` lists the tests that needed a retry.
  retries: 1,
  // Tests mostly wait for pages and responses.
  workers: 2 * availableParallelism() + 1,
  // Only a test that hangs may time out: a slow or shared machine must not fail one.
  timeout: 120_000,
  expect: { timeout: 30_000 },
  globalSetup: 'tests/e2e/harness/global-setup.ts',
  // `npm test` opens the channel that its reporter reports over.
  reporter:
    process.channel === undefined ? [['list']] : [['dot'], ['./scripts/test/progress-reporter.ts']],
  use: {
    baseURL: site,
    locale: 'en-GB',
    timezoneId: 'Europe/London',
    // Half-faded text has half its contrast: without motion axe sees what people see.
    contextOptions: { reducedMotion: 'reduce' },
    screenshot: 'only-on-failure',
    // Records steps, requests and console. Snapshots would put a script into every frame, which email frames refuse
    // with console errors; screenshots are slow.
    trace: { mode: 'retain-on-failure', screenshots: false, snapshots: false, sources: true },
    launchOptions: { executablePath: await chromiumPath(), args: chromiumArgs },
  },
  // @phone or @desktop in a title limits a test to that project. @once marks a test that is the same at any width: it
  // runs on the phone and checks its screens at both widths. A skipped test counts as failed.
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
      // The tests set the client's network with X-Forwarded-For.
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
