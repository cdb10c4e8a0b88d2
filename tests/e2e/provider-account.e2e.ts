import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { TOTP } from 'otpauth'
import {
  codeInMail,
  deleteAccount,
  downloadData,
  fillInPerson,
  fillInPractice,
  formErrors,
  formParts,
  logOut,
  mailBody,
  makePerson,
  openAccountPage,
  openMail,
  type Person,
  sectionOf,
  sendRegistration,
  sendSignIn,
  signIn,
  waitForAccountPage,
} from './harness/accounts.ts'
import { createAccount } from './harness/booking.ts'
import { checkScreen, expect, test } from './harness/fixtures.ts'

test('a provider registers with all fields, and the emailed code signs in @once', async ({
  page,
  context,
}) => {
  const robin = makePerson('provider')
  const { form, field, press } = formParts(page, 'Register as a provider')
  await page.goto('/register')
  await page.getByRole('link', { name: 'I am a provider' }).click()
  await checkScreen(page)
  await press('Register')
  await expect(page.getByRole('alert')).toBeFocused()
  await expect(formErrors(page)).toHaveText([
    'Enter your first name.',
    'Enter your last name.',
    'Enter your email address.',
    'Enter your phone number.',
    'Use at least 8 characters.',
    'Choose who you’re registered with.',
    'Enter your registration number.',
    'Choose a specialty from the list.',
    'Enter a qualification.',
    'Enter the name of your practice.',
    'Enter the street address.',
    'Enter a postcode or ZIP code.',
    'Enter a fee.',
    'Enter a fee.',
    'Write at least 40 characters about how you work.',
    'Agree to the terms of use to continue.',
  ])
  await checkScreen(page)

  await fillInPerson(page, robin, 'robin')
  await fillInPractice(page)
  await field('Registration number').fill('123')
  await field('First visit, in pounds').fill('0.50')
  await field('Length of a visit, in minutes').fill('200')
  await sendRegistration(page, 'provider')
  await expect(formErrors(page)).toHaveText([
    'A GMC number has 7 digits.',
    'Enter a fee of at least 1.00.',
    'Enter between 5 and 180 minutes.',
  ])
  await expect(field('Qualification 2')).toHaveValue('MRCGP')
  await expect(form.getByRole('combobox', { name: 'Specialty' })).toHaveValue('gp')
  await expect(form.getByRole('button', { name: 'Remove Welsh' })).toBeVisible()
  await field('Registration number').fill('7012345')
  await field('First visit, in pounds').fill('60')
  await field('Length of a visit, in minutes').fill('20')
  await press('Register')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Check your email')

  const confirming = formParts(page, 'Confirm with the code')
  for (const wrong of ['12345', '000000']) {
    await confirming.field('Code from the email').fill(wrong)
    await confirming.press('Confirm')
    await expect(formErrors(page)).toHaveText(['Invalid OTP'])
  }
  await checkScreen(page)
  const mailbox = await context.newPage()
  await openMail(mailbox, robin.email, 'Confirm your email address')
  const code = await codeInMail(mailbox)
  await mailbox.close()
  await confirming.field('Code from the email').fill(code)
  await confirming.press('Confirm')
  await expect(page).toHaveURL('/provider-verify')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Verify your registration')
  await expect(page.getByRole('button', { name: 'Check the GMC register' })).toBeVisible()
  await page.goto('/userProfile')
  await waitForAccountPage(page)
  const main = page.getByRole('main')
  await expect(main.getByText(`Robin ${robin.lastName}`)).toBeVisible()
  await expect(main.getByText('Unverified', { exact: true })).toBeVisible()
  await expect(main.getByText(robin.email).first()).toBeVisible()
  await checkScreen(page)
})

/** Opens the second step of the sign-in, which asks for the code of the app. */
async function signInUpToCode(page: Page, person: Person): Promise<void> {
  await page.goto('/sign-in?next=/userProfile&as=provider')
  await sendSignIn(page, person)
  await expect(
    page.getByRole('heading', { name: 'Enter the code of your authenticator app' }),
  ).toBeFocused()
}

