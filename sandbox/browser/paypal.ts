/**
 * Replaces PayPal's browser script, version 6: an instance, one-time payment sessions and the
 * `<paypal-button>` element. The buyer approves in a window of our own wallet page.
 */
type SessionOptions = {
  orderId?: string
  onApprove?: (data: {
    orderId: string
    payerId?: string
    fundingSource: 'paypal'
  }) => Promise<void>
  onCancel?: (data: { orderId?: string }) => void
  onComplete?: (data: { paymentSessionState: 'approved' | 'canceled' | 'error' }) => void
  onError?: (error: Error) => void
}
type StartOptions = { presentationMode?: string }

/** Message from the wallet page to its opener. */
type WalletMessage = {
  from: 'sandbox-wallet'
  choice: 'approved' | 'cancelled'
  orderId: string
  payerId?: string
}

const PAGE = '/sandbox/paypal/checkoutnow'
const POLL_MS = 250

function isWalletMessage(data: unknown): data is WalletMessage {
  return typeof data === 'object' && data !== null && Reflect.get(data, 'from') === 'sandbox-wallet'
}

function pageOf(orderId: string): string {
  return `${PAGE}?token=${encodeURIComponent(orderId)}`
}

/** The window or frame the wallet's page is in. */
type Surface = {
  target: () => Window | null
  go: (url: string) => void
  isClosed: () => boolean
  close: () => void
}

function openPopup(): Surface | null {
  const left = Math.max(0, screenX + (outerWidth - 480) / 2)
  const popup = open(
    PAGE,
    'sandbox-wallet',
    `popup,width=480,height=720,left=${left},top=${screenY + 60}`,
  )
  if (popup === null) return null
  return {
    target: () => popup,
    go: (url) => popup.location.replace(url),
    isClosed: () => popup.closed,
    close: () => popup.close(),
  }
}

function openModal(): Surface {
  const dialog = document.createElement('dialog')
  dialog.setAttribute('aria-label', 'Wallet payment')
  dialog.style.cssText =
    'width:min(30rem,100vw);height:min(45rem,100vh);max-width:none;max-height:none;padding:0;border:0;border-radius:14px'
  const frame = document.createElement('iframe')
  frame.src = PAGE
  frame.title = 'Wallet payment'
  frame.style.cssText = 'width:100%;height:100%;border:0;display:block'
  dialog.append(frame)
  document.body.append(dialog)
  dialog.showModal()
  return {
    target: () => frame.contentWindow,
    go: (url) => {
      frame.src = url
    },
    isClosed: () => !dialog.open,
    close: () => dialog.remove(),
  }
}

/** Opened directly in the click handler: after any await, browsers block it. */
function openSurface({ presentationMode = 'auto' }: StartOptions): Surface {
  if (presentationMode === 'modal') return openModal()
  const popup = openPopup()
  if (popup !== null) return popup
  if (presentationMode === 'auto') return openModal()
  throw Object.assign(new Error('The window was blocked.'), {
    code: 'ERR_DEV_UNABLE_TO_OPEN_POPUP',
    isRecoverable: true,
  })
}

/** Resolves when the buyer has chosen, or has closed the window, which counts as declining. */
function waitForChoice(surface: Surface, ended: AbortSignal): Promise<WalletMessage | null> {
  return new Promise((resolve) => {
    const stop = (message: WalletMessage | null) => {
      clearInterval(timer)
      removeEventListener('message', listen)
      resolve(message)
    }
    const listen = (event: MessageEvent<unknown>) => {
      if (event.origin !== location.origin || event.source !== surface.target()) return
      if (isWalletMessage(event.data)) stop(event.data)
    }
    const timer = setInterval(() => {
      if (surface.isClosed()) stop(null)
    }, POLL_MS)
    addEventListener('message', listen)
    ended.addEventListener('abort', () => stop(null))
  })
}

