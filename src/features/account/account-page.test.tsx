import { afterEach, expect, vi } from 'vitest'
import { page } from 'vitest/browser'
import { test } from '#tests/harness/spa/spa-bridge.ts'
import { openPage, openSignedIn, PASSWORD, signIn } from '#tests/harness/spa/spa-page.tsx'
import { delayRequests, failRequests } from '#tests/spa/fake-network.ts'

const section = (name: string) => page.getByRole('region', { name })
const within = (name: string) => ({
  button: (label: string) => section(name).getByRole('button', { name: label, exact: true }),
  field: (label: string) => section(name).getByRole('textbox', { name: label, exact: true }),
})

test('details are saved with the name capitalised, and the menu follows', async ({ testApp }) => {
  await openSignedIn(await testApp.addAccount(), '/userProfile?section=details')
  const details = within('Your details')
  await details.field('First name').fill('robin')
  await details.button('Save details').click()
  await expect.element(page.getByText('Your details are saved.')).toBeVisible()
  await expect.element(details.field('First name')).toHaveValue('Robin')
  await expect
    .element(page.getByRole('banner').getByRole('button', { name: 'Robin' }))
    .toBeVisible()
  expect(localStorage.getItem('firstName')).toBe('Robin')
})

test('a date of birth that was emptied is asked for, and is not said to be saved', async ({
  testApp,
}) => {
  const account = await testApp.addAccount({ date_of_birth: '1988-04-17' })
  await openSignedIn(account, '/userProfile?section=details')
  const details = within('Your details')
  for (const part of ['Day', 'Month', 'Year']) await details.field(part).fill('')
  await details.button('Save details').click()
  await expect
    .element(section('Your details').getByRole('alert'))
    .toMatchTextContent(/Enter your date of birth\./)
  await expect.element(page.getByText('Your details are saved.')).not.toBeInTheDocument()
})

test('the password is changed with the current one, and a wrong one is said beside its field', async ({
  testApp,
}) => {
  await openSignedIn(await testApp.addAccount(), '/userProfile?section=security')
  const part = within('Password')
  await part.button('Change password').click()
  await expect.element(part.field('Current password')).toHaveFocus()
  await part.field('Current password').fill('not my password')
  await part.field('New password').fill('another good password')
  await part.field('Confirm new password').fill('another good password')
  await part.button('Change password').click()
  await expect
    .element(part.field('Current password'))
    .toHaveAccessibleDescription(/That isn’t your current password\./)
  await part.field('Current password').fill(PASSWORD)
  await part.button('Change password').click()
  await expect.element(page.getByText(/Your password is changed\./)).toBeVisible()
  await expect.element(part.field('Current password')).not.toBeInTheDocument()
  await expect.element(part.button('Change password')).toHaveFocus()
})

test('another device is signed out, and the focus stays with the others', async ({ testApp }) => {
  const account = await testApp.addAccount()
  await signIn(account)
  // The browser forgets its session, which goes on.
  for (const name of ['access_token', 'refresh_token']) await testApp.expireCookie(name)
  await openSignedIn(account, '/userProfile?section=security')
  const devices = section('Where you are signed in')
  const other = devices.getByRole('button', { name: /^Sign out .*, signed in/ })
  await other.click()
  await expect.element(page.getByText('That device is signed out.')).toBeVisible()
  await expect.element(other).not.toBeInTheDocument()
  await expect.element(devices.getByRole('heading', { level: 2 })).toHaveFocus()
})

test('all devices are shown on request, and the first of the others takes the focus', async ({
  testApp,
}) => {
  const account = await testApp.addAccount()
  for (let device = 0; device < 5; device += 1) {
    await signIn(account)
    for (const name of ['access_token', 'refresh_token']) await testApp.expireCookie(name)
  }
  await openSignedIn(account, '/userProfile?section=security')
  const devices = section('Where you are signed in')
  const others = devices.getByRole('button', { name: /^Sign out .*, signed in/ })
  await devices.getByRole('button', { name: 'Show 2 more' }).click()
  // This device has no such button.
  await expect.element(others.nth(3)).toHaveFocus()
  expect(others.elements()).toHaveLength(5)
})

