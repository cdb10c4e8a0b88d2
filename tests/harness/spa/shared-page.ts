import { afterAll, afterEach, beforeEach, expect, vi } from 'vitest'
import { page } from 'vitest/browser'
import { cleanup } from 'vitest-browser-react/pure'
import { syncServerTime } from '#app/lib/dates/server-clock.ts'
import { moveClock } from '#tests/harness/clock/move-clock.ts'
import { findBareTexts } from '#tests/harness/translation.ts'

moveClock(Number(import.meta.env['TEST_CLOCK_AHEAD_MS']))

// The files of a worker share one page, so that the SPA is loaded once. The package registers its unmount
// hook only for the first file that imports it, so every file registers its own here.
beforeEach(cleanup)

// A page just opened knows no other clock than the device's.
beforeEach(() =>
  syncServerTime(new Response(null, { headers: { date: new Date().toUTCString() } })),
)

afterEach(() => {
  expect(findBareTexts(), 'every text has an element of its own (decision 059)').toEqual([])
})

// Restores the initial page for the next file.
afterAll(async () => {
  await cleanup()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
  delete document.documentElement.dataset['theme']
  await page.viewport(1280, 900)
})
