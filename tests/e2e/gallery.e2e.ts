import type { Page } from '@playwright/test'
import { checkScreen, enterDemo, expect, ownSiteTest as test } from './harness/fixtures.ts'

const title = (page: Page) => page.getByRole('heading', { level: 1 })
const alert = (page: Page, text: string | RegExp) => page.getByRole('alert').getByText(text)

async function enterAs(page: Page, role: 'editor' | 'author'): Promise<void> {
  await enterDemo(page, role, '/admin-home/gallery')
  await expect(title(page)).toHaveText('Homepage Image')
  await expect(page.getByRole('button', { name: /^Set as Homepage/ }).first()).toBeVisible()
}

/** Draws a picture in the page and drops it on the upload area. */
async function dropPicture(page: Page, name: string): Promise<void> {
  const carried = await page.evaluateHandle(async (fileName) => {
    const canvas = new OffscreenCanvas(1_700, 1_000)
    const drawing = canvas.getContext('2d')
    if (drawing === null) throw new Error('There is no 2D canvas.')
    drawing.fillStyle = '#cfe3da'
    drawing.fillRect(0, 0, 1_700, 1_000)
    // A different picture each time: identical bytes would be the same image.
    for (let count = 0; count < 40; count += 1) {
      drawing.fillStyle = `hsl(${Math.random() * 360} 40% 60%)`
      drawing.fillRect(Math.random() * 1_600, Math.random() * 900, 120, 120)
    }
    const type = 'image/webp'
    const transfer = new DataTransfer()
    transfer.items.add(new File([await canvas.convertToBlob({ type })], fileName, { type }))
    return transfer
  }, name)
  const box = page.getByRole('form', { name: 'Upload an image' }).getByText('Choose an image')
  await box.dispatchEvent('dragover', { dataTransfer: carried })
  await box.dispatchEvent('drop', { dataTransfer: carried })
  await expect(page.getByText(name)).toBeVisible()
}

/** A new visitor's homepage as rendered by the server, before any script runs. */
async function renderedHome(visitor: Page): Promise<string> {
  return (await visitor.request.get('/home')).text()
}

/** The homepage picture in the visitor's browser. */
const heroPicture = (visitor: Page) =>
  visitor.getByRole('main').locator('section').first().locator('img')

test('an editor changes the homepage, a visitor sees it, and it is restored @once', async ({
  page,
  secondPage: visitor,
}) => {
  await visitor.goto('/home')
  await expect(visitor.getByRole('dialog', { name: 'See who is free this week' })).toBeVisible()
  await visitor.keyboard.press('Escape')
  await enterAs(page, 'editor')

  await dropPicture(page, 'front-door.webp')
  await checkScreen(page)
  await page.getByRole('button', { name: 'Upload Image' }).click()
  const said = alert(page, /^Image uploaded successfully: /)
  await expect(said).toBeVisible()
  const url = /\/media\/[0-9a-f]{32}\.webp$/.exec((await said.textContent()) ?? '')?.[0] ?? 'none'

  const newest = page.getByRole('listitem').filter({ has: page.locator(`img[src="${url}"]`) })
  await newest.getByRole('button', { name: /^Set as Homepage/ }).click()
  await expect(alert(page, 'Homepage image updated!')).toBeVisible()
  await expect(newest.getByText('On the homepage')).toBeVisible()
  expect(await renderedHome(visitor)).toContain(url)
  await visitor.evaluate(() => window.dispatchEvent(new Event('visibilitychange')))
  await expect(heroPicture(visitor)).toHaveAttribute('src', url)
  const fetched = () =>
    heroPicture(visitor).evaluate((node) =>
      node instanceof HTMLImageElement ? node.currentSrc : '',
    )
  // Neither screen needs the largest size.
  await expect.poll(fetched).toMatch(/\/media\/[0-9a-f]{32}\.webp$/)
  expect(new URL(await fetched()).pathname).not.toBe(url)

  await page.getByLabel('Colour', { exact: true }).fill('#0b6b5b')
  await page.getByRole('button', { name: 'Set Color' }).click()
  await expect(alert(page, 'Homepage color updated!')).toBeVisible()
  await visitor.goto('/about-us')
  await visitor.goto('/home')
  await expect(visitor.locator('section[data-ink]')).toHaveAttribute('data-ink', 'light')
  await checkScreen(visitor)

  const form = page.getByRole('form', { name: 'Modal Settings' })
  await form.getByLabel('Modal Heading').fill('')
  await form.getByRole('button', { name: 'Save Settings' }).click()
  await expect(form.getByRole('alert').first()).toBeFocused()
  await checkScreen(page)
  await form.getByLabel('Modal Heading').fill('Open on Sundays')
  await form.getByLabel('Modal Description').fill('From March, in all practices of the borough.')
  await form.getByRole('button', { name: 'Preview' }).click()
  await expect(page.getByRole('dialog', { name: 'Open on Sundays' })).toBeVisible()
  await page.keyboard.press('Escape')
  await form.getByRole('button', { name: 'Save Settings' }).click()
  await expect(alert(page, 'Modal settings updated!')).toBeVisible()
  await visitor.reload()
  await expect(visitor.getByRole('dialog', { name: 'Open on Sundays' })).toBeVisible()

  const versions = page.getByRole('region', { name: 'Versions' })
  await expect(versions.getByText('Changed the modal, which is on').first()).toBeVisible()
  await form.getByRole('button', { name: 'Undo' }).click()
  await expect(form.getByText('Undone.')).toBeVisible()
  await expect(form.getByLabel('Modal Heading')).toHaveValue('See who is free this week')
  await versions
    .getByRole('button', { name: /^Go back to version/ })
    .nth(3)
    .click()
  await expect(alert(page, /^The homepage is as in version \d+ again\.$/)).toBeVisible()
  // Otherwise a checkbox lies half behind the sticky menu, as things do while a page scrolls.
  await versions.evaluate((section) => section.scrollIntoView())
  await checkScreen(page)
  expect(await renderedHome(visitor)).not.toContain(url)
})

test('an author adds an image and is told who may publish @once', async ({ page }) => {
  await enterAs(page, 'author')
  await expect(page.getByText('Only superusers, admins and editors may do this.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Set Color' })).toBeDisabled()
  await expect(page.getByRole('button', { name: 'Save Settings' })).toBeDisabled()
  await dropPicture(page, 'corner.webp')
  await page.getByRole('button', { name: 'Upload Image' }).click()
  await expect(alert(page, /^Image uploaded successfully: /)).toBeVisible()
  await page
    .getByRole('button', { name: /^Remove image of/ })
    .first()
    .click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toBeVisible()
  await checkScreen(page)
  await dialog.getByRole('button', { name: 'Remove image' }).click()
  await expect(dialog).toBeHidden()
})