test('reminders are chosen and kept', async ({ testApp }) => {
  await openSignedIn(await testApp.addAccount(), '/userProfile?section=reminders')
  const part = section('Reminders')
  await expect.element(part.getByRole('checkbox', { name: 'The day before a visit' })).toBeChecked()
  await part.getByRole('checkbox', { name: 'A week before a visit' }).click()
  await part.getByLabelText('Not before').selectOptions('10:00')
  await part.getByRole('checkbox', { name: /Keep provider names out/ }).click()
  await part.getByRole('button', { name: 'Save reminders' }).click()
  await expect.element(page.getByText('Your reminders are saved.')).toBeVisible()
  await expect
    .element(part.getByRole('checkbox', { name: 'A week before a visit' }))
    .not.toBeChecked()
  await expect.element(part.getByLabelText('Not before')).toHaveValue('10')
})

test('the link of a reminder asks before it turns them off, and says when it is no good', async ({
  testApp,
}) => {
  await openSignedIn(await testApp.addAccount(), '/unsubscribe/usr_nobody.mac')
  await page.getByRole('button', { name: 'Turn off reminders' }).click()
  const alert = page.getByRole('alert')
  await expect.element(alert.getByText(/This link doesn’t work any more\./)).toBeVisible()
})

test('a form put away again asks nothing and gives focus back', async ({ testApp }) => {
  await openSignedIn(await testApp.addAccount(), '/userProfile?section=details')
  const part = within('Email')
  await part.button('Change email').click()
  await expect.element(part.field('New email')).toHaveFocus()
  await part.button('Cancel').click()
  await expect.element(part.field('New email')).not.toBeInTheDocument()
  await expect.element(part.button('Change email')).toHaveFocus()
})

test('the account has its pages, each with its parts and at its address', async ({ testApp }) => {
  const { router } = await openSignedIn(await testApp.addAccount(), '/userProfile')
  const pages = page.getByRole('navigation', { name: 'Account sections' })
  const titles = () =>
    [...document.querySelectorAll('main section[id] > h2')].map((title) => title.textContent)
  await expect.element(section('Visits')).toBeVisible()
  const all = {
    Details: ['Your details', 'Photo', 'Email'],
    Reminders: ['Reminders'],
    Calendar: ['Calendar links'],
    Security: ['Password', 'Two-step sign-in', 'Where you are signed in', 'Access tokens'],
    Data: ['Cookies', 'Your data', 'Delete your account'],
    Saved: ['Saved'],
    Visits: ['Visits'],
  }
  for (const [name, parts] of Object.entries(all)) {
    await pages.getByRole('link', { name }).click()
    await expect.poll(titles).toEqual(parts)
    await expect.element(pages.getByRole('link', { name })).toHaveAttribute('aria-current', 'page')
    expect(router.state.location.search).toEqual({ section: name.toLowerCase() })
  }
})

test.for([
  { hash: 'tokens', name: 'Access tokens' },
  { hash: 'second-factor', name: 'Two-step sign-in' },
  { hash: 'erase', name: 'Delete your account' },
  { hash: 'visits', name: 'Visits' },
  { hash: 'saved', name: 'Saved' },
])(
  'a link to #$hash, as emails have it, opens the page with that part',
  async ({ hash, name }, { testApp }) => {
    await openSignedIn(await testApp.addAccount(), `/userProfile#${hash}`)
    await expect.element(section(name)).toBeVisible()
  },
)

test('a new address waits for the link mailed to it', async ({ testApp }) => {
  await openSignedIn(await testApp.addAccount(), '/userProfile?section=details')
  const part = within('Email')
  await part.button('Change email').click()
  await part.field('New email').fill('Robin@Example.org')
  await part.field('Your password').fill(PASSWORD)
  await part.button('Change email').click()
  await expect.element(section('Email').getByText('robin@example.org')).toBeVisible()
  expect((await testApp.readMails()).map(({ to }) => to)).toContain('robin@example.org')
})

