import { expect, onTestFinished } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { test } from '#tests/harness/spa/spa-bridge.ts'
import { openPage } from '#tests/harness/spa/spa-page.tsx'

const menuButton = () => page.getByRole('button', { name: 'Menu' })
const login = () => page.getByRole('banner').getByRole('link', { name: 'Log in' })

async function atWidth(width: number): Promise<void> {
  onTestFinished(() => page.viewport(1280, 900))
  await page.viewport(width, 800)
}

test('the logo leads to /home and Log in to /sign-in', async () => {
  await openPage('/about-us')
  const header = page.getByRole('banner')
  await expect
    .element(header.getByRole('link', { name: 'Apposite, home' }))
    .toHaveAttribute('href', '/home')
  await expect.element(login()).toHaveAttribute('href', '/sign-in')
})

test('below 960 pixels the menu stands behind a toggle', async () => {
  await atWidth(959)
  await openPage('/about-us')
  await expect.element(login()).not.toBeInTheDocument()
  await menuButton().click()
  await expect.element(login()).toBeVisible()
  await expect.element(menuButton()).toHaveAttribute('aria-expanded', 'true')
})

test('the menu closes on a click outside it', async () => {
  await atWidth(360)
  await openPage('/about-us')
  await menuButton().click()
  await page.getByRole('contentinfo').click()
  await expect.element(menuButton()).toHaveAttribute('aria-expanded', 'false')
})

test('the menu closes on Escape and gives focus back to its toggle', async () => {
  await atWidth(360)
  await openPage('/about-us')
  await menuButton().click()
  await userEvent.keyboard('{Tab}{Escape}')
  await expect.element(menuButton()).toHaveAttribute('aria-expanded', 'false')
  await expect.element(menuButton()).toHaveFocus()
})

test('the menu closes when the window reaches 960 pixels', async () => {
  await atWidth(700)
  await openPage('/about-us')
  await menuButton().click()
  await page.viewport(960, 800)
  const hidden = page.getByRole('button', { name: 'Menu', includeHidden: true })
  await expect.element(hidden).toHaveAttribute('aria-expanded', 'false')
  await expect.element(login()).toBeVisible()
})

test.for(['/about-us', '/contact-us', '/privacy-cookie', '/terms-of-use', '/register', '/sign-in'])(
  'the footer links to %s, which is a page with one heading',
  async (path) => {
    const { router } = await openPage('/home')
    const links = page.getByRole('contentinfo').getByRole('link').elements()
    expect(links.map((link) => link.getAttribute('href'))).toContain(path)
    await router.navigate({ href: path })
    await expect.element(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expect.element(page.getByRole('heading', { level: 1 })).toHaveFocus()
  },
)

test('logged out, the footer shows LOGIN / REGISTER and the copyright since 2024', async () => {
  await openPage('/about-us')
  const footer = page.getByRole('contentinfo')
  await expect.element(footer).toMatchTextContent(/LOGIN \/ REGISTER/)
  await expect.element(footer).toMatchTextContent(/© 2024-\d{4} Apposite/)
})

test('social links open in a new tab and give no handle on this one', async () => {
  await openPage('/about-us')
  const social = page.getByRole('contentinfo').getByRole('link', { name: /opens in a new tab/ })
  expect(social.elements().length).toBeGreaterThan(0)
  for (const link of social.elements()) {
    expect(link.getAttribute('target')).toBe('_blank')
    expect(link.getAttribute('rel')).toContain('noopener')
  }
})

test('the theme switch is remembered until it says what the system says', async () => {
  await openPage('/about-us')
  await page.getByRole('button', { name: 'Dark theme' }).click()
  expect(document.documentElement.dataset['theme']).toBe('dark')
  expect(localStorage.getItem('theme')).toBe('dark')
  await page.getByRole('button', { name: 'Light theme' }).click()
  expect(document.documentElement.dataset['theme']).toBeUndefined()
  expect(localStorage.getItem('theme')).toBeNull()
})

test('an address that leads nowhere says so and offers a way out', async () => {
  await openPage('/nowhere')
  await expect.element(page.getByRole('heading', { name: 'Page not found' })).toBeVisible()
  await expect
    .element(page.getByRole('main').getByRole('link', { name: 'Go home' }))
    .toHaveAttribute('href', '/home')
})

test('every page of a demonstration carries the word Demo', async () => {
  await openPage('/terms-of-use')
  await expect.element(page.getByRole('banner').getByText('Demo', { exact: true })).toBeVisible()
})
