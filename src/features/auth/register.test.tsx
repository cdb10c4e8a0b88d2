import { expect } from 'vitest'
import { page } from 'vitest/browser'
import { test } from '#tests/harness/spa/spa-bridge.ts'
import { openPage, signIn } from '#tests/harness/spa/spa-page.tsx'
import { checkoutOf } from '#tests/spa/checkout.ts'

const field = (name: string | RegExp) => page.getByRole('textbox', { name })
const register = () => page.getByRole('button', { name: 'Register' })
const errorTexts = () =>
  page
    .getByRole('alert')
    .getByRole('link')
    .elements()
    .map((link) => link.textContent)

async function fillInPatient(): Promise<void> {
  await field('First name').fill('ann')
  await field('Last name').fill("o'Neill")
  await field('Email').fill('Ann@Example.org')
  await field('Phone number').fill('020 7946 0000')
  await field('Day').fill('3')
  await field('Month').fill('2')
  await field('Year').fill('1990')
  await field('Password').fill('correct horse battery')
  await page.getByRole('checkbox', { name: /terms of use/ }).click()
}

test('sending nothing lists every problem in the order of the screen', async () => {
  await openPage('/register')
  await register().click()
  await expect.element(page.getByRole('alert')).toHaveFocus()
  expect(errorTexts()).toEqual([
    'Enter your first name.',
    'Enter your last name.',
    'Enter your email address.',
    'Enter your phone number.',
    'Enter your date of birth.',
    'Use at least 8 characters.',
    'Agree to the terms of use to continue.',
  ])
})

test('whoever has one name is not asked for another, and keeps what was typed for it', async () => {
  await openPage('/register')
  await field('First name').fill('Suharto')
  await field('Last name').fill('S')
  await page.getByRole('checkbox', { name: 'I have only one name' }).click()
  await expect.element(field('Last name')).not.toBeInTheDocument()
  await expect.element(field('Name')).toHaveValue('Suharto')
  await register().click()
  await expect.element(page.getByRole('alert')).toHaveFocus()
  expect(errorTexts()).not.toContain('Enter your last name.')
  await page.getByRole('checkbox', { name: 'I have only one name' }).click()
  await expect.element(field('Last name')).toHaveValue('S')
})

test('look-alike and invisible characters are said on leaving the field', async () => {
  await openPage('/register')
  await field('Email').fill('an\u212A@example.org')
  await field('First name').fill('An\u202En')
  await field('Last name').click()
  await expect.element(field('Email')).toHaveAccessibleDescription(/Enter a valid email address\./)
  await expect
    .element(field('First name'))
    .toHaveAccessibleDescription(/characters that can’t be seen/)
  await field('Email').fill('ann@example.org')
  await expect.element(field('Email')).not.toHaveAttribute('aria-invalid')
})

test('somebody registers on the way to a time, and the link of the email leads back to it', async ({
  testApp,
}) => {
  const provider = await testApp.addProvider()
  const { router } = await openPage(checkoutOf(provider.id))
  await expect.element(page.getByRole('timer')).toBeVisible()
  await page.getByRole('link', { name: 'Register as a patient' }).click()
  await fillInPatient()
  await register().click()
  await expect.element(page.getByRole('heading', { name: 'Check your email' })).toBeVisible()
  await expect.element(page.getByRole('timer')).toBeVisible()
  await expect.element(page.getByText(/go straight on with your booking/)).toBeVisible()
  const [mail] = await testApp.readMails()
  const link = /\/verify\/\S+/.exec(mail?.text ?? '')?.[0] ?? ''
  expect(link).toContain(`next=${encodeURIComponent(`/appointment/${provider.id}?`)}`)
  await router.navigate({ href: link })
  await expect.poll(() => router.state.location.pathname).toBe('/verify/link')
  await expect.element(page.getByRole('timer')).toBeVisible()
  await page.getByRole('button', { name: 'Confirm my address' }).click()
  await expect
    .element(page.getByRole('heading', { level: 1 }))
    .toHaveTextContent('Appointment Info')
  await expect.element(page.getByRole('timer')).toMatchTextContent(/^Held for you 1[45]:\d\d$/)
  expect(localStorage.getItem('auth_token')).toBeNull()
})

test('somebody registers, follows the link elsewhere and can sign in', async ({ testApp }) => {
  const { router } = await openPage('/register')
  await fillInPatient()
  await register().click()
  await expect.element(page.getByRole('heading', { name: 'Check your email' })).toBeVisible()
  await expect.element(page.getByText('ann@example.org')).toBeVisible()
  await expect
    .element(page.getByRole('link', { name: /demo mailbox/ }))
    .toHaveAttribute('href', '/demo/mailbox?to=ann%40example.org')
  // A pending handle, which grants no access by itself.
  expect(localStorage.getItem('auth_token')).toMatch(/^[A-Za-z0-9_-]{43}$/)

  const [mail] = await testApp.readMails()
  expect(mail?.text).toContain('Ann')
  const token = /\/verify\/([A-Za-z0-9_-]{43})/.exec(mail?.text ?? '')?.[1]
  // As on another device, which knows nothing of the registration.
  localStorage.removeItem('auth_token')
  await router.navigate({ href: `/verify/${token}` })
  await expect.element(page.getByRole('banner')).not.toBeInTheDocument()
  await expect.poll(() => router.state.location.pathname).toBe('/verify/link')
  await page.getByRole('button', { name: 'Confirm my address' }).click()
  await expect.element(page.getByRole('heading', { name: 'Email address confirmed' })).toBeVisible()
  await page.getByRole('link', { name: 'Sign in' }).click()
  await field('Email').fill('ann@example.org')
  await field('Password').fill('correct horse battery')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect.poll(() => router.state.location.pathname).toBe('/home')
})

