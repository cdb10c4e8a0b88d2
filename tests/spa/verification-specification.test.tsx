import { expect } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { type Backend, test } from '#tests/harness/spa/spa-bridge.ts'
import { openPage, openSignedIn } from '#tests/harness/spa/spa-page.tsx'

const heading = (name: string) => page.getByRole('heading', { level: 1, name })
const field = (name: string | RegExp) => page.getByRole('textbox', { name })
const button = (name: string | RegExp) => page.getByRole('button', { name })
const cells = () => [...document.querySelectorAll('td')].map((cell) => cell.textContent)

const pdf = new File([`%PDF-1.7\n${'x'.repeat(40_000)}\n%%EOF\n`], 'certificate.pdf', {
  type: 'application/pdf',
})

/** A provider nobody has checked yet, with the account they sign in with. */
async function addUnverified(testApp: Backend) {
  const { id, no, email } = await testApp.addProvider({ verification_status: 'Unverified' })
  const person = { kind: 'provider', email, provider_no: no, date_of_birth: null } as const
  return { ...(await testApp.addAccount(person)), providerId: id }
}

async function fillInProvider(): Promise<void> {
  await field('First name').fill('ann')
  await field('Last name').fill('Lee')
  await field('Email').fill('Ann.Lee@Example.org')
  await field('Phone number').fill('020 7946 0000')
  await field('Password').fill('correct horse battery')
  await page.getByRole('combobox', { name: 'Professional body' }).selectOptions('GMC')
  await field('Registration number').fill('7012345')
  await page.getByRole('combobox', { name: 'Specialty' }).selectOptions('GP')
  await field('Qualification 1').fill('MBBS')
  await field('Name of the practice').fill('Harbour Surgery')
  await field('Street address').fill('1 Borough High Street')
  await field('Postcode').fill('SE1 6ET')
  await field('First visit, in pounds').fill('60')
  await field('Follow-up visit, in pounds').fill('45.50')
  await field('Length of a visit, in minutes').fill('20')
  await field('How you work').fill('I see families, and I take the time that it takes to listen.')
  await page.getByRole('checkbox', { name: /terms of use/ }).click()
}

test('1 and 2: after registration /provider-verify confirms the e-mail with a 6-character code, then shows the register’s answer', async ({
  testApp,
}) => {
  await testApp.addPlaces()
  await testApp.setRegister('GMC', [{ number: '7012345', name: 'ANN LEE' }])
  const { router } = await openPage('/register?as=provider')
  await fillInProvider()
  await button('Register').click()
  await expect.element(heading('Check your email')).toBeVisible()
  expect(router.state.location.pathname).toBe('/provider-verify')
  await expect.element(page.getByText('ann.lee@example.org')).toBeVisible()
  await expect.element(page.getByRole('banner')).not.toBeInTheDocument()
  await expect.element(page.getByRole('contentinfo')).not.toBeInTheDocument()

  const mails = await testApp.readMails()
  const code = /^ {4}([0-9]{6})$/m.exec(mails.at(-1)?.text ?? '')?.[1] ?? ''
  await field('Code from the email').fill(code === '000000' ? '111111' : '000000')
  await button('Confirm').click()
  await expect.element(page.getByRole('alert')).toMatchTextContent(/Invalid OTP/)
  await field('Code from the email').fill(code)
  await button('Confirm').click()
  await expect.element(heading('Verify your registration')).toBeVisible()
  expect(router.state.location.pathname).toBe('/provider-verify')
  expect(localStorage.getItem('provider_auth_token')).toBeNull()

  await button('Check the GMC register').click()
  await expect.element(page.getByText('It all matches')).toBeVisible()
  expect(cells()).toEqual([
    '7012345',
    '7012345',
    'Ann Lee',
    'ANN LEE',
    'RequiredRegistered with a licence to practise',
    'Registered with licence to practise',
  ])
  await page.getByRole('link', { name: 'Continue to your company' }).click()
  await expect.element(heading('Verify your company')).toBeVisible()
  expect(router.state.location.pathname).toBe('/company-verify')
})

test('3: verification status values are Verified and Unverified; a match alone is not enough for Verified', async ({
  testApp,
}) => {
  await testApp.setRegister('GMC', [{ number: '7000001', name: 'Amara Okafor' }])
  const account = await addUnverified(testApp)
  await openSignedIn(account, '/provider-verify')
  await button('Check the GMC register').click()
  await expect.element(page.getByText('Our staff decide next.', { exact: false })).toBeVisible()
  await expect.element(page.getByText('4 checks left today.')).toBeVisible()
  await expect.element(page.getByText('You are Verified')).not.toBeInTheDocument()
})

