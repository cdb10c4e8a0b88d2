import type { Browser, Page } from '@playwright/test'
import { checkScreen, expect, test } from './fixtures.ts'

const PASSWORD = 'Apposite-demo-1'

const heading = (page: Page) => page.getByRole('heading', { level: 1 })
const menu = (page: Page) => page.getByRole('navigation', { name: 'Staff' })

async function signIn(page: Page, email: string, password = PASSWORD): Promise<void> {
  await page.getByRole('textbox', { name: 'Email' }).fill(email)
  await page.getByRole('textbox', { name: 'Password' }).fill(password)
  await page.getByRole('button', { name: 'Sign In', exact: true }).click()
}

/** A colleague in a browser of their own. */
async function colleague(browser: Browser, baseURL: string | undefined): Promise<Page> {
  const context = await browser.newContext({ baseURL: baseURL ?? '' })
  return context.newPage()
}

test('an admin signs in, looks at the day and leaves', async ({ page, problems }) => {
  problems.expect(/answered 401: \/trpc\/auth.signInStaff/, /console error.*401/)
  await page.goto('/admin-home/mail')
  await expect(page).toHaveURL('/admin-signin?next=%2Fadmin-home%2Fmail')
  await checkScreen(page)
  await signIn(page, 'admin@demo.example', 'not the password')
  await expect(page.getByText('Email or password is incorrect.')).toBeVisible()
  await checkScreen(page)
  await signIn(page, 'admin@demo.example')
  await expect(page).toHaveURL('/admin-home/mail')
  await expect(heading(page)).toHaveText('Failed mail')
  await checkScreen(page)
  await page.goto('/admin-home')
  await expect(heading(page)).toHaveText('What needs doing')
  await checkScreen(page)
  await page.getByRole('button', { name: 'Show as a table' }).click()
  await expect(page.getByRole('table', { name: 'Bookings and income by day' })).toBeVisible()
  await checkScreen(page)
  const day = page.getByRole('slider', { name: 'Day to look at' })
  await day.focus()
  const last = await day.getAttribute('aria-valuetext')
  await page.keyboard.press('ArrowLeft')
  await expect(day).toHaveAttribute('aria-valuenow', '29')
  expect(await day.getAttribute('aria-valuetext')).not.toBe(last)
  await page.getByRole('link', { name: /await verification$/ }).click()
  await expect(page).toHaveURL('/admin-home/providers?list=waiting')
  await page.getByRole('button', { name: 'Logout' }).click()
  await expect(page).toHaveURL('/admin-signin')
})

test('a letter that did not arrive is sent again @desktop', async ({ page }) => {
  await page.goto('/admin-signin?next=/admin-home/mail')
  await signIn(page, 'superuser@demo.example')
  await expect(page).toHaveURL('/admin-home/mail')
  const letter = page.getByRole('listitem').filter({ hasText: 'Message from the contact form' })
  await letter.getByRole('button', { name: 'Send again' }).click()
  await expect(page.getByText('It is on its way again.')).toBeVisible()
  await expect(letter).toBeHidden()
})

test('an author sees what waits, and may not do it @phone', async ({ page }) => {
  await page.goto('/')
  await page.getByRole('button', { name: 'Enter as an author' }).click()
  await expect(page).toHaveURL('/admin-home')
  await expect(page.getByText('await verification')).toBeVisible()
  await expect(page.getByRole('link', { name: /await verification$/ })).toBeHidden()
  await checkScreen(page)
  await page.getByRole('button', { name: 'Staff menu' }).click()
  await checkScreen(page)
  await page
    .getByRole('dialog', { name: 'Staff menu' })
    .getByRole('link', { name: 'Failed mail' })
    .click()
  const again = page.getByRole('button', { name: /^Send again/ }).first()
  await expect(again).toBeDisabled()
  await expect(again).toHaveAccessibleDescription('Only superusers and admins may do this.')
  await checkScreen(page)
})

test('a colleague who is demoted loses the right within a second @desktop', async ({
  page,
  browser,
  baseURL,
}) => {
  const name = `editor-${crypto.randomUUID().slice(0, 8)}@demo.example`
  await page.goto('/admin-signin')
  await signIn(page, 'superuser@demo.example')
  await expect(page).toHaveURL('/admin-home')
  const call = (path: string, input: object) =>
    page.evaluate(
      async ([to, body]) => {
        const answer = await fetch(`/trpc/${to}`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: body ?? '',
        })
        return answer.status
      },
      [path, JSON.stringify(input)],
    )
  // By the page of super users itself this is tried where that page is.
  expect(await call('superUsers.add', { email: name, role: 'admin', password: PASSWORD })).toBe(200)

  const other = await colleague(browser, baseURL)
  await other.goto('/admin-signin?next=/admin-home')
  await signIn(other, name)
  await expect(other.getByRole('heading', { name: 'Choose a password of your own' })).toBeVisible()
  await checkScreen(other)
  await other.getByLabel('New password', { exact: true }).fill('eleven green bottles')
  await other.getByLabel('New password once more').fill('eleven green bottles')
  await other.getByRole('button', { name: 'Save and go on' }).click()
  await expect(heading(other)).toHaveText('What needs doing')
  await expect(other.getByRole('link', { name: /await verification$/ })).toBeVisible()

  const list = await page.evaluate(async () => {
    const answer = await fetch('/trpc/superUsers.list')
    return answer.json() as Promise<{
      result: { data: { users: { id: string; email: string }[] } }
    }>
  })
  const added = list.result.data.users.find(({ email }) => email === name)
  expect(await call('superUsers.changeRole', { id: added?.id, role: 'author' })).toBe(200)
  // Whichever way the server takes the right: the page says so, and the way to the work is gone.
  await expect(other.getByRole('link', { name: /await verification$/ })).toBeHidden({
    timeout: 2_000,
  })
  await expect(other.getByText(/Your role (is now author|was changed)/).first()).toBeVisible()
  await other.context().close()
})

test('a colleague who is removed is shown out @desktop', async ({ page, browser, baseURL }) => {
  const name = `admin-${crypto.randomUUID().slice(0, 8)}@demo.example`
  await page.goto('/admin-signin')
  await signIn(page, 'superuser@demo.example')
  await expect(page).toHaveURL('/admin-home')
  await page.evaluate(
    async ([email, password]) => {
      await fetch('/trpc/superUsers.add', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ email, role: 'admin', password }),
      })
    },
    [name, PASSWORD],
  )
  const other = await colleague(browser, baseURL)
  await other.goto('/admin-signin')
  await signIn(other, name)
  await other.getByLabel('New password', { exact: true }).fill('eleven green bottles')
  await other.getByLabel('New password once more').fill('eleven green bottles')
  await other.getByRole('button', { name: 'Save and go on' }).click()
  await expect(heading(other)).toHaveText('What needs doing')
  await expect(menu(other)).toBeVisible()
  const status = await page.evaluate(async (email) => {
    const answer = await fetch('/trpc/superUsers.list')
    const body = (await answer.json()) as {
      result: { data: { users: { id: string; email: string }[] } }
    }
    const id = body.result.data.users.find((one) => one.email === email)?.id
    const removed = await fetch('/trpc/superUsers.remove', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ id }),
    })
    return removed.status
  }, name)
  expect(status).toBe(200)
  await expect(other.getByText('Your account was closed')).toBeVisible({ timeout: 3_000 })
  await expect(other).toHaveURL(/\/admin-signin\?/)
  await other.context().close()
})
