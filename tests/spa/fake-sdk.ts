import { vi } from 'vitest'

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
      else throw new Error('The wallet met an error.')
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
