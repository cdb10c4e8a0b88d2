import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { playwright } from '@vitest/browser-playwright'
import { msw } from 'msw/vite'
import { defineConfig } from 'vitest/config'
import { chromiumArgs, chromiumPath } from '#tests/e2e/chromium.ts'
import { spaCommands } from '#tests/harness/spa/spa-commands.ts'

// Only what hangs may run out of time: a slow or shared machine is no fault of a test.
const patience = { testTimeout: 120_000, hookTimeout: 120_000 }

// Every zone a test cares about is named by the test; the machine's own must not matter.
process.env['TZ'] = 'UTC'

// Where the server keeps its own compiled code: what tests start need not compile it all again, either.
process.env['NODE_COMPILE_CACHE'] = join(import.meta.dirname, 'node_modules/.cache/compile')

const apiClient = 'client/apposite-client.ts'

const setupFiles = ['tests/harness/fail-on-console.ts']

export default defineConfig({
  test: {
    // Vitest leaves one core to whoever watches; here nobody does, and a fifth of the time tests wait for
    // databases, pages and clocks.
    maxWorkers: Math.max(2, availableParallelism()) + 1,
    attachmentsDir: 'test-results/components',
    projects: [
      {
        // As sources here; that it works as it is built is a test of its own.
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
          // Every test makes its own world; the program is loaded once for all files of a worker.
          isolate: false,
          // A shared machine can be late once; `npm test` names what needed a second try.
          retry: 1,
          ...patience,
          expect: { poll: { timeout: 30_000 } },
        },
      },
      {
        test: {
          name: 'arch',
          environment: 'node',
          include: ['tests/arch/**/*.test.ts'],
          setupFiles,
          ...patience,
        },
      },
      {
        plugins: [react(), tailwindcss(), msw({ mode: 'worker-only' })],
        optimizeDeps: {
          // Found late, as with a cache from before an import was added, a dependency makes Vite
          // reload the page in the middle of a test, with a second React.
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
          // As above.
          retry: 1,
          include: ['src/**/*.test.{ts,tsx}', 'tests/spa/**/*.test.{ts,tsx}'],
          setupFiles: [...setupFiles, 'tests/harness/spa/shared-page.ts'],
          // Every test makes its own world here, too; tests/harness/spa/shared-page.ts puts the page right.
          isolate: false,
          ...patience,
          expect: { poll: { timeout: 30_000 } },
          browser: {
            enabled: true,
            headless: true,
            // A trace of every test takes two thirds more CPU; `--browser.trace=on` takes one by hand.
            screenshotFailures: true,
            commands: spaCommands,
            provider: playwright({
              launchOptions: { executablePath: await chromiumPath(), args: chromiumArgs },
              contextOptions: { locale: 'en-GB', timezoneId: 'UTC' },
            }),
            instances: [{ browser: 'chromium', viewport: { width: 1280, height: 900 } }],
          },
        },
      },
    ],
  },
})
