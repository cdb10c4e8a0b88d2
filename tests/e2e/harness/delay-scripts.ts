import type { Page } from '@playwright/test'

/** Holds back the page's JavaScript until the returned function is called. */
export async function delayScripts(page: Page): Promise<() => void> {
  let release: () => void = () => undefined
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route('**/assets/*.js', async (route) => {
    await held
    await route.continue()
  })
  return release
}