function createPayPalOneTimePaymentSession(options: SessionOptions) {
  let ended = new AbortController()
  async function run(surface: Surface, promised: Promise<{ orderId: string }>): Promise<void> {
    const signal = ended.signal
    const chosen = waitForChoice(surface, signal)
    // Closed before there was an order: still declined.
    const order = await Promise.race([promised, chosen.then(() => null)])
    const orderId = order?.orderId
    if (orderId !== undefined) surface.go(pageOf(orderId))
    const said = await chosen
    surface.close()
    if (signal.aborted) return
    if (said?.choice === 'approved' && said.orderId === orderId) {
      const payer = said.payerId === undefined ? {} : { payerId: said.payerId }
      await options.onApprove?.({ orderId, ...payer, fundingSource: 'paypal' })
      options.onComplete?.({ paymentSessionState: 'approved' })
      return
    }
    options.onCancel?.(orderId === undefined ? {} : { orderId })
    options.onComplete?.({ paymentSessionState: 'canceled' })
  }
  async function start(
    how: StartOptions = {},
    promised?: Promise<{ orderId: string }>,
  ): Promise<void> {
    let surface: Surface | null = null
    try {
      surface = openSurface(how)
      const known =
        options.orderId === undefined ? undefined : Promise.resolve({ orderId: options.orderId })
      const order = promised ?? known
      if (order === undefined) throw new Error('A payment needs an order.')
      await run(surface, order)
    } catch (error) {
      surface?.close()
      // Nobody waits for the order any more: avoids an unhandled rejection.
      promised?.catch(() => {})
      const failure = error instanceof Error ? error : new Error('The wallet failed.')
      if (options.onError === undefined) throw failure
      options.onError(failure)
      options.onComplete?.({ paymentSessionState: 'error' })
    }
  }
  const end = () => {
    ended.abort()
    ended = new AbortController()
  }
  return {
    start,
    cancel: end,
    destroy: end,
    hasReturned: () => false,
    resume: () => Promise.resolve(),
  }
}

const eligible = {
  isEligible: (method: string) => method === 'paypal',
  getDetails: () => ({ canBeVaulted: false }),
}

/** `paypal.createInstance`. */
export function createInstance(options: { clientId?: string; clientToken?: string }) {
  if (options.clientId === undefined && options.clientToken === undefined) {
    return Promise.reject(new Error('createInstance needs a clientId or a clientToken.'))
  }
  return Promise.resolve({
    createPayPalOneTimePaymentSession,
    findEligibleMethods: () => Promise.resolve(eligible),
    hydrateEligibleMethods: () => eligible,
    updateLocale: () => {},
  })
}

const STYLES = `
:host { display: block; }
:host([hidden]) { display: none; }
button { display: flex; align-items: center; justify-content: center; gap: 0.4em; width: 100%;
  min-height: 3.25rem; padding: 0 1.25rem; border: 1px solid transparent; border-radius: 8px;
  background: #ffc439; color: #111827; font: 600 1.0625rem/1.2 inherit; font-family: inherit;
  cursor: pointer; }
button:hover { background: #f2b51d; }
button:focus-visible { outline: 3px solid currentColor; outline-offset: 2px; }
button:disabled { opacity: 0.6; cursor: not-allowed; }
b { color: #10307a; font-style: italic; font-weight: 800; }
`

const LABELS: Record<string, string> = {
  pay: 'Pay with',
  checkout: 'Check out with',
  buynow: 'Buy now with',
}

/** PayPal's button; a click on it is a click on the element. */
class PaypalButton extends HTMLElement {
  static observedAttributes = ['disabled', 'type']
  readonly #button: HTMLButtonElement

  constructor() {
    super()
    const root = this.attachShadow({ mode: 'open', delegatesFocus: true })
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(STYLES)
    root.adoptedStyleSheets = [sheet]
    this.#button = document.createElement('button')
    this.#button.type = 'button'
    root.append(this.#button)
    this.#draw()
  }

  attributeChangedCallback(): void {
    this.#draw()
  }

  #draw(): void {
    this.#button.disabled = this.hasAttribute('disabled')
    const brand = document.createElement('b')
    brand.textContent = 'PayPal'
    this.#button.replaceChildren(
      `${LABELS[this.getAttribute('type') ?? 'pay'] ?? 'Pay with'} `,
      brand,
    )
  }
}

if (!('paypal' in window)) {
  Object.assign(window, { paypal: { version: '6.0.0-sandbox', createInstance } })
}
if (customElements.get('paypal-button') === undefined) {
  customElements.define('paypal-button', PaypalButton)
}
