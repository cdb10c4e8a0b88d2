import {
  confirmByLink,
  deleteAccount,
  downloadData,
  fillInPerson,
  formErrors,
  formParts,
  mailBody,
  makePerson,
  openAccountPage,
  openMail,
  sectionOf,
  sendRegistration,
  sendSignIn,
  signIn,
  userMenuEntry,
  waitForAccountPage,
} from './harness/accounts.ts'
import { createAccount, registerAccount } from './harness/booking.ts'
import { checkScreen, expect, test } from './harness/fixtures.ts'

test('a patient registers: errors are shown, valid input stays, the email confirms it @once', async ({
  page,
  problems,
}) => {
  const ann = makePerson('patient')
  const { form, field, press } = formParts(page, 'Register as a patient')
  await page.goto('/about-us')
  await page.getByRole('contentinfo').getByRole('link', { name: 'REGISTER' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused()

  await field('First name').fill('ann')
  await field('Email').fill('ann at example.org')
  await field('Phone number').fill('call me')
  await field('Password').fill('short')
  await press('Register')
  await expect(page.getByRole('alert')).toBeFocused()
  await expect(formErrors(page)).toHaveText([
    'Enter your last name.',
    'Enter a valid email address.',
    'Enter a valid phone number.',
    'Enter your date of birth.',
    'Use at least 8 characters.',
    'Agree to the terms of use to continue.',
  ])
  await checkScreen(page)
  await expect(field('First name')).toHaveValue('ann')
  await expect(field('Email')).toHaveValue('ann at example.org')
  await expect(field('Password')).toHaveValue('short')
  await formErrors(page).first().click()
  await expect(field('Last name')).toBeFocused()

  problems.expect(/answered 400: .*registerPatient/, /status of 400/)
  await fillInPerson(page, { ...ann, password: 'password' }, 'ann')
  await sendRegistration(page, 'patient')
  await expect(formErrors(page)).toHaveText([
    'This is one of the most common passwords. Choose another one.',
  ])
  await expect(field('Last name')).toHaveValue(ann.lastName)
  await expect(form.getByRole('checkbox', { name: /^I agree to/ })).toBeChecked()
  await field('Password').fill(ann.password)
  await press('Register')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Check your email')

  const opening = page.waitForEvent('popup')
  await page.getByRole('link', { name: /^Open the demo mailbox/ }).click()
  const mailbox = await opening
  await expect(mailbox.getByRole('heading', { level: 1 })).toHaveText(`Emails to ${ann.email}`)
  await checkScreen(mailbox)
  await openMail(mailbox, ann.email, 'Confirm your email address')
  await expect(mailBody(mailbox).getByText('Hello Ann,')).toBeVisible()
  await mailbox.close()

  problems.expect(/answered 403: .*signIn/, /status of 403/)
  await page.goto('/sign-in?next=/userProfile')
  await sendSignIn(page, ann)
  await expect(page.getByRole('alert')).toContainText('Confirm your email address first')
  await checkScreen(page)

  await confirmByLink(page, ann)
  await expect(page).toHaveURL('/verify/link')
  await checkScreen(page)
  await page.getByRole('link', { name: 'Sign in' }).click()
  await sendSignIn(page, ann)
  await expect(page).toHaveURL('/home')
  await expect(page.getByRole('dialog')).toBeVisible()
  await page.keyboard.press('Escape')
  await (await userMenuEntry(page, 'Profile')).click()
  await waitForAccountPage(page)
  await expect(page.getByRole('main').getByText(`Ann ${ann.lastName}`)).toBeVisible()
  await checkScreen(page)
})

test('resetting a forgotten password ends the session in another browser @desktop', async ({
  page,
  secondPage,
  problems,
}) => {
  const robin = makePerson('patient')
  await createAccount(page, robin)
  await signIn(page, robin)
  await signIn(secondPage, robin)
  await page.reload()
  await waitForAccountPage(page)
  await openAccountPage(secondPage, 'Details')
  await openAccountPage(page, 'Security')
  const sessions = sectionOf(page, 'Where you are signed in').getByRole('listitem')
  await expect(sessions).toHaveCount(2)
  await expect(sessions.filter({ hasText: 'This device' })).toHaveCount(1)

  await page.goto('/forgot-password')
  const asking = formParts(page, 'Forgot password')
  await asking.field('Email').fill(robin.email)
  await asking.press('Email me a link')
  await expect(page.getByText(`If ${robin.email} has an account here`)).toBeVisible()
  await checkScreen(page)
  await openMail(page, robin.email, 'Reset your password')
  await mailBody(page).getByRole('link', { name: 'Set a new password' }).click()
  await expect(page).toHaveURL('/reset-password/link')
  const choosing = formParts(page, 'New password')
  const old = robin.password
  robin.password = 'four other green bottles'
  await choosing.field('New password').fill(robin.password)
  await choosing.field('Confirm new password').fill(`${robin.password}!`)
  await choosing.press('Change password')
  await expect(formErrors(page)).toHaveText(['Passwords do not match.'])
  await choosing.field('Confirm new password').fill(robin.password)
  problems.expect(/answered 401: .*refresh/, /status of 401/)
  await choosing.press('Change password')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Password changed')

  problems.expect(/answered 401: .*updateDetails/)
  await formParts(secondPage, 'Your details').press('Save details')
  await expect(secondPage.getByRole('heading', { level: 1 })).toHaveText(
    'Sign in to see your account',
  )
  await expect(secondPage.getByText('Your session has ended. Please sign in again.')).toBeVisible()
  await checkScreen(secondPage)

  problems.expect(/answered 401: .*signIn/)
  await page.getByRole('link', { name: 'Sign in' }).click()
  await sendSignIn(page, { ...robin, password: old })
  await expect(page.getByRole('alert')).toContainText('Email or password is incorrect.')
  await expect(page.getByRole('textbox', { name: 'Email' })).toHaveValue(robin.email)
  await sendSignIn(page, robin)
  await expect(page).toHaveURL('/home')
  await secondPage.getByRole('main').getByRole('link', { name: 'Sign in' }).click()
  await sendSignIn(secondPage, robin)
  await waitForAccountPage(secondPage)
})

test('details and photo are changed, and the menu follows @phone', async ({ page }) => {
  const robin = makePerson('patient')
  await createAccount(page, robin)
  await signIn(page, robin)
  await openAccountPage(page, 'Details')
  const details = formParts(page, 'Your details')
  await expect(details.field('First name')).toHaveValue('Robin')
  await details.field('First name').fill('')
  await details.field('Last name').fill('an\u200Bna')
  await details.press('Save details')
  await expect(formErrors(page)).toHaveText([
    'Enter your first name.',
    'This name contains characters that can’t be seen. Type it here instead of pasting it.',
  ])
  await details.field('First name').fill('élodie')
  await details.field('Last name').fill('de Souza')
  await details.form
    .getByRole('combobox', { name: 'Usual search distance' })
    .selectOption({ label: '25 miles' })
  await details.press('Save details')
  await expect(page.getByText('Your details are saved.')).toBeVisible()
  await expect(details.field('First name')).toHaveValue('Élodie')
  await expect(details.field('Last name')).toHaveValue('De Souza')

  const photo = sectionOf(page, 'Photo')
  const picker = photo.getByLabel('Add a photo')
  await picker.setInputFiles({
    name: 'me.gif',
    mimeType: 'image/gif',
    buffer: Buffer.from('GIF89a'),
  })
  await expect(photo.getByText('Upload a JPEG, PNG or WebP image.')).toBeVisible()
  await checkScreen(page)
  const buffer = await page.screenshot({ clip: { x: 0, y: 0, width: 200, height: 200 } })
  await picker.setInputFiles({ name: 'me.png', mimeType: 'image/png', buffer })
  await expect(photo.getByRole('img', { name: 'Preview of your new photo' })).toBeVisible()
  await photo.getByRole('button', { name: 'Save photo' }).click()
  await expect(page.getByText('Your photo is saved.')).toBeVisible()
  await expect(photo.getByRole('img', { name: 'Your photo' })).toHaveAttribute(
    'src',
    /^\/media\/[0-9a-f]{32}\.webp$/,
  )
  await page.reload()
  await waitForAccountPage(page)
  const logout = await userMenuEntry(page, 'Logout')
  await expect(page.getByRole('banner').getByText('Élodie')).toBeVisible()
  await expect(page.getByRole('banner').getByRole('presentation')).toHaveAttribute(
    'src',
    /^\/media\//,
  )
  await expect(logout).toBeVisible()
})

test('a patient exports their data, deletes the account and cannot sign in any more @phone', async ({
  page,
  problems,
}) => {
  const robin = makePerson('patient')
  await registerAccount(page, robin)
  await signIn(page, robin)
  const data = await downloadData(page)
  expect(data.account).toMatchObject({ email: robin.email, first_name: 'Robin' })
  expect(data.account).not.toHaveProperty('password_hash')
  expect(data.provider).toBeNull()
  expect(data.sessions).toHaveLength(1)
  expect(JSON.stringify(data.mails)).toContain('Confirm your email address')
  expect(JSON.stringify(data.activity)).toContain('account.registered')

  await deleteAccount(page)
  problems.expect(/answered 401: .*signIn/, /status of 401/)
  await page.goto('/sign-in')
  await sendSignIn(page, robin)
  await expect(page.getByRole('alert')).toContainText('Email or password is incorrect.')
  await openMail(page, robin.email, 'Your account was deleted')
})
