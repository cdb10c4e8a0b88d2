import { afterAll, beforeEach, vi } from 'vitest'
import { page } from 'vitest/browser'
import { cleanup } from 'vitest-browser-react/pure'

// The files of a worker share one page, so that the SPA is loaded once. The package registers its unmount
// hook only for the first file that imports it, so every file registers its own here.
beforeEach(cleanup)

// Restores the initial page for the next file.
afterAll(async () => {
  await cleanup()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
  delete document.documentElement.dataset['theme']
  await page.viewport(1280, 900)
})