test('4: names match with case ignored and whitespace collapsed, otherwise Unverified, and look-alike letters are marked', async ({
  testApp,
}) => {
  await testApp.setRegister('GMC', [{ number: '7000001', name: 'Amara Ok\u0430for' }])
  const account = await addUnverified(testApp)
  await openSignedIn(account, '/provider-verify')
  await button('Check the GMC register').click()
  await expect.element(page.getByText('Your details don’t match the GMC register')).toBeVisible()
  expect(document.querySelector('mark')?.textContent).toBe('Ok\u0430for')
  await testApp.setRegister('GMC', [{ number: '7000001', name: ' AMARA   okafor ' }])
  await button('Check again').click()
  await expect.element(page.getByText('It all matches')).toBeVisible()
  expect(document.querySelector('mark')).toBeNull()
})

test('a struck-off number, an unknown one, and a register that is down each have a message', async ({
  testApp,
}) => {
  const account = await addUnverified(testApp)
  await openSignedIn(account, '/provider-verify')
  await button('Check the GMC register').click()
  await expect
    .element(page.getByRole('alert'))
    .toMatchTextContent(/The register is not answering\. Nothing was compared/)
  await expect.element(page.getByText('Up to five checks a day.')).toBeVisible()
  await testApp.setRegister('GMC', [])
  await button('Check the GMC register').click()
  await expect
    .element(page.getByText('We couldn’t find this number in the GMC register'))
    .toBeVisible()
  const erased = 'Not registered - erased after fitness to practise panel hearing'
  await testApp.setRegister('GMC', [{ number: '7000001', name: 'Amara Okafor', status: erased }])
  await button('Check again').click()
  await expect
    .element(page.getByText('The registration has ended.', { exact: false }))
    .toBeVisible()
  expect(cells()).toContain(erased)
})

test('a request by staff is shown first, until the next check', async ({ testApp }) => {
  await testApp.setRegister('GMC', [{ number: '7000001', name: 'Amara Okafor' }])
  const account = await addUnverified(testApp)
  const { providerId } = account
  const what = 'Which name is right?'
  await testApp.actAsColleague('verification.askAgain', { providerId, what })
  await openSignedIn(account, '/provider-verify')
  await expect.element(page.getByText('Our staff need something from you')).toBeVisible()
  await expect.element(page.getByText('Which name is right?', { exact: false })).toBeVisible()
  await button('Check the GMC register').click()
  await expect.element(page.getByText('It all matches')).toBeVisible()
})

test('a company is submitted with its document, and the page shows its state', async ({
  testApp,
}) => {
  const account = await addUnverified(testApp)
  let opened = await openSignedIn(account, '/company-verify')
  await button('Send for review').click()
  await expect.element(page.getByRole('alert').first()).toHaveFocus()
  expect(
    page
      .getByRole('alert')
      .first()
      .getByRole('link')
      .elements()
      .map((link) => link.textContent),
  ).toEqual([
    'Enter the name of your company.',
    'Enter the registration number of your company.',
    'Enter the registered address.',
    'Add a document.',
  ])
  await userEvent.upload(
    page.getByLabelText('Document'),
    new File(['<svg>'], 'a.svg', { type: 'image/svg+xml' }),
  )
  await expect.element(page.getByText('Upload a PDF, or a JPEG, PNG or WebP image.')).toBeVisible()
  await userEvent.upload(page.getByLabelText('Document'), pdf)
  await expect.element(page.getByText(', uploaded')).toBeVisible()
  await field('Company name').fill('Harbour Surgery Ltd')
  await field('Registration number').fill('sc123456')
  await field('Registered address').fill('1 Borough High Street\nLondon SE1 9GF')
  await button('Send for review').click()
  await expect.element(page.getByText('In review')).toBeVisible()
  await expect.element(page.getByText('SC123456')).toBeVisible()
  await expect.element(page.getByText('PDF, 41 kB')).toBeVisible()

  await testApp.decideCompany({ state: 'refused', reason: 'The document is of another company.' })
  await opened.screen.unmount()
  opened = await openPage('/company-verify')
  await expect.element(page.getByText('The document is of another company.')).toBeVisible()
  await expect.element(field('Company name')).toHaveValue('Harbour Surgery Ltd')
  await userEvent.upload(page.getByLabelText('Document'), pdf)
  await expect.element(page.getByText(', uploaded')).toBeVisible()
  await button('Send again').click()
  await expect.element(page.getByText('In review')).toBeVisible()
  await testApp.decideCompany({ state: 'accepted' })
  await opened.screen.unmount()
  await openPage('/company-verify')
  await expect.element(page.getByText('Accepted')).toBeVisible()
})

test('a patient is told that this is for providers, and a visitor signs in first', async ({
  testApp,
}) => {
  const { router, screen } = await openPage('/company-verify')
  await expect.poll(() => router.state.location.pathname).toBe('/sign-in')
  expect(router.state.location.search).toMatchObject({ as: 'provider', next: '/company-verify' })
  await screen.unmount()
  const account = await testApp.addAccount()
  await openSignedIn(account, '/provider-verify')
  await expect.element(page.getByText('This page is for providers')).toBeVisible()
  await expect.element(button('Log out and sign in as a provider')).toBeVisible()
})