test('setting up an app shows the secret as a picture and as text, and a wrong code is refused', async ({
  testApp,
}) => {
  await openSignedIn(await testApp.addAccount(), '/userProfile?section=security')
  const part = within('Two-step sign-in')
  await part.button('Set up an authenticator app').click()
  await expect
    .element(section('Two-step sign-in').getByRole('img', { name: /QR code/ }))
    .toBeVisible()
  await part.field('Code the app shows now').fill('000000')
  await part.button('Turn on').click()
  await expect
    .element(part.field('Code the app shows now'))
    .toHaveAccessibleDescription(/That code isn’t right\./)
  await part.button('Cancel').click()
  await expect.element(section('Two-step sign-in').getByText('Off', { exact: true })).toBeVisible()
  await expect.element(part.button('Set up an authenticator app')).toHaveFocus()
})

test('signing out everywhere asks first and ends this session too', async ({ testApp }) => {
  const { router } = await openSignedIn(await testApp.addAccount(), '/userProfile?section=security')
  await expect.element(section('Where you are signed in').getByText('This device')).toBeVisible()
  await within('Where you are signed in').button('Sign out everywhere').click()
  await page.getByRole('dialog').getByRole('button', { name: 'Sign out everywhere' }).click()
  await expect.poll(() => router.state.location.pathname).toBe('/home')
  expect(document.cookie).not.toContain('user_id=')
})

test('the account is deleted only by somebody who says so', async ({ testApp }) => {
  const { router } = await openSignedIn(await testApp.addAccount(), '/userProfile?section=data')
  await within('Delete your account').button('Delete account').click()
  const sure = page.getByRole('button', { name: 'Delete for good' })
  await expect.element(sure).toBeDisabled()
  await page.getByRole('checkbox', { name: 'I want to delete my account.' }).click()
  await sure.click()
  await expect.poll(() => router.state.location.pathname).toBe('/home')
  await expect.element(page.getByText('Your account is deleted.')).toBeVisible()
  expect(document.cookie).not.toContain('user_id=')
})

test('a patient is told before deleting the account that upcoming visits stay booked', async ({
  testApp,
}) => {
  const { id: providerId } = await testApp.addProvider()
  const account = await testApp.addAccount()
  await testApp.bookVisit({ providerId, startsAt: '2026-03-03T09:00:00.000Z', account })
  const { router } = await openSignedIn(account, '/userProfile?section=data')
  await within('Delete your account').button('Delete account').click()
  const dialog = page.getByRole('dialog')
  await expect
    .element(dialog)
    .toMatchTextContent(/Your upcoming visits stay booked.*doesn’t cancel or refund them/)
  await dialog.getByRole('link', { name: 'your visits' }).click()
  await expect.poll(() => router.state.location.href).toBe('/userProfile?section=visits')
  await expect.element(dialog).not.toBeInTheDocument()
})

test('a provider sees whose visits deleting the account cancels, and sees them again when they have changed', async ({
  testApp,
}) => {
  const provider = await testApp.addProvider()
  const account = await testApp.addAccount({
    kind: 'provider',
    email: provider.email,
    provider_no: provider.no,
  })
  await testApp.bookVisit({ providerId: provider.id, startsAt: '2026-03-03T09:00:00.000Z' })
  const { router } = await openSignedIn(account, '/userProfile?section=data')
  await within('Delete your account').button('Delete account').click()
  const dialog = page.getByRole('dialog')
  await expect.element(dialog.getByText('1 upcoming visit will be cancelled')).toBeVisible()
  await expect.element(dialog.getByText(/refund £60\./)).toBeVisible()
  const visits = dialog.getByRole('list', { name: 'Upcoming visits' }).getByRole('listitem')
  await expect.element(visits).toHaveTextContent('Tue 3 Mar, 09:00Maya E.')
  await dialog.getByRole('checkbox', { name: 'I want to delete my account.' }).click()
  await testApp.bookVisit({ providerId: provider.id, startsAt: '2026-03-03T09:30:00.000Z' })
  await dialog.getByRole('button', { name: 'Delete for good' }).click()
  await expect.element(dialog.getByRole('alert')).toMatchTextContent(/upcoming visits have changed/)
  await expect.element(dialog.getByText('2 upcoming visits will be cancelled')).toBeVisible()
  await expect.element(dialog.getByText(/refund £120\./)).toBeVisible()
  await expect
    .element(dialog.getByRole('checkbox', { name: 'I want to delete my account.' }))
    .toBeChecked()
  await dialog.getByRole('button', { name: 'Delete for good' }).click()
  await expect.poll(() => router.state.location.pathname).toBe('/home')
})

