import { renderHtml } from '#server/messages/templates.ts'
import {
  checkScreen,
  enterDemo,
  expect,
  findCutRings,
  isPhone,
  london,
  openHome,
  test,
  uniqueName,
  waitForResults,
} from './harness/fixtures.ts'

test('the dark theme survives a reload, on every page @once', async ({ page }) => {
  await openHome(page)
  const ground = () =>
    page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor)
  const light = await ground()
  const menu = page.getByRole('button', { name: 'Menu' })
  if (await menu.isVisible()) await menu.click()
  await page.getByRole('button', { name: 'Dark theme' }).click()
  await expect.poll(ground).not.toBe(light)
  const dark = await ground()
  await checkScreen(page)
  await page.reload()
  expect(await ground()).toBe(dark)
  for (const path of [london(), '/contact-us', '/about-us']) {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    if (path.startsWith('/results')) await waitForResults(page)
    expect(await ground()).toBe(dark)
  }
})

test('the system’s dark theme can be overridden @desktop', async ({ page }) => {
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.goto('/company-profile')
  await checkScreen(page)
  await page.getByRole('button', { name: 'Light theme' }).click()
  await page.reload()
  await expect(page.getByRole('button', { name: 'Dark theme' })).toBeVisible()
})

test('the menu collapses below 960 pixels and closes outside, by Escape and at 960 @desktop', async ({
  page,
}) => {
  await page.setViewportSize({ width: 959, height: 800 })
  await page.goto('/about-us')
  const toggle = page.getByRole('button', { name: 'Menu' })
  const login = page.getByRole('banner').getByRole('link', { name: 'Log in' })
  await expect(login).toBeHidden()
  await toggle.click()
  await expect(login).toBeVisible()
  await checkScreen(page)
  await page.getByRole('main').click({ position: { x: 20, y: 600 } })
  await expect(login).toBeHidden()
  await toggle.press('Enter')
  await page.keyboard.press('Escape')
  await expect(login).toBeHidden()
  await expect(toggle).toBeFocused()
  await toggle.click()
  await page.setViewportSize({ width: 960, height: 800 })
  await expect(toggle).toBeHidden()
  await expect(login).toBeVisible()
  // The page reacts to its new width with its next frame.
  const hidden = page.getByRole('button', { name: 'Menu', includeHidden: true })
  await expect(hidden).toHaveAttribute('aria-expanded', 'false')
  await page.setViewportSize({ width: 959, height: 800 })
  await expect(login).toBeHidden()
})

test('the promotional modal is shown once, Escape closes it, and /modal previews it @once', async ({
  page,
}) => {
  await page.goto('/home')
  const dialog = page.getByRole('dialog', { name: 'See who is free this week' })
  await expect(dialog).toBeVisible()
  await checkScreen(page)
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Popular specialties' })).toBeVisible()
  await expect(page.getByRole('link', { name: /^GPs/ })).toBeVisible()
  await expect(dialog).toBeHidden()

  await page.goto('/modal')
  await expect(dialog).toBeVisible()
  await dialog.getByRole('button', { name: 'Close' }).click()
  await expect(dialog).toBeHidden()
  await checkScreen(page)
  const show = page.getByRole('button', { name: 'Show the notice' })
  await show.click()
  await expect(dialog).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await expect(show).toBeFocused()
})

test('an unknown URL shows the 404 page, with a link out @once', async ({ page, problems }) => {
  problems.expect(/answered 404: \/nowhere/, /status of 404/)
  await page.goto('/nowhere/at/all')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Page not found')
  await checkScreen(page)
  await page.getByRole('main').getByRole('link', { name: 'Go home' }).click()
  await expect(page).toHaveURL('/home')
})

test('a page whose code fails to load shows Unexpected Application Error!, and Try again loads it @once', async ({
  page,
  problems,
}) => {
  problems.expect(/terms-of-use/, /terms/)
  const code = /\/assets\/terms-.*\.js/
  await page.goto('/about-us')
  await page.route(code, (route) => route.abort('failed'))
  await page.getByRole('contentinfo').getByRole('link', { name: 'Terms of use' }).click()
  const heading = page.getByRole('heading', { name: 'Unexpected Application Error!' })
  await expect(heading).toBeVisible()
  await expect(page.getByRole('alert')).toContainText('This site has been updated.')
  await page.unroute(code)
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Terms of use')
})

test('a broken response shows a message, never an empty screen @once', async ({
  page,
  problems,
}) => {
  problems.expect(/answered 500: .*gallery/, /status of 500/)
  const homepage = /trpc\/gallery\.homepage/
  await page.route(homepage, (route) =>
    route.fulfill({ status: 500, contentType: 'application/json', body: '{"nonsense":' }),
  )
  await page.goto('/modal')
  const alert = page.getByRole('alert')
  await expect(alert).toContainText('Something went wrong.')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Promotional modal')
  await checkScreen(page)
  await page.unroute(homepage)
  await alert.getByRole('button', { name: 'Try again' }).click()
  await expect(alert).toBeHidden()
  await checkScreen(page)
})

