import { readFile } from 'node:fs/promises'
import { expect, type Locator, type Page } from '@playwright/test'
import { DataExport } from '#contract/profiles.ts'
import { signInWithoutPage } from './booking.ts'
import { checkScreen } from './fixtures.ts'

export type Kind = 'patient' | 'provider'
export type Person = { kind: Kind; email: string; password: string; lastName: string }

/** A person with an email that is unique in the run. */
export function makePerson(kind: Kind): Person {
  const unique = crypto.randomUUID()
  return {
    kind,
    email: `${unique}@mail.example`,
    password: `green bottles ${unique.slice(0, 8)}`,
    lastName: `O'Neill-${unique.replaceAll(/[^a-f]/g, '')}`,
  }
}

/** The fields and the button of the form called `label`, by name. */
export function formParts(page: Page, label: string) {
  const form = page.getByRole('form', { name: label })
  return {
    form,
    field: (name: string | RegExp) => form.getByRole('textbox', { name, exact: true }),
    press: (name: string) => form.getByRole('button', { name, exact: true }).click(),
  }
}

/** The entries in the error summary of a refused form, from the top. */
export function formErrors(page: Page): Locator {
  return page.getByRole('alert').getByRole('link')
}

/** The section of the account page called `name`. */
export function sectionOf(page: Page, name: string): Locator {
  return page.getByRole('region', { name, exact: true })
}

/** Fills in the fields every registration has; `name` is spelled carelessly. */
export async function fillInPerson(page: Page, person: Person, name: string): Promise<void> {
  const { field } = formParts(page, `Register as a ${person.kind}`)
  await field('First name').fill(name)
  await field('Last name').fill(person.lastName)
  await field('Email').fill(person.email.toUpperCase())
  await field('Phone number').fill('020 7946 0000')
  await field('Password').fill(person.password)
  if (person.kind !== 'patient') return
  await field('Day').fill('3')
  await field('Month').fill('2')
  await field('Year').fill('1990')
}

/** Fills in the fields only providers have. */
export async function fillInPractice(page: Page): Promise<void> {
  const { form, field } = formParts(page, 'Register as a provider')
  await form.getByRole('radio', { name: 'UK', exact: true }).check()
  await form.getByRole('combobox', { name: 'Professional body' }).selectOption('GMC')
  await field('Registration number').fill('7012345')
  await form.getByRole('combobox', { name: 'Specialty' }).selectOption({ label: 'GP' })
  await field('Qualification 1').fill('MBBS')
  await form.getByRole('button', { name: 'Add another qualification' }).click()
  await expect(field('Qualification 2')).toBeFocused()
  await field('Qualification 2').fill('MRCGP')
  await field('Name of the practice').fill('Harbour Surgery')
  await field('Street address').fill('1 Borough High Street')
  await field('Postcode').fill('SE1 9GF')
  await field('First visit, in pounds').fill('60')
  await field('Follow-up visit, in pounds').fill('45.50')
  await field('Length of a visit, in minutes').fill('20')
  await form.getByRole('combobox', { name: 'Languages you see patients in' }).selectOption('cy')
  await form.getByRole('combobox', { name: /^Gender/ }).selectOption('female')
  await field('How you work').fill('I see families, and I take the time that it takes to listen.')
}

/** Agrees to the terms and sends the registration. */
export async function sendRegistration(page: Page, kind: Kind): Promise<void> {
  const { form, press } = formParts(page, `Register as a ${kind}`)
  const terms = form.getByRole('checkbox', { name: /^I agree to the terms of use/ })
  await terms.check()
  await press('Register')
}

/** Opens the newest email with a subject, as soon as it has arrived at an address. */
export async function openMail(page: Page, to: string, subject: string): Promise<void> {
  const mail = page.getByRole('main').getByRole('link', { name: subject }).first()
  await expect(async () => {
    await page.goto(`/demo/mailbox?to=${encodeURIComponent(to)}`)
    await expect(mail).toBeVisible({ timeout: 200 })
  }).toPass({ intervals: [50] })
  await mail.click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(subject)
}

/** The body of the open email, as an email client shows it. */
export function mailBody(page: Page) {
  return page.getByTitle('Email preview').contentFrame()
}

