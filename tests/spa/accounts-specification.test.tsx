import { afterEach, expect, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { writeCookie } from '#app/lib/storage.ts'
import { DEMO_COOKIES, SESSION_COOKIES, SIGNED_OUT_KEYS } from '#contract/auth.ts'
import { CODE_LENGTH } from '#contract/auth-codes.ts'
import { type Backend, test } from '#tests/harness/spa/spa-bridge.ts'
import { openPage, openSignedIn, PASSWORD } from '#tests/harness/spa/spa-page.tsx'
import { findMutation, recordMutations } from './fake-network.ts'

// Follows the specification: what sections 2 to 9 say about accounts.

afterEach(async () => {
  vi.restoreAllMocks()
  await page.viewport(1280, 900)
})

const header = () => page.getByRole('banner')
const footer = () => page.getByRole('contentinfo')
const menu = () => header().getByRole('button', { name: 'Maya' })
const entry = (name: string) => header().getByRole('button', { name, exact: true })
const question = () => page.getByRole('dialog', { name: 'Are you sure you want to logout?' })
const field = (name: string) => page.getByRole('textbox', { name, exact: true })
const press = (name: string) => page.getByRole('button', { name, exact: true }).click()
const storedKeys = () => Object.keys(localStorage).toSorted()

/** Fills in the whole registration of a provider in London. */
async function fillInProviderRegistration(): Promise<void> {
  await field('First name').fill('ann')
  await field('Last name').fill('lee')
  await field('Email').fill('Ann.LEE@Example.ORG')
  await field('Phone number').fill('020 7946 0000')
  await field('Password').fill('correct horse battery')
  await page.getByRole('combobox', { name: 'Professional body' }).selectOptions('GMC')
  await field('Registration number').fill('7012345')
  await page.getByRole('combobox', { name: 'Specialty' }).selectOptions('gp')
  await field('Qualification 1').fill('MBBS')
  await field('Name of the practice').fill('Harbour Surgery')
  await field('Street address').fill('1 Borough High Street')
  await field('Postcode').fill('SE1 6ET')
  await field('First visit, in pounds').fill('60')
  await field('Follow-up visit, in pounds').fill('45')
  await field('How you work').fill('I see families, and take the time it takes to listen.')
  await page.getByRole('checkbox', { name: /terms of use/ }).click()
}

async function fillInPatient(): Promise<void> {
  await field('First name').fill('ann')
  await field('Last name').fill('mcKay')
  await field('Email').fill('Ann.LEE@Example.ORG')
  await field('Phone number').fill('020 7946 0000')
  await field('Day').fill('3')
  await field('Month').fill('2')
  await field('Year').fill('1990')
  await field('Password').fill('correct horse battery')
  await page.getByRole('checkbox', { name: /terms of use/ }).click()
}

// 2. Screens and routes

test('2: the route /userProfile', async ({ testApp }) => {
  const { router } = await openSignedIn(await testApp.addAccount(), '/userProfile')
  await expect.element(page.getByRole('heading', { level: 1, name: 'Your account' })).toBeVisible()
  expect(router.state.matches.at(-1)?.routeId).toBe('/userProfile')
})

test('2: the user menu has Profile (/userProfile), Logout and Demo Logout', async ({ testApp }) => {
  await openSignedIn(await testApp.addAccount(), '/about-us')
  await expect.element(header().getByText('Log in')).not.toBeInTheDocument()
  await menu().click()
  const words = header().getByRole('listitem').elements()
  expect(words.map((one) => one.textContent)).toEqual(['Profile', 'Logout', 'Demo Logout'])
  await expect
    .element(header().getByRole('link', { name: 'Profile' }))
    .toHaveAttribute('href', '/userProfile')
})

test.for([
  { image: `/media/${'a'.repeat(32)}.webp`, shown: 'the profile image' },
  { image: null, shown: 'or a default icon' },
])('2: the user menu shows the first name, and $shown', async ({ image }, { testApp }) => {
  await openSignedIn(await testApp.addAccount({ profile_image: image }), '/about-us')
  await expect.element(menu()).toHaveTextContent('Maya')
  const picture = () => menu().element().querySelector('img, svg')
  const expected = image === null ? 'svg' : 'img'
  await expect.poll(() => picture()?.tagName.toLowerCase()).toBe(expected)
  expect(picture()?.getAttribute('src')).toBe(image)
})

test('2: Logout asks “Are you sure you want to logout?” with Yes and No', async ({ testApp }) => {
  await openSignedIn(await testApp.addAccount(), '/about-us')
  await menu().click()
  await entry('Logout').click()
  await expect.element(question()).toBeVisible()
  await expect.element(question().getByRole('button', { name: 'Yes', exact: true })).toBeEnabled()
  await question().getByRole('button', { name: 'No', exact: true }).click()
  await expect.element(question()).not.toBeInTheDocument()
  await expect.element(menu()).toBeVisible()
})

test('2: Yes logs out', async ({ testApp }) => {
  await openSignedIn(await testApp.addAccount(), '/about-us')
  await menu().click()
  await entry('Logout').click()
  await question().getByRole('button', { name: 'Yes', exact: true }).click()
  await expect.element(header().getByRole('link', { name: 'Log in' })).toBeVisible()
  await expect.element(question()).not.toBeInTheDocument()
})

test('2: the menu closes on a click outside it', async ({ testApp }) => {
  await openSignedIn(await testApp.addAccount(), '/about-us')
  await menu().click()
  await page.getByRole('main').click()
  await expect.element(entry('Logout')).not.toBeInTheDocument()
})

test('2 and 9: on narrow screens the menu collapses behind a toggle and closes at 960 px', async ({
  testApp,
}) => {
  await openSignedIn(await testApp.addAccount(), '/about-us')
  await page.viewport(959, 800)
  await expect.element(entry('Logout')).not.toBeInTheDocument()
  await header().getByRole('button', { name: 'Menu' }).click()
  await expect.element(entry('Logout')).toBeVisible()
  await page.viewport(960, 800)
  await expect.element(entry('Logout')).not.toBeInTheDocument()
  await page.viewport(959, 800)
  await expect.element(entry('Logout')).not.toBeInTheDocument()
})

test('2: the footer shows LOGOUT when a user_id cookie exists, otherwise LOGIN / REGISTER', async ({
  testApp,
}) => {
  await openSignedIn(await testApp.addAccount(), '/about-us')
  await expect.element(footer().getByText('LOGOUT', { exact: true })).toBeVisible()
  expect(footer().element().textContent).not.toContain('LOGIN')
  writeCookie('user_id', '', 0)
  globalThis.dispatchEvent(new Event('focus'))
  await expect.element(footer().getByText('LOGIN / REGISTER')).toBeVisible()
  expect(footer().element().textContent).not.toContain('LOGOUT')
  for (const [name, href] of Object.entries({ LOGIN: '/sign-in', REGISTER: '/register' })) {
    await expect.element(footer().getByRole('link', { name })).toHaveAttribute('href', href)
  }
})

// 3. Entities and their fields

test('3: the registration payload and its answer; 5: the email is lowercased, names are capitalised', async ({
  testApp,
}) => {
  const writes = recordMutations()
  await openPage('/register')
  await fillInPatient()
  await press('Register')
  await expect.element(page.getByRole('heading', { name: 'Check your email' })).toBeVisible()
  const { sent, answer } = findMutation(writes, 'auth.registerPatient')
  expect(sent).toMatchObject({
    first_name: 'Ann',
    last_name: 'McKay',
    email: 'ann.lee@example.org',
    password: 'correct horse battery',
    phone_number: '020 7946 0000',
    selectedRegion: 'uk',
    date_of_birth: '1990-02-03',
  })
  expect(answer).toEqual({ status: true, auth_token: localStorage.getItem('auth_token') })
  const [mail] = await testApp.readMails()
  expect(mail).toMatchObject({ to: 'ann.lee@example.org' })
  expect(mail?.text).toContain('Hello Ann,')
})

test('3: temp_distance, optional, is the radius last used', async ({ testApp }) => {
  for (let count = 0; count < 3; count += 1) await testApp.addProvider({ last_name: `No${count}` })
  const search = { selectedRegion: 'uk', latitude: '51.4965', longitude: '-0.0985', radius: '5' }
  const { router } = await openPage(`/results?${new URLSearchParams(search)}`)
  await expect.element(page.getByRole('list', { name: 'Results' })).toBeVisible()
  const writes = recordMutations()
  await router.navigate({ to: '/register' })
  await fillInPatient()
  await press('Register')
  await expect.element(page.getByRole('heading', { name: 'Check your email' })).toBeVisible()
  expect(findMutation(writes, 'auth.registerPatient').sent).toMatchObject({ temp_distance: 5 })
})

test('3: the answer of a provider’s registration has status and auth_token, kept as provider_auth_token', async ({
  testApp,
}) => {
  await testApp.addPlaces()
  const writes = recordMutations()
  await openPage('/register?as=provider')
  await fillInProviderRegistration()
  await press('Register')
  await expect.element(page.getByRole('heading', { name: 'Check your email' })).toBeVisible()
  const { sent, answer } = findMutation(writes, 'profiles.registerProvider')
  expect(sent).toMatchObject({
    first_name: 'Ann',
    email: 'ann.lee@example.org',
    registed_with: { professional_body_name: 'GMC', membership_number: '7012345' },
  })
  const kept = localStorage.getItem('provider_auth_token')
  expect(answer).toEqual({ status: true, auth_token: kept })
})

test('3: the local keys of a patient, none of them a secret', async ({ testApp }) => {
  const { email, kind, id } = await testApp.addAccount()
  await openSignedIn({ email, kind }, '/about-us')
  expect(localStorage).toMatchObject({
    isLoggedIn: 'true',
    ProfilePhone: '020 7946 0123',
    ProfileEmail: email,
    firstName: 'Maya',
  })
  expect(storedKeys()).not.toContain('auth_token')
  expect(document.cookie).toContain(`user_id=${id}`)
  expect(document.cookie).toContain('demo_access_token=')
  expect(document.cookie).toMatch(/consentID=[0-9a-f-]{36}/)
  for (const name of ['refresh_token', 'demo_refresh_token']) {
    expect(document.cookie).not.toContain(`${name}=`)
  }
  expect(document.cookie).not.toMatch(/(?:^|; )access_token=/)
})

test('3: the local keys of a provider', async ({ testApp }) => {
  const { no, id } = await testApp.addProvider()
  const account = await testApp.addAccount({ kind: 'provider', provider_no: no })
  await openSignedIn(account, '/about-us')
  expect(localStorage).toMatchObject({ provider_id: id, provider_located_region: 'uk' })
})

test('3: the cookies are named access_token, refresh_token, user_id, demo_access_token, demo_refresh_token', () => {
  expect(SESSION_COOKIES).toEqual(['access_token', 'refresh_token', 'user_id'])
  expect(DEMO_COOKIES).toEqual(['demo_access_token', 'demo_refresh_token'])
})

// 4. States and transitions

test.for(['access_token', 'user_id'])(
  '4: logged in needs the access_token and the user_id: without %s it is over',
  async (name, { testApp }) => {
    const { router } = await openSignedIn(await testApp.addAccount(), '/about-us')
    if (name === 'user_id') {
      writeCookie(name, '', 0)
      globalThis.dispatchEvent(new Event('focus'))
    } else {
      await testApp.expireCookie(name)
      await testApp.expireCookie('refresh_token')
    }
    await router.navigate({ to: '/userProfile' })
    await expect.element(header().getByRole('link', { name: 'Log in' })).toBeVisible()
    await expect.element(entry('Logout')).not.toBeInTheDocument()
  },
)

test('4 and 8: a failed login sets isLoggedIn false, and what the server says is shown', async ({
  testApp,
}) => {
  const { email } = await testApp.addAccount()
  await openPage('/sign-in')
  await field('Email').fill(email)
  await field('Password').fill('not my password')
  await press('Sign in')
  const alert = page.getByRole('alert')
  await expect.element(alert).toMatchTextContent(/Email or password is incorrect\./)
  expect(localStorage.getItem('isLoggedIn')).toBe('false')
  await field('Password').fill(PASSWORD)
  await press('Sign in')
  await expect.element(menu()).toBeVisible()
  expect(localStorage.getItem('isLoggedIn')).toBe('true')
})

test('4: logout removes the tokens, the user id, the stored phone and email, and goes to /home', async ({
  testApp,
}) => {
  expect(SIGNED_OUT_KEYS).toEqual(['ProfilePhone', 'ProfileEmail'])
  const { router } = await openSignedIn(await testApp.addAccount(), '/about-us')
  const before = storedKeys()
  await menu().click()
  await entry('Logout').click()
  await question().getByRole('button', { name: 'Yes', exact: true }).click()
  await expect.poll(() => router.state.location.pathname).toBe('/home')
  await expect.element(header().getByRole('link', { name: 'Log in' })).toBeVisible()
  const gone = ['ProfileEmail', 'ProfilePhone']
  expect(storedKeys().filter((key) => before.includes(key))).toEqual(
    before.filter((key) => !gone.includes(key)),
  )
  expect(localStorage.getItem('isLoggedIn')).toBe('false')
  expect(document.cookie).not.toContain('user_id=')
  expect(document.cookie).toContain('demo_access_token=')
})

test('4: demo logout removes demo and regular tokens and goes to /', async ({ testApp }) => {
  const { router } = await openSignedIn(await testApp.addAccount(), '/about-us')
  await menu().click()
  await entry('Demo Logout').click()
  await expect.poll(() => router.state.location.pathname).toBe('/')
  expect(document.cookie).not.toContain('user_id=')
  expect(document.cookie).not.toContain('demo_access_token=')
  await router.navigate({ to: '/home' })
  expect(router.state.location.pathname).toBe('/')
})

// 7. The calls for forgotten passwords, by their field names

test('7: forget-password sends email, for accounts of every type; reset-password new_password and confirm_password', async ({
  testApp,
}) => {
  const { email } = await testApp.addAccount()
  const { router } = await openPage('/forgot-password')
  const writes = recordMutations()
  await field('Email').fill(email.toUpperCase())
  await press('Email me a link')
  await expect.element(page.getByRole('heading', { name: 'Check your email' })).toBeVisible()
  expect(findMutation(writes, 'auth.forgotPassword').sent).toEqual({ email })
  const [mail] = await testApp.readMails()
  const token = /\/reset-password\/([A-Za-z0-9_-]{43})/.exec(mail?.text ?? '')?.[1] ?? ''
  await router.navigate({ href: `/reset-password/${token}` })
  await field('New password').fill('another good password')
  await field('Confirm new password').fill('another good password')
  await press('Change password')
  await expect.element(page.getByRole('heading', { name: 'Password changed' })).toBeVisible()
  expect(findMutation(writes, 'auth.resetPassword').sent).toEqual({
    token,
    new_password: 'another good password',
    confirm_password: 'another good password',
  })
})

// 5, 8 and 9. The one-time code, where accounts ask for it

async function openCodeStep(testApp: Pick<Backend, 'addPlaces'>): Promise<void> {
  await testApp.addPlaces()
  await openPage('/register?as=provider')
  await fillInProviderRegistration()
  await press('Register')
  await expect.element(field('Code from the email')).toBeVisible()
}

const codeField = () => field('Code from the email')

test('5 and 9: a code whose length is not exactly 6 is “Invalid OTP” without asking the server', async ({
  testApp,
}) => {
  expect(CODE_LENGTH).toBe(6)
  await openCodeStep(testApp)
  const writes = recordMutations()
  for (const short of ['1', '12345']) {
    await codeField().fill(short)
    await press('Confirm')
    await expect.element(codeField()).toHaveAccessibleDescription(/Invalid OTP/)
  }
  expect(writes).toEqual([])
  await codeField().click()
  await userEvent.keyboard('{Control>}a{/Control}1234567')
  await expect.element(codeField()).toHaveValue('123456')
})

test('5 and 8: a 6-character code is checked with the server; a false status gives “Invalid OTP”', async ({
  testApp,
}) => {
  await openCodeStep(testApp)
  const [mail] = await testApp.readMails()
  const code = /^\s*(\d{6})\s*$/m.exec(mail?.text ?? '')?.[1] ?? ''
  const writes = recordMutations()
  await codeField().fill(code === '000000' ? '111111' : '000000')
  await press('Confirm')
  await expect.element(codeField()).toHaveAccessibleDescription(/Invalid OTP/)
  expect(findMutation(writes, 'auth.confirmEmail').answer).toEqual({ status: false, me: null })
  await codeField().fill(code)
  await press('Confirm')
  await expect
    .element(page.getByRole('heading', { level: 1, name: 'Verify your registration' }))
    .toBeVisible()
  expect(storedKeys()).not.toContain('provider_auth_token')
})

test('8: a network failure on the check of a code is not called “Invalid OTP”', async ({
  testApp,
}) => {
  await openCodeStep(testApp)
  vi.spyOn(globalThis, 'fetch').mockRejectedValue(new TypeError('Failed to fetch'))
  await codeField().fill('123456')
  await press('Confirm')
  await expect.element(page.getByRole('alert')).toMatchTextContent(/You’re offline\./)
  expect(document.body.textContent).not.toContain('Invalid OTP')
})
