import { expect, type Locator, type Page } from '@playwright/test'

/** From 1024 pixels on, list and map are shown side by side; below that, one at a time. */
export function isWide(page: Page): boolean {
  return (page.viewportSize()?.width ?? 0) >= 1024
}

/** Opens `/home` and closes its notice. */
export async function openHome(page: Page): Promise<void> {
  await page.goto('/home')
  await expect(page.getByRole('dialog')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toBeHidden()
}

/** The box for a postcode, ZIP code or town. */
export function placeBox(page: Page): Locator {
  return page.getByRole('combobox', { name: /^(Postcode|ZIP code) or town$/ })
}

/** The names in the list of results, from the top. */
export function resultNames(page: Page): Locator {
  return page.getByRole('list', { name: 'Results' }).getByRole('heading', { level: 3 })
}

/** Waits until the list shows the latest search. */
export async function waitForResults(page: Page): Promise<void> {
  await expect(page.getByRole('list', { name: 'Results' })).toHaveAttribute('aria-busy', 'false')
  await expect(resultNames(page).first()).toBeVisible()
}

/** A query parameter of the current URL; null when it is missing. */
export function queryParam(page: Page, name: string): string | null {
  return new URL(page.url()).searchParams.get(name)
}

/** The address of results in central London, with additional parameters. */
export function london(more: Record<string, string> = {}): string {
  return `/results?${new URLSearchParams({ selectedRegion: 'uk', postcode: 'SE1 6ET', ...more })}`
}

/** A last name unique in the run. */
export function uniqueName(): string {
  return `O'Neill-${crypto.randomUUID().replaceAll(/[^a-f]/g, '')}`
}
