import { afterEach, expect, vi } from 'vitest'
import { page } from 'vitest/browser'
import { test } from '#tests/harness/spa/spa-bridge.ts'
import { openPage, PASSWORD } from '#tests/harness/spa/spa-page.tsx'
import { failProcedure, findMutation, recordMutations } from '#tests/spa/fake-network.ts'

afterEach(() => vi.restoreAllMocks())

const email = () => page.getByRole('textbox', { name: 'Email' })
const password = () => page.getByRole('textbox', { name: 'Password' })
const submit = () => page.getByRole('button', { name: 'Sign in' })
const problems = () => page.getByRole('alert').getByRole('link')

/** Forgets who is signed in here, as another browser would. */
function signOutHere(): void {
  document.cookie = 'user_id=; max-age=0; path=/'
  localStorage.clear()
}

async function signIn(as: string, with_ = PASSWORD): Promise<void> {
  await email().fill(as)
  await password().fill(with_)
  await submit().click()
}

test('a patient signs in, and exactly the documented local keys are written', async ({
  testApp,
}) => {
  const { email: address, id } = await testApp.addAccount()
  const { router } = await openPage('/sign-in')
  await signIn(address.toUpperCase())
  await expect.poll(() => router.state.location.pathname).toBe('/home')
  expect(document.cookie).toContain(`user_id=${id}`)
  expect(document.cookie).not.toContain('access_token=s')
  expect(Object.fromEntries(Object.entries(localStorage))).toMatchObject({
    isLoggedIn: 'true',
    ProfileEmail: address,
    ProfilePhone: '020 7946 0123',
    firstName: 'Maya',
  })
  expect(localStorage.getItem('auth_token')).toBeNull()
})

test.for(['patient', 'provider'] as const)(
  'the payload and the answer of the specification’s section 3 for a %s, whose user_type the server knows',
  async (kind, { testApp }) => {
    const isProvider = kind === 'provider'
    const { no } = await testApp.addProvider()
    const account = await testApp.addAccount({ kind, provider_no: isProvider ? no : null })
    const writes = recordMutations()
    const { router } = await openPage('/sign-in')
    await signIn(account.email.toUpperCase())
    await expect.poll(() => router.state.location.pathname).not.toBe('/sign-in')
    const { sent, answer } = findMutation(writes, 'auth.signIn')
    const consentID = /consentID=([0-9a-f-]{36})/.exec(document.cookie)?.[1]
    expect(sent).toEqual({ email: account.email, password: PASSWORD, consentID })
    expect(answer).toMatchObject({ status: true, user_id: account.id, is_admin: false })
    // Browsers get the tokens as HttpOnly cookies.
    expect(answer).not.toHaveProperty('tokens')
  },
)

test('somebody who registered without the terms is asked for them, until they agree', async ({
  testApp,
}) => {
  const { email: address } = await testApp.addAccount({ terms_accepted_at: 0 })
  await openPage('/sign-in')
  await signIn(address)
  const dialog = page.getByRole('dialog', { name: 'Agree to the terms of use' })
  await dialog.getByRole('button', { name: 'I agree' }).click()
  await expect.element(dialog).not.toBeInTheDocument()
})

test('a wrong password and an unknown address are answered alike, and isLoggedIn is false', async ({
  testApp,
}) => {
  const { email: address } = await testApp.addAccount()
  await openPage('/sign-in')
  await signIn(address, 'not my password')
  await expect
    .element(page.getByRole('alert'))
    .toMatchTextContent(/Email or password is incorrect\./)
  expect(localStorage.getItem('isLoggedIn')).toBe('false')
  await signIn('nobody@mail.example')
  await expect
    .element(page.getByRole('alert'))
    .toMatchTextContent(/Email or password is incorrect\./)
  await expect.element(password()).toHaveValue(PASSWORD)
})

test('nothing typed is answered beside each field and in a list that leads there', async () => {
  await openPage('/sign-in')
  await submit().click()
  expect(
    problems()
      .elements()
      .map((link) => link.textContent),
  ).toEqual(['Enter your email address.', 'Enter your password.'])
  await expect.element(email()).toHaveAccessibleDescription(/Enter your email address\./)
})

test('the password can be shown and hidden again', async () => {
  await openPage('/sign-in')
  await password().fill('open sesame')
  await expect.element(password()).toHaveAttribute('type', 'password')
  await page.getByRole('button', { name: 'Show password' }).click()
  await expect.element(password()).toHaveAttribute('type', 'text')
  await page.getByRole('button', { name: 'Hide password' }).click()
  await expect.element(password()).toHaveAttribute('type', 'password')
})