test('the challenge is solved while the form is filled in, and said to screen readers', async () => {
  await openPage('/register')
  await field('First name').click()
  await expect.element(page.getByText('Confirmed that you’re not a robot.')).toBeInTheDocument()
  await expect
    .element(page.getByRole('checkbox', { name: 'Confirmed: you’re not a robot' }))
    .toBeChecked()
})

test('a link that was used before is refused with the documented sentence', async () => {
  await openPage(`/verify/${'x'.repeat(43)}`)
  await page.getByRole('button', { name: 'Confirm my address' }).click()
  await expect
    .element(page.getByRole('alert'))
    .toMatchTextContent(/This link has expired or was already used\./)
})

test('a link that another tab has used leads on to the booking, with its type and mode', async ({
  testApp,
}) => {
  const { id } = await testApp.addProvider({ offers_video: 1 })
  const asked = { type: id.replace('prv_', 'vtp_'), mode: 'video' }
  const link = `/verify/${'x'.repeat(43)}?next=${encodeURIComponent(checkoutOf(id, asked))}`
  await signIn(await testApp.addAccount())
  const { router } = await openPage(link)
  await page.getByRole('button', { name: 'Confirm my address' }).click()
  await page.getByRole('link', { name: 'Continue with your booking' }).click()
  await expect.element(page.getByRole('timer')).toBeVisible()
  expect(router.state.location.search).toMatchObject(asked)
  const [hold] = await router.options.context.client.booking.holds.query({})
  expect(hold?.mode).toBe('video')
})

test('the provider’s form knows the registers of the region and checks their numbers live', async () => {
  await openPage('/register?as=provider')
  const body = page.getByRole('combobox', { name: 'Professional body' })
  const number = field('Registration number')
  await body.selectOptions('GMC')
  await number.fill('12345')
  await field('Name of the practice').click()
  await expect.element(number).toHaveAccessibleDescription(/A GMC number has 7 digits\./)
  await page.getByRole('radio', { name: 'USA' }).click()
  expect(body.element().textContent).toBe('Choose oneNPI, National Provider Identifier')
  await expect.element(field('ZIP code')).toBeVisible()
  await expect.element(field('First visit, in dollars')).toBeVisible()
})

test('qualifications are a list to which lines are added and from which they are taken', async () => {
  await openPage('/register?as=provider')
  await field('Qualification 1').fill('MBBS')
  await page.getByRole('button', { name: 'Add another qualification' }).click()
  await expect.element(field('Qualification 2')).toHaveFocus()
  await field('Qualification 2').fill('MRCGP')
  await page.getByRole('button', { name: 'Remove qualification 1' }).click()
  await expect.element(field('Qualification 1')).toHaveValue('MRCGP')
  await expect.element(field('Qualification 2')).not.toBeInTheDocument()
})

test('the provider’s form says how much is filled in and leads to what is not', async () => {
  await openPage('/register?as=provider')
  const progress = page.getByRole('navigation', { name: 'Form sections' })
  await expect.element(progress).toMatchTextContent(/0 of 5 parts filled in/)
  await expect
    .element(page.getByRole('group', { name: /^Part 2 of 5 Your registration/ }))
    .toBeVisible()
  await field('First name').fill('Ann')
  await field('Last name').fill('Lee')
  await field('Email').fill('ann@example.org')
  await field('Phone number').fill('020 7946 0000')
  await progress.getByRole('link', { name: 'Next: You' }).click()
  await expect.element(field('Password')).toHaveFocus()
  await field('Password').fill('correct horse battery')
  await expect.element(progress).toMatchTextContent(/1 of 5 parts filled in/)
  await progress.getByRole('link', { name: 'Next: Your registration' }).click()
  await expect.element(page.getByRole('combobox', { name: 'Professional body' })).toHaveFocus()
})

test('looking at the patient’s form loses nothing of the provider’s', async () => {
  await openPage('/register?as=provider')
  await field('Name of the practice').fill('Harbour Surgery')
  await page.getByRole('link', { name: 'I am a patient' }).click()
  await expect.element(page.getByRole('group', { name: 'Date of birth' })).toBeVisible()
  await expect.element(field('Name of the practice')).not.toBeInTheDocument()
  await page.getByRole('link', { name: 'I am a provider' }).click()
  await expect.element(field('Name of the practice')).toHaveValue('Harbour Surgery')
})
