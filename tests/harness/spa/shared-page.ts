import { afterAll, beforeEach, vi } from 'vitest'
import { page } from 'vitest/browser'
import { cleanup } from 'vitest-browser-react/pure'

// The files of a worker share one page, so that the SPA is loaded once for all of them. The package
// unmounts by a hook of the file that imports it first; every other file needs one of its own.
beforeEach(cleanup)

// The next file finds the page as the first one did.
afterAll(async () => {
  await cleanup()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
  delete document.documentElement.dataset['theme']
  await page.viewport(1280, 900)
})