test.for(['/sign-in', '/sign-in?as=provider'])(
  'either kind of account signs in at %s, and goes to its own start',
  async (address, { testApp }) => {
    const { no } = await testApp.addProvider()
    const provider = await testApp.addAccount({ kind: 'provider', provider_no: no })
    const patient = await testApp.addAccount()
    for (const [account, start] of [
      [provider, '/dochome'],
      [patient, '/home'],
    ] as const) {
      const { router, screen } = await openPage(address)
      await signIn(account.email)
      await expect.poll(() => router.state.location.pathname).toBe(start)
      await screen.unmount()
      signOutHere()
    }
  },
)

test('an address with two accounts and one password is asked which, once', async ({ testApp }) => {
  const { no } = await testApp.addProvider()
  const { email: address } = await testApp.addAccount()
  await testApp.addAccount({ kind: 'provider', provider_no: no, email: address })
  const { router } = await openPage('/sign-in')
  await signIn(address, 'not my password')
  await expect.element(page.getByRole('alert')).toMatchTextContent(/Email or password is incorrect/)
  await signIn(address)
  await expect
    .element(page.getByRole('heading', { name: 'Which account do you want to sign in to?' }))
    .toHaveFocus()
  await page.getByRole('button', { name: 'Back' }).click()
  await expect.element(email()).toHaveValue(address)
  await submit().click()
  await page.getByRole('radio', { name: 'My provider account' }).click()
  await submit().click()
  await expect.poll(() => router.state.location.pathname).toBe('/dochome')
})

test('who is new finds both registrations, which keep where to go next', async () => {
  await openPage('/sign-in?next=/contact-us')
  await expect
    .element(page.getByRole('link', { name: 'Register as a patient' }))
    .toHaveAttribute('href', '/register?next=%2Fcontact-us')
  await expect
    .element(page.getByRole('link', { name: 'Register as a provider' }))
    .toHaveAttribute('href', expect.stringMatching(/as=provider/))
})

test.for([
  { next: '/contact-us', leadsTo: '/contact-us' },
  { next: 'https://evil.example/home', leadsTo: '/home' },
  { next: '//evil.example', leadsTo: '/home' },
  { next: '/\\evil.example', leadsTo: '/home' },
  { next: '/no-such-page', leadsTo: '/home' },
])('next=$next leads to $leadsTo', async ({ next, leadsTo }, { testApp }) => {
  const { email: address } = await testApp.addAccount()
  const { router } = await openPage(`/sign-in?next=${encodeURIComponent(next)}`)
  await signIn(address)
  await expect.poll(() => router.state.location.pathname).toBe(leadsTo)
})

test('an address that is not confirmed can have its mail sent again', async ({ testApp }) => {
  const { email: address } = await testApp.addAccount({ email_verified_at: null })
  await openPage('/sign-in')
  await signIn(address)
  await page.getByRole('button', { name: 'Send the email again' }).click()
  await expect.element(page.getByText(/a new email is on its way/)).toBeVisible()
  expect((await testApp.readMails()).map(({ to }) => to)).toEqual([address])
})

test('whoever is signed in already is taken to the account', async ({ testApp }) => {
  const { email: address } = await testApp.addAccount()
  const { router } = await openPage('/sign-in')
  await signIn(address)
  await expect.poll(() => router.state.location.pathname).toBe('/home')
  await router.navigate({ to: '/sign-in' })
  expect(router.state.location.pathname).toBe('/userProfile')
})

test('back from the code to the password, the focus is at the heading and nothing typed is lost', async ({
  testApp,
}) => {
  const { email: address } = await testApp.addAccount()
  await openPage('/sign-in')
  failProcedure('auth.signIn', 'second_factor_required')
  await signIn(address)
  await page.getByRole('button', { name: 'Back' }).click()
  await expect.element(page.getByRole('heading', { level: 1, name: 'Sign in' })).toHaveFocus()
  await expect.element(email()).toHaveValue(address)
})

test('staff who go back from the code to the password find the focus at the heading', async () => {
  await openPage('/admin-signin')
  failProcedure('auth.signInStaff', 'second_factor_required')
  await email().fill('nora@staff.example')
  await password().fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign In' }).click()
  await page.getByRole('button', { name: 'Back' }).click()
  const heading = page.getByRole('heading', { level: 1, name: 'Staff sign in' })
  await expect.element(heading).toHaveFocus()
})
