import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { playwright } from '@vitest/browser-playwright'
import { msw } from 'msw/vite'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { chromiumArgs, chromiumPath } from '#tests/e2e/harness/chromium.ts'
import { aheadMs } from '#tests/harness/clock/run-clock.ts'
import { spaCommands } from '#tests/harness/spa/spa-commands.ts'

/** They start whole servers and wait for timers. */
const SLOW = /\/tests\/engines\/|\/server\/start\.test\.ts$/

/**
 * Starts the slowest files first, so that no worker is left alone with one at the end. Vitest itself knows how
 * long each takes only after a first run.
 */
class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line unicorn/no-array-sort -- the sequencer's own method, not an array's
    const sorted = await super.sort(files)
    const isSlow = ({ moduleId }: TestSpecification) => SLOW.test(moduleId)
    return [...sorted.filter(isSlow), ...sorted.filter((file) => !isSlow(file))]
  }
}

// Only a test that hangs may time out: a slow or shared machine must not fail one.
const timeouts = { testTimeout: 120_000, hookTimeout: 120_000 }

// Tests set every time zone they depend on; the machine's own must not matter.
process.env['TZ'] = 'UTC'

// The server's compile cache, so that processes started by tests do not compile everything again.
process.env['NODE_COMPILE_CACHE'] = join(import.meta.dirname, 'node_modules/.cache/compile')

const apiClient = 'client/apposite-client.ts'

const setupFiles = ['tests/harness/fail-on-console.ts']

export default defineConfig({
  test: {
    // Tests wait for databases, pages and timers: two workers per core keep it busy. Components wait even longer, for
    // frames: `npm test` gives them three.
    maxWorkers: 2 * availableParallelism(),
    sequence: { sequencer: SlowFirst },
    attachmentsDir: 'test-results/components',
    projects: [
      {
        // From source here; another test checks that the built client works.
        resolve: { alias: { 'apposite/client': join(import.meta.dirname, apiClient) } },
        test: {
          name: 'server',
          environment: 'node',
          include: [
            'server',
            'client',
            'examples',
            'contract',
            'db',
            'demo',
            'sandbox',
            'migrations',
            'scripts',
            'tests/engines',
            'tests/fuzz',
            'tests/rest',
          ].map((folder) => `${folder}/**/*.test.ts`),
          setupFiles,
          globalSetup: ['tests/harness/postgres-server.ts'],
          // Every test creates its own fixtures; the modules are loaded once for all files of a worker.
          isolate: false,
          // A shared machine can cause a timeout once; `npm test` lists the tests that needed a retry.
          retry: 1,
          ...timeouts,
          expect: { poll: { timeout: 30_000 } },
        },
      },
      {
        test: {
          name: 'arch',
          environment: 'node',
          include: ['tests/arch/**/*.test.ts'],
          setupFiles,
          ...timeouts,
        },
      },
      {
        plugins: [react({ jsxImportSource: '#jsx' }), tailwindcss(), msw({ mode: 'worker-only' })],
        optimizeDeps: {
          // When Vite finds a dependency late, as with a cache from before an import was added, it reloads
          // the page in the middle of a test, with a second React.
          include: [
            'altcha/external',
            'react-hook-form',
            '@hookform/resolvers/zod',
            'react-day-picker',
            'react-dom/server',
            'msw',
            'msw/browser',
            'vitest-browser-react',
            'vitest-browser-react/pure',
            '@base-ui/react/*',
            'react-leaflet',
            'supercluster',
            'uqr',
            'papaparse',
            '@stripe/react-stripe-js',
            '@stripe/stripe-js/pure',
            '@paypal/react-paypal-js/sdk-v6',
          ],
        },
        test: {
          name: 'spa',
          env: { TEST_CLOCK_AHEAD_MS: String(aheadMs) },
          // See `retry` above.
          retry: 1,
          include: ['src/**/*.test.{ts,tsx}', 'tests/spa/**/*.test.{ts,tsx}'],
          setupFiles: [...setupFiles, 'tests/harness/spa/shared-page.ts'],
          // Every test creates its own fixtures here too; tests/harness/spa/shared-page.ts resets the page.
          isolate: false,
          ...timeouts,
          // Looking for an element by its role reads most of the page: half as often as by default is a twentieth cheaper.
          expect: { poll: { timeout: 30_000, interval: 100 } },
          browser: {
            enabled: true,
            headless: true,
            // Recording a trace of every test is slow; `--browser.trace=on` records one on demand.
            screenshotFailures: true,
            // A failure is in our code; the maps of packages are most of what a page would load.
            dependencySourcemaps: false,
            commands: spaCommands,
            provider: playwright({
              launchOptions: { executablePath: await chromiumPath(), args: chromiumArgs },
              // Animations are off, as in the browser tests.
              contextOptions: { locale: 'en-GB', timezoneId: 'UTC', reducedMotion: 'reduce' },
            }),
            instances: [{ browser: 'chromium', viewport: { width: 1280, height: 900 } }],
          },
        },
      },
    ],
  },
})