test('a provider sets up an authenticator app and signs in with it, and with a recovery code @phone', async ({
  page,
  problems,
}) => {
  const robin = makePerson('provider')
  await createAccount(page, robin)
  await signIn(page, robin)
  await openAccountPage(page, 'Security')
  const second = sectionOf(page, 'Two-step sign-in')
  await expect(second.getByText('Off', { exact: true })).toBeVisible()
  await second.getByRole('button', { name: 'Set up an authenticator app' }).click()
  await expect(
    second.getByRole('img', { name: 'QR code for your authenticator app' }),
  ).toBeVisible()
  await checkScreen(page)
  const key = await second.locator('code').innerText()
  const app = new TOTP({ secret: key.replaceAll(/\s/g, '') })

  problems.expect(/answered 401: .*confirmSecondFactor/, /status of 401/)
  const proof = formParts(page, 'Confirm the app')
  const wrong = app.generate() === '000000' ? '111111' : '000000'
  await proof.field('Code the app shows now').fill(wrong)
  await proof.press('Turn on')
  await expect(formErrors(page)).toHaveText([/^That code isn’t right\./])
  await proof.field('Code the app shows now').fill(app.generate())
  await proof.press('Turn on')
  await expect(second.getByRole('heading', { name: 'Save your recovery codes' })).toBeFocused()
  await checkScreen(page)
  const codes = await second.getByRole('listitem').allInnerTexts()
  expect(codes).toHaveLength(10)
  const arriving = page.waitForEvent('download')
  await second.getByRole('button', { name: 'Save as file' }).click()
  const file = await readFile(await (await arriving).path(), 'utf8')
  expect(file.trim().split('\n')).toEqual(codes)
  await second.getByRole('button', { name: 'I’ve saved them' }).click()
  await expect(second.getByText('On', { exact: true })).toBeVisible()
  await logOut(page)

  problems.expect(/answered 401: .*signIn/)
  await signInUpToCode(page, robin)
  await checkScreen(page)
  const step = formParts(page, 'Two-step sign-in')
  await step.field('Code').fill(wrong)
  await step.press('Sign in')
  await expect(formErrors(page)).toHaveText([/^That code isn’t right\./])
  await checkScreen(page)
  // Uses the app's next code: the one that enabled it is used up, and clocks may differ by one step.
  await step.field('Code').fill(app.generate({ timestamp: Date.now() + 30_000 }))
  await step.press('Sign in')
  await waitForAccountPage(page)
  await logOut(page)

  await signInUpToCode(page, robin)
  await step.field('Code').fill(codes[0] ?? '')
  await step.press('Sign in')
  await waitForAccountPage(page)
  await logOut(page)
  await signInUpToCode(page, robin)
  await step.field('Code').fill(codes[0] ?? '')
  await step.press('Sign in')
  await expect(formErrors(page)).toHaveText([/^That code isn’t right\./])
  await openMail(page, robin.email, 'A recovery code was used')
})

test('a provider resets the password: the other browser’s session ends, and only the new password works @phone', async ({
  page,
  secondPage,
  problems,
}) => {
  const robin = makePerson('provider')
  await createAccount(page, robin)
  await signIn(secondPage, robin)
  await openAccountPage(secondPage, 'Data')
  await page.goto('/sign-in')
  await page.getByRole('link', { name: 'Forgot your password?' }).click()
  const asking = formParts(page, 'Forgot password')
  await asking.field('Email').fill(robin.email)
  await asking.press('Email me a link')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Check your email')
  await openMail(page, robin.email, 'Reset your password')
  await mailBody(page).getByRole('link', { name: 'Set a new password' }).click()
  const choosing = formParts(page, 'New password')
  const old = robin.password
  robin.password = 'four other green bottles'
  await choosing.field('New password').fill(robin.password)
  await choosing.field('Confirm new password').fill(robin.password)
  await choosing.press('Change password')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Password changed')

  problems.expect(/answered 401: .*exportData/, /answered 401: .*refresh/, /status of 401/)
  await sectionOf(secondPage, 'Your data').getByRole('button').click()
  await expect(secondPage.getByText('Your session has ended. Please sign in again.')).toBeVisible()

  problems.expect(/answered 401: .*signIn/)
  await page.getByRole('link', { name: 'Sign in' }).click()
  await sendSignIn(page, { ...robin, password: old })
  await expect(page.getByRole('alert')).toContainText('Email or password is incorrect.')
  await sendSignIn(page, robin)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('DashBoard')
})

test('a provider exports the data and deletes the account and profile @desktop', async ({
  page,
  problems,
}) => {
  const robin = makePerson('provider')
  await createAccount(page, robin)
  await signIn(page, robin)
  const data = await downloadData(page)
  expect(data.account).toMatchObject({ email: robin.email, kind: 'provider' })
  expect(data.provider).toMatchObject({ membership_number: '7012345', last_name: robin.lastName })
  expect(JSON.stringify(data.provider)).toContain('Harbour Surgery')
  await deleteAccount(page)
  problems.expect(/answered 401: .*signIn/, /status of 401/)
  await page.goto('/sign-in?as=provider')
  await sendSignIn(page, robin)
  await expect(page.getByRole('alert')).toContainText('Email or password is incorrect.')
})
