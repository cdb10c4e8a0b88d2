import { expect } from 'vitest'
import { page } from 'vitest/browser'
import { codeIn } from '#tests/harness/sent-emails.ts'
import type { Backend } from '#tests/harness/spa/spa-bridge.ts'
import { openSignedIn } from '#tests/harness/spa/spa-sign-in.ts'
import type { ProviderOverrides } from '#tests/harness/spa/spa-wire.ts'

/** The default provider's first free time: Tuesday, nine in the morning in London. */
export const FIRST = { date: '2026-03-03', time: '09:00', startsAt: '2026-03-03T09:00:00.000Z' }
export const PURPOSE = 'My knee hurts on the stairs.'

/** The URL of the checkout for a provider's time. */
export function checkoutOf(providerId: string, more: Record<string, string> = {}): string {
  const { date, time } = FIRST
  const search = new URLSearchParams({ region: 'uk', date, time, distance: '1.2', ...more })
  return `/appointment/${providerId}?${search}`
}

export const heading = () => page.getByRole('heading', { level: 1 })
export const next = () => page.getByRole('button', { name: 'Next', exact: true })
export const back = () => page.getByRole('button', { name: 'Back', exact: true })
export const purposeField = () =>
  page.getByRole('textbox', { name: 'What would you like help with?' })
export const codeField = () => page.getByRole('textbox', { name: 'One-time code' })
export const radio = (name: RegExp | string) => page.getByRole('radio', { name })

/** Opens the first step of the checkout as a patient, with a new provider. */
export async function openCheckout(testApp: Backend, overrides: ProviderOverrides = {}) {
  const provider = await testApp.addProvider(overrides)
  const account = await testApp.addAccount()
  const opened = await openSignedIn(account, checkoutOf(provider.id))
  // The heading is shown before the time is held.
  await expect.element(page.getByRole('timer')).toBeVisible()
  await expect.element(heading()).toHaveTextContent('Appointment Info')
  return { ...opened, provider, account }
}

/** Goes to the second step. */
export async function toPurpose(): Promise<void> {
  await next().click()
  await expect.element(heading()).toHaveTextContent('Purpose of your visit')
}

/** From the first step to the third. */
export async function toConfirmation(): Promise<void> {
  await toPurpose()
  await purposeField().fill(PURPOSE)
  await next().click()
  await expect.element(heading()).toHaveTextContent('Confirmation')
}

/** The code in the newest email. */
export async function mailedCode(testApp: Backend): Promise<string> {
  return codeIn(
    (await testApp.readMails()).findLast((mail) => codeIn(mail) !== '') ?? throwNoEmail(),
  )
}

function throwNoEmail(): never {
  throw new Error('No mail holds a code.')
}

/** From the first step to the payment buttons. */
export async function toPayment(testApp: Backend): Promise<void> {
  await toConfirmation()
  await codeField().fill(await mailedCode(testApp))
  await expect.element(page.getByText('Your OTP is verified ✅')).toBeVisible()
}
