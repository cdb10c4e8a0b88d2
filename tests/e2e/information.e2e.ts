import { checkScreen, expect, test } from './fixtures.ts'

const pages = [
  { path: '/about-us', title: 'About us' },
  { path: '/terms-of-use', title: 'Terms of use' },
  { path: '/privacy-cookie', title: 'Privacy and cookies' },
  { path: '/company-profile', title: 'Company profile' },
  { path: '/sign-in', title: 'Sign in' },
  { path: '/register', title: 'Register' },
]

test('the information pages stand at their addresses, each under its heading @once', async ({
  page,
}) => {
  for (const { path, title } of pages) {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(title)
    await expect(page).toHaveURL(path)
    await checkScreen(page)
  }
})

test('the footer leads to them, and focus goes to the heading of each @once', async ({ page }) => {
  await page.goto('/company-profile')
  const footer = page.getByRole('contentinfo')
  for (const { link, title } of [
    { link: 'About us', title: 'About us' },
    { link: 'Contact us', title: 'Contact us' },
    { link: 'Privacy and cookies', title: 'Privacy and cookies' },
    { link: 'Terms of use', title: 'Terms of use' },
    { link: 'REGISTER', title: 'Register' },
    { link: 'LOGIN', title: 'Sign in' },
  ]) {
    await footer.getByRole('link', { name: link }).click()
    await expect(page.getByRole('heading', { level: 1, name: title })).toBeFocused()
  }
  await page.getByRole('banner').getByRole('link', { name: 'Apposite, home' }).click()
  await expect(page).toHaveURL('/home')
})

test('the company behind the site is named: registration, address and support @once', async ({
  page,
}) => {
  await page.goto('/company-profile')
  const main = page.getByRole('main')
  for (const term of ['Name', 'Registration', 'Address', 'Support']) {
    await expect(main.getByRole('term').filter({ hasText: term })).toBeVisible()
  }
  await expect(main.getByRole('link', { name: /@/ })).toHaveAttribute('href', /^mailto:.+@.+/)
})
