import { expect, type Locator, type Page } from '@playwright/test'

/** List and map stand side by side from 1024 pixels on; below, they take turns. */
export function isWide(page: Page): boolean {
  return (page.viewportSize()?.width ?? 0) >= 1024
}

/** `/home` as it is once its notice has been read and closed. */
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

/** Waits until the list shows what was asked for last. */
export async function resultsStand(page: Page): Promise<void> {
  await expect(page.getByRole('list', { name: 'Results' })).toHaveAttribute('aria-busy', 'false')
  await expect(resultNames(page).first()).toBeVisible()
}

/** A parameter of the address bar; null when it is not there. */
export function inAddress(page: Page, name: string): string | null {
  return new URL(page.url()).searchParams.get(name)
}

/** An address of results in the middle of London, with whatever else is given. */
export function london(more: Record<string, string> = {}): string {
  return `/results?${new URLSearchParams({ selectedRegion: 'uk', postcode: 'SE1 6ET', ...more })}`
}

/** A last name nobody else in the run has. */
export function uniqueName(): string {
  return `O'Neill-${crypto.randomUUID().replaceAll(/[^a-f]/g, '')}`
}
