import { afterEach, expect, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { CODE_LENGTH } from '#contract/auth.ts'
import { type Backend, test } from '#tests/harness/spa/spa-bridge.ts'
import { openPage } from '#tests/harness/spa/spa-page.tsx'
import { findMutation, recordMutations } from './fake-network.ts'
import { fillInProviderRegistration } from './registering.ts'

// Sections 5, 8 and 9 of the specification: the one-time code, where accounts ask for it.

afterEach(() => {
  vi.restoreAllMocks()
})

const field = (name: string) => page.getByRole('textbox', { name, exact: true })
const storedKeys = () => Object.keys(localStorage).toSorted()
const press = (name: string) => page.getByRole('button', { name, exact: true }).click()

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
