import { expect } from 'vitest'
import { page } from 'vitest/browser'
import { test } from '#tests/harness/spa/spa-bridge.ts'
import { openPage, openSignedIn, PASSWORD } from '#tests/harness/spa/spa-page.tsx'

const field = (name: string) => page.getByRole('textbox', { name, exact: true })
const change = () => page.getByRole('button', { name: 'Change password' })

async function choose(password: string, again = password): Promise<void> {
  await field('New password').fill(password)
  await field('Confirm new password').fill(again)
  await change().click()
}

test('a forgotten password is replaced by way of the mail, whose token leaves the address', async ({
  testApp,
}) => {
  const { email } = await testApp.addAccount()
  const { router } = await openPage('/forgot-password')
  await field('Email').fill(email)
  await page.getByRole('button', { name: 'Email me a link' }).click()
  await expect.element(page.getByText(/If .* has an account here/)).toBeVisible()

  const [mail] = await testApp.readMails()
  const token = /\/reset-password\/([A-Za-z0-9_-]{43})/.exec(mail?.text ?? '')?.[1]
  await router.navigate({ href: `/reset-password/${token}` })
  await expect.poll(() => router.state.location.pathname).toBe('/reset-password/link')
  await expect.element(page.getByRole('contentinfo')).not.toBeInTheDocument()
  await choose('another good password', 'another good passwort')
  await expect.element(page.getByRole('alert')).toMatchTextContent(/Passwords do not match\./)
  await choose('another good password')
  await expect.element(page.getByRole('heading', { name: 'Password changed' })).toBeVisible()
})

test('a provider who was signed in here is not any more, and is led to the provider’s sign-in', async ({
  testApp,
}) => {
  const { no } = await testApp.addProvider()
  const account = await testApp.addAccount({ kind: 'provider', provider_no: no })
  const { router } = await openSignedIn(account, '/about-us')
  await router.navigate({ to: '/forgot-password', search: { as: 'provider' } })
  await field('Email').fill(account.email)
  await page.getByRole('button', { name: 'Email me a link' }).click()
  await expect.element(page.getByText(/If .* has an account here/)).toBeVisible()
  const [mail] = await testApp.readMails()
  const token = /\/reset-password\/([A-Za-z0-9_-]{43})/.exec(mail?.text ?? '')?.[1]
  await router.navigate({ href: `/reset-password/${token}` })
  await choose(`${PASSWORD} and one more`)
  await expect.element(page.getByRole('heading', { name: 'Password changed' })).toBeVisible()
  expect(document.cookie).not.toContain('user_id=')
  await page.getByRole('link', { name: 'Sign in' }).click()
  await expect.poll(() => router.state.location.href).toBe('/sign-in?as=provider')
})

test('an unknown address is answered the same, and nothing is sent', async ({ testApp }) => {
  await openPage('/forgot-password')
  await field('Email').fill('nobody@mail.example')
  await page.getByRole('button', { name: 'Email me a link' }).click()
  await expect.element(page.getByText(/If .* has an account here/)).toBeVisible()
  expect(await testApp.readMails()).toEqual([])
})

test('a dead link says so and leads to another one', async () => {
  await openPage(`/reset-password/${'x'.repeat(43)}`)
  await expect
    .element(page.getByRole('alert'))
    .toMatchTextContent(/This reset link has expired or was already used\./)
  await expect
    .element(page.getByRole('link', { name: 'Ask for another link' }))
    .toHaveAttribute('href', '/forgot-password')
  await expect.element(change()).not.toBeInTheDocument()
})

test('a mangled link says the same', async () => {
  await openPage('/reset-password/abc')
  await expect
    .element(page.getByRole('alert'))
    .toMatchTextContent(/This reset link has expired or was already used\./)
})

test('after asking once more, the focus is at the heading above the form', async ({ testApp }) => {
  const { email } = await testApp.addAccount()
  await openPage('/forgot-password')
  await field('Email').fill(email)
  await page.getByRole('button', { name: 'Email me a link' }).click()
  await page.getByRole('button', { name: 'Try again' }).click()
  const heading = page.getByRole('heading', { level: 1, name: 'Forgot your password?' })
  await expect.element(heading).toHaveFocus()
  await expect.element(field('Email')).toHaveValue(email)
})
