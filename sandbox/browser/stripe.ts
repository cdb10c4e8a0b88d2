/**
 * Replaces Stripe's browser script: the same names, and an embedded checkout that shows our own card page in
 * a frame. It exists only in a demo, and never replaces the real script.
 */
type CheckoutOptions = {
  clientSecret?: string
  fetchClientSecret?: () => Promise<string>
  onComplete?: () => void
}
type Checkout = {
  mount(place: string | HTMLElement): void
  unmount(): void
  destroy(): void
}

/** Message from the card page to its parent page. */
type CardMessage = {
  from: 'sandbox-card'
  kind: 'size' | 'paid'
  height?: number
  returnUrl?: string | null
}

function isCardMessage(data: unknown): data is CardMessage {
  return typeof data === 'object' && data !== null && Reflect.get(data, 'from') === 'sandbox-card'
}

let mounted: object | null = null

function placeOf(place: string | HTMLElement): Element {
  const found = typeof place === 'string' ? document.querySelector(place) : place
  if (found === null) throw new Error('The place to mount the checkout is not on the page.')
  return found
}

function makeFrame(clientSecret: string): HTMLIFrameElement {
  const frame = document.createElement('iframe')
  frame.src = `/sandbox/stripe/checkout?client_secret=${encodeURIComponent(clientSecret)}`
  frame.title = 'Card payment'
  frame.name = 'embedded-checkout'
  // A dialog that scrolls needs a focusable element inside.
  frame.tabIndex = 0
  frame.style.cssText = 'display:block;width:100%;height:640px;border:0;color-scheme:normal'
  return frame
}

function makeCheckout(clientSecret: string, onComplete: (() => void) | undefined): Checkout {
  const mark = {}
  mounted = mark
  let frame: HTMLIFrameElement | null = null
  const check = () => {
    if (mounted !== mark) throw new Error('This embedded checkout was destroyed.')
  }
  const listen = (event: MessageEvent<unknown>) => {
    // Any window may post messages; only our own frame on our own origin is trusted.
    if (event.origin !== location.origin || event.source !== frame?.contentWindow) return
    if (!isCardMessage(event.data)) return
    if (event.data.kind === 'size' && frame !== null) {
      frame.style.height = `${Math.ceil(event.data.height ?? 640)}px`
    }
    if (event.data.kind === 'paid') {
      onComplete?.()
      if (typeof event.data.returnUrl === 'string') location.assign(event.data.returnUrl)
    }
  }
  const unmount = () => {
    removeEventListener('message', listen)
    frame?.remove()
    frame = null
  }
  return {
    mount: (place) => {
      check()
      unmount()
      frame = makeFrame(clientSecret)
      addEventListener('message', listen)
      placeOf(place).append(frame)
    },
    unmount: () => {
      check()
      unmount()
    },
    destroy: () => {
      check()
      unmount()
      mounted = null
    },
  }
}

async function createEmbeddedCheckoutPage(options: CheckoutOptions): Promise<Checkout> {
  if (mounted !== null) throw new Error('You cannot have multiple Embedded Checkout objects.')
  // Set before the first await, so that a second caller is refused as well.
  const mark = {}
  mounted = mark
  try {
    const secret = options.clientSecret ?? (await options.fetchClientSecret?.())
    if (secret === undefined || !/^cs_test_\w+_secret_\w+$/.test(secret)) {
      throw new Error('The client secret of the checkout session is missing or wrong.')
    }
    return makeCheckout(secret, options.onComplete)
  } catch (error) {
    if (mounted === mark) mounted = null
    throw error
  }
}

function notSupported(name: string) {
  return () => {
    throw new Error(`The sandbox has no ${name}: it only knows the embedded checkout.`)
  }
}

/** `Stripe(publishableKey)`, with the embedded checkout only. */
export function makeStripe(key: string) {
  if (!key.startsWith('pk_test_')) throw new Error('The sandbox takes test keys only.')
  return {
    createEmbeddedCheckoutPage,
    elements: notSupported('elements'),
    createToken: notSupported('createToken'),
    createPaymentMethod: notSupported('createPaymentMethod'),
    confirmCardPayment: notSupported('confirmCardPayment'),
    registerAppInfo: () => {},
    _registerWrapper: () => {},
  }
}

if (!('Stripe' in window)) {
  Object.assign(window, { Stripe: Object.assign(makeStripe, { version: 'endive' }) })
}