const NEAR = '/results?selectedRegion=uk&latitude=51.4965&longitude=-0.0985'
const heart = () => page.getByRole('button', { name: 'Save Dr Amara Okafor', exact: true })

afterEach(() => vi.restoreAllMocks())

test('a saved provider who could not be removed stays, and the card says why', async ({
  testApp,
}) => {
  await testApp.addProvider()
  const { router } = await openSignedIn(await testApp.addAccount(), NEAR)
  await heart().click()
  await expect.element(heart()).toHaveAttribute('aria-pressed', 'true')
  await router.navigate({ to: '/userProfile', search: { section: 'saved' } })
  failRequests('profiles.removeFavourite')
  await heart().click()
  await expect.element(page.getByRole('alert')).toBeVisible()
  await expect.element(heart()).toHaveAttribute('aria-pressed', 'true')
})

test('the heart of a result saves a provider, who stands in the account and leads to the profile', async ({
  testApp,
}) => {
  const { id } = await testApp.addProvider()
  const { router } = await openSignedIn(await testApp.addAccount(), NEAR)
  await expect.element(heart()).toHaveAttribute('aria-pressed', 'false')
  await heart().click()
  await expect.element(heart()).toHaveAttribute('aria-pressed', 'true')
  await router.navigate({ to: '/userProfile', search: { section: 'saved' } })
  const saved = page.getByRole('region', { name: 'Saved' })
  await expect.element(saved.getByText(/^Next free: \w/)).toBeVisible()
  await saved.getByRole('link', { name: 'Dr Amara Okafor' }).click()
  await expect.poll(() => router.state.location.pathname).toContain(id)
  await expect.element(heart()).toHaveAttribute('aria-pressed', 'true')
  await router.navigate({ to: '/userProfile', search: { section: 'saved' } })
  await heart().click()
  await expect.element(page.getByText('No saved providers yet')).toBeVisible()
  // The pressed heart is gone.
  await expect.element(saved.getByRole('heading', { level: 2 })).toHaveFocus()
})

test('what could not be saved is shown as it was before, and why', async ({ testApp }) => {
  await testApp.addProvider()
  await openSignedIn(await testApp.addAccount(), NEAR)
  await expect.element(heart()).toBeEnabled()
  failRequests('profiles.saveFavourite')
  await heart().click()
  await expect.element(page.getByRole('alert')).toMatchTextContent(/^You’re offline\./)
  await expect.element(heart()).toHaveAttribute('aria-pressed', 'false')
})

test('whoever is not signed in is led to sign in and back to the very results', async ({
  testApp,
}) => {
  await testApp.addProvider()
  const { router } = await openPage(`${NEAR}&sort=name`)
  await page.getByRole('link', { name: 'Sign in to save Dr Amara Okafor' }).click()
  await expect.poll(() => router.state.location.pathname).toBe('/sign-in')
  expect(router.state.location.search.next).toMatch(/^\/results\?.*sort=name/)
})

test('cookie settings are not claimed before they are known, and can be changed all the same', async ({
  testApp,
}) => {
  const letGo = delayRequests('profiles.consent')
  await openSignedIn(await testApp.addAccount(), '/userProfile?section=data')
  const cookies = section('Cookies')
  await expect.element(within('Cookies').button('Change cookie settings')).toBeVisible()
  await expect.element(cookies).not.toMatchTextContent(/accepted/)
  letGo()
  await expect.element(cookies).toMatchTextContent(/You’ve accepted necessary cookies only\./)
})

test('cookie settings that do not load say so, and Try again brings them', async ({ testApp }) => {
  const cut = failRequests('profiles.consent')
  await openSignedIn(await testApp.addAccount(), '/userProfile?section=data')
  const alert = section('Cookies').getByRole('alert')
  await expect
    .element(alert)
    .toMatchTextContent(/Your cookie settings didn’t load.*You’re offline\./)
  await expect.element(section('Cookies')).not.toMatchTextContent(/accepted/)
  cut.mockRestore()
  await alert.getByRole('button', { name: 'Try again' }).click()
  await expect
    .element(section('Cookies'))
    .toMatchTextContent(/You’ve accepted necessary cookies only\./)
})