/** The six-digit code in the open email. */
export async function codeInMail(page: Page): Promise<string> {
  const text = await page.getByRole('main').innerText()
  const code = /^\s*(\d{6})\s*$/m.exec(text)?.[1]
  if (code === undefined) throw new Error('There is no code in the email.')
  return code
}

/**
 * Follows the link in the registration email and presses the button behind it, as on another device, where it signs
 * nobody in.
 */
export async function confirmByLink(page: Page, person: Person): Promise<void> {
  await page.evaluate(() => localStorage.removeItem('auth_token'))
  await openMail(page, person.email, 'Confirm your email address')
  await mailBody(page).getByRole('link', { name: 'Confirm my email address' }).click()
  await page.getByRole('button', { name: 'Confirm my address' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Email address confirmed')
}

/** Fills in the open sign-in page and submits it. */
export async function sendSignIn(page: Page, person: Person): Promise<void> {
  const { field, press } = formParts(page, 'Sign in')
  await field('Email').fill(person.email)
  await field('Password').fill(person.password)
  await press('Sign in')
}

/** Signs in without the sign-in page, and opens the account. */
export async function signIn(page: Page, person: Person): Promise<void> {
  await signInWithoutPage(page, person)
  await page.goto('/userProfile')
  await waitForAccountPage(page)
}

const accountPages = (page: Page) => page.getByRole('navigation', { name: 'Account sections' })

/** Waits until the account page is there. */
export async function waitForAccountPage(page: Page): Promise<void> {
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Your account')
  await expect(accountPages(page)).toBeVisible()
}

/** Opens one of the pages of the account. */
export async function openAccountPage(
  page: Page,
  name: 'Visits' | 'Details' | 'Reminders' | 'Calendar' | 'Security' | 'Data',
): Promise<void> {
  const link = accountPages(page).getByRole('link', { name, exact: true })
  await link.click()
  await expect(link).toHaveAttribute('aria-current', 'page')
}

/** The entry of the user menu called `name`, on any screen size; opens the menu. */
export async function userMenuEntry(page: Page, name: string): Promise<Locator> {
  const header = page.getByRole('banner')
  const entry = header
    .getByRole('button', { name, exact: true })
    .or(header.getByRole('link', { name, exact: true }))
  const menu = header.getByRole('button', { name: 'Menu' })
  if (await menu.isVisible()) await menu.click()
  else await header.getByRole('button', { expanded: false }).click()
  await expect(entry).toBeVisible()
  return entry
}

/** Logs out through the user menu and the documented confirmation. */
export async function logOut(page: Page): Promise<void> {
  await (await userMenuEntry(page, 'Logout')).click()
  const question = page.getByRole('dialog', { name: 'Are you sure you want to logout?' })
  await question.getByRole('button', { name: 'Yes', exact: true }).click()
  await expect(page).toHaveURL('/home')
}

/** Downloads the account's data and parses the file. */
export async function downloadData(page: Page): Promise<DataExport> {
  await openAccountPage(page, 'Data')
  const download = page.waitForEvent('download')
  await sectionOf(page, 'Your data').getByRole('button', { name: 'Download your data' }).click()
  const file = await download
  expect(file.suggestedFilename()).toMatch(/^apposite-data-\d{4}-\d\d-\d\d\.json$/)
  await expect(page.getByText('Your download has started.')).toBeVisible()
  return DataExport.parse(JSON.parse(await readFile(await file.path(), 'utf8')))
}

/** Deletes the open account, after cancelling once. */
export async function deleteAccount(page: Page): Promise<void> {
  await openAccountPage(page, 'Data')
  const open = sectionOf(page, 'Delete your account').getByRole('button', {
    name: 'Delete account',
  })
  const dialog = page.getByRole('dialog', { name: 'Delete your account?' })
  await open.click()
  await expect(dialog.getByRole('button', { name: 'Delete for good' })).toBeDisabled()
  await checkScreen(page)
  await dialog.getByRole('button', { name: 'Keep my account' }).click()
  await expect(dialog).toBeHidden()
  await open.click()
  await dialog.getByRole('checkbox', { name: 'I want to delete my account.' }).check()
  await dialog.getByRole('button', { name: 'Delete for good' }).click()
  await expect(page).toHaveURL('/home')
  await expect(page.getByText('Your account is deleted.')).toBeVisible()
}