const pages = [
  { path: '/about-us', title: 'About us' },
  { path: '/terms-of-use', title: 'Terms of use' },
  { path: '/privacy-cookie', title: 'Privacy and cookies' },
  { path: '/company-profile', title: 'Company profile' },
  { path: '/sign-in', title: 'Sign in' },
  { path: '/register', title: 'Register' },
]

test('the information pages have their URLs and headings @once', async ({ page }) => {
  for (const { path, title } of pages) {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(title)
    await expect(page).toHaveURL(path)
    await checkScreen(page)
  }
})

test('the footer links to them, and focus moves to the heading of each @once', async ({ page }) => {
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

test('a message to the site: errors first, then offline, then sent @once', async ({
  page,
  context,
  problems,
}) => {
  problems.expect(
    /messages\.contact.*ERR_INTERNET_DISCONNECTED/,
    /ERR_INTERNET_DISCONNECTED.*contact/,
    /captcha.*ERR_INTERNET_DISCONNECTED/,
    /ERR_INTERNET_DISCONNECTED.*captcha/,
  )
  await page.goto('/contact-us')
  await checkScreen(page)
  const field = (name: string) => page.getByRole('textbox', { name, exact: true })
  const send = page.getByRole('button', { name: 'Send message' })

  await field('Message').fill('Do you also list opticians?')
  await field('Email').fill('ann@')
  await send.click()
  const summary = page.getByRole('alert').filter({ hasText: 'There is a problem' })
  await expect(summary).toBeFocused()
  await expect(summary.getByRole('link')).toHaveText([
    'Enter your first name.',
    'Enter your last name.',
    'Enter a valid email address.',
  ])
  await expect(field('Message')).toHaveValue('Do you also list opticians?')
  await expect(field('Email')).toHaveValue('ann@')
  await summary.getByRole('link', { name: 'Enter your last name.' }).press('Enter')
  await expect(field('Last name')).toBeFocused()

  const last = uniqueName()
  await field('Last name').fill(last)
  await field('First name').fill('Ann')
  await field('Email').fill('ann@example.org')
  await expect(summary).toBeHidden()
  await context.setOffline(true)
  await expect(page.getByRole('status').filter({ hasText: 'You’re offline.' })).toBeVisible()
  await send.click()
  await expect(page.getByRole('alert')).toContainText('You’re offline.')
  await checkScreen(page)
  for (const [name, value] of Object.entries({ 'First name': 'Ann', 'Last name': last })) {
    await expect(field(name)).toHaveValue(value)
  }
  await expect(field('Message')).toHaveValue('Do you also list opticians?')

  await context.setOffline(false)
  await expect(page.getByText('You’re back online.')).toBeVisible()
  // The server rejects a form filled in faster than this.
  await page.waitForTimeout(3_000)
  await send.click()
  await expect(page.getByRole('status').filter({ hasText: 'Message sent' })).toBeFocused()
  await checkScreen(page)
  await expect(async () => {
    await page.goto('/demo/mailbox')
    const mail = page.getByRole('listitem').filter({ hasText: `Message from Ann ${last}` })
    await expect(mail).toContainText('support@', { timeout: 200 })
  }).toPass()
})

test('focus rings are whole at the edges of the window and of boxes that scroll', async ({
  page,
}) => {
  await page.goto('/about-us')
  expect(await findCutRings(page, 12)).toEqual([])
  await enterDemo(page, 'provider')
  await expect(page.getByRole('button', { name: 'Add a visit' }).first()).toBeVisible()
  expect(await findCutRings(page, 60)).toEqual([])
  await enterDemo(page, 'superuser', '/admin-home/payments')
  await expect(page.getByRole('navigation', { name: 'Payments' })).toBeVisible()
  expect(await findCutRings(page, 25)).toEqual([])
  // On a phone the browser does not scroll a tab that is partly in view.
  if (isPhone(page)) return
  await page.goto('/admin-home/providers')
  await expect(page.getByRole('navigation', { name: 'Lists' })).toBeVisible()
  expect(await findCutRings(page, 25)).toEqual([])
})

test('an email with a long address is no wider than a phone @once', async ({ page }) => {
  const text = `Turn them off without signing in:\nhttps://apposite.example/${'x'.repeat(200)}`
  const blocks = [{ kind: 'small', text } as const, { kind: 'paragraph', text } as const]
  await page.setContent(await renderHtml({ heading: 'Reminder', blocks }))
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360)
})
