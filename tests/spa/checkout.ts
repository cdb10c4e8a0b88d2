import { expect, vi } from 'vitest'
import { page } from 'vitest/browser'
import { codeIn } from '#tests/harness/sent-emails.ts'
import type { Backend } from '#tests/harness/spa/spa-bridge.ts'
import { openSignedIn } from '#tests/harness/spa/spa-page.tsx'
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
export const timer = () => page.getByRole('timer')
export const radio = (name: RegExp | string) => page.getByRole('radio', { name })

/** Opens the first step of the checkout as a patient, with a new provider. */
export async function openCheckout(testApp: Backend, overrides: ProviderOverrides = {}) {
  const provider = await testApp.addProvider(overrides)
  const account = await testApp.addAccount()
  const opened = await openSignedIn(account, checkoutOf(provider.id))
  // The heading is shown before the time is held.
  await expect.element(timer()).toBeVisible()
  await expect.element(heading()).toHaveTextContent('Appointment Info')
  return { ...opened, provider, account }
}

/** Advances the page's clock, but not the server's, until `vi.useRealTimers()`. */
export function advancePageClock(ms: number): void {
  vi.useFakeTimers({ shouldAdvanceTime: true, toFake: ['Date'] })
  vi.setSystemTime(Date.now() + ms)
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
  throw new Error('No email contains a code.')
}

/** From the first step to the payment buttons. */
export async function toPayment(testApp: Backend): Promise<void> {
  await toConfirmation()
  await codeField().fill(await mailedCode(testApp))
  await expect.element(page.getByText('Your OTP is verified ✅')).toBeVisible()
}

// What the vendors' scripts put on `window`, as far as their packages use it. The test acts as the buyer. The
// real packages run; `vi.unstubAllGlobals()` removes the scripts.

/** Installs the card vendor's fake script, whose form shows the client secret it was opened with. */
export function fakeStripe(): void {
  const never = () => {
    throw new Error('Only the embedded checkout is used.')
  }
  const stripe = {
    elements: never,
    createToken: never,
    createPaymentMethod: never,
    confirmCardPayment: never,
    _registerWrapper: () => {},
    registerAppInfo: () => {},
    createEmbeddedCheckoutPage: ({ clientSecret }: { clientSecret: string }) => {
      const form = document.createElement('div')
      form.role = 'form'
      form.ariaLabel = 'Card form of the vendor'
      form.textContent = clientSecret
      return Promise.resolve({
        mount: (at: HTMLElement) => at.append(form),
        unmount: () => form.remove(),
        destroy: () => form.remove(),
      })
    },
  }
  vi.stubGlobal(
    'Stripe',
    Object.assign(() => stripe, { version: 'endive' }),
  )
}

type Callbacks = {
  onApprove: (data: { orderId: string }) => Promise<void>
  onCancel: (data: { orderId: string }) => void
  onError: (error: Error) => void
}

/** What the buyer does in the wallet's window. */
export type WalletAction = 'approves' | 'cancels' | 'meets an error'

class WalletButton extends HTMLElement {
  connectedCallback(): void {
    this.role = 'button'
    this.tabIndex = 0
    this.textContent = 'PayPal'
  }
}

/** Installs the wallet's fake script and button; each press performs the next of these actions. */
export function fakePaypal(...actions: WalletAction[]): void {
  if (customElements.get('paypal-button') === undefined) {
    customElements.define('paypal-button', WalletButton)
  }
  const start = async (callbacks: Callbacks, order: Promise<{ orderId: string }>) => {
    const action = actions.shift()
    try {
      const { orderId } = await order
      if (action === 'approves') await callbacks.onApprove({ orderId })
      else if (action === 'cancels') callbacks.onCancel({ orderId })
      else throw new Error('The wallet failed.')
    } catch (error) {
      callbacks.onError(error instanceof Error ? error : new Error(String(error)))
    }
  }
  const instance = {
    createPayPalOneTimePaymentSession: (callbacks: Callbacks) => ({
      start: (_options: object, order: Promise<{ orderId: string }>) => start(callbacks, order),
      cancel: () => {},
      destroy: () => {},
    }),
  }
  vi.stubGlobal('paypal', {
    version: '6.0.0-fake',
    createInstance: () => Promise.resolve(instance),
  })
}
