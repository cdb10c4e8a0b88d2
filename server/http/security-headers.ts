import { Hono, type MiddlewareHandler } from 'hono'
import { NONCE, secureHeaders } from 'hono/secure-headers'
import type { Config } from '#server/kernel/config/config.ts'

function tileSource(tileUrl: string | null): string[] {
  if (tileUrl === null) return []
  const { protocol, host } = new URL(tileUrl.replaceAll('{s}', 'subdomain'))
  return [`${protocol}//${host.replace(/^subdomain\./, '*.')}`]
}

type Sources = Record<'script' | 'frame' | 'connect' | 'img', readonly string[]>

const NO_SOURCES: Sources = { script: [], frame: [], connect: [], img: [] }

/** Sources that Stripe's script needs; none with the sandbox. */
function stripeSources({ payments }: Config): Sources {
  if (payments.stripe === null) return NO_SOURCES
  return {
    script: ['https://js.stripe.com', 'https://*.js.stripe.com'],
    frame: [
      'https://js.stripe.com',
      'https://*.js.stripe.com',
      'https://hooks.stripe.com',
      'https://*.stripe.com',
    ],
    connect: ['https://api.stripe.com', 'https://*.stripe.com'],
    img: ['https://*.stripe.com'],
  }
}

/** Sources that PayPal's script needs; none with the sandbox. */
function paypalSources({ payments }: Config): Sources {
  if (payments.paypal === null) return NO_SOURCES
  return {
    script: ['https://*.paypal.com', 'https://*.paypalobjects.com'],
    frame: ['https://*.paypal.com'],
    connect: ['https://*.paypal.com'],
    img: ['https://*.paypal.com', 'https://*.paypalobjects.com'],
  }
}

/** The content security policy of our own pages: our own files, map tiles and the gateways in use. */
export function contentPolicy(config: Config) {
  const [card, wallet] = [stripeSources(config), paypalSources(config)]
  const own = (kind: keyof Sources) => ["'self'", ...card[kind], ...wallet[kind]]
  return {
    defaultSrc: ["'self'"],
    scriptSrc: own('script'),
    styleSrc: ["'self'"],
    imgSrc: ["'self'", 'data:', 'blob:', ...tileSource(config.tileUrl), ...card.img, ...wallet.img],
    fontSrc: ["'self'"],
    connectSrc: own('connect'),
    frameSrc: own('frame'),
    objectSrc: ["'none'"],
    baseUri: ["'none'"],
    frameAncestors: ["'none'"],
    formAction: ["'self'"],
  }
}

/** Two years. */
const HSTS = 'max-age=63072000'

type Options = {
  /** Also allows inline scripts with this response's nonce. */
  hasNonce?: boolean
}

/** Headers of every response, whatever its status. A route may override one. */
export function securityHeaders(
  config: Config,
  { hasNonce = false }: Options = {},
): MiddlewareHandler {
  const policy = contentPolicy(config)
  const scriptSrc = hasNonce ? [...policy.scriptSrc, NONCE] : policy.scriptSrc
  return secureHeaders({
    contentSecurityPolicy: { ...policy, scriptSrc },
    crossOriginOpenerPolicy: 'same-origin-allow-popups',
    crossOriginResourcePolicy: 'same-origin',
    // Chromium warns about it in frames without an origin, such as those that show an email.
    originAgentCluster: false,
    permissionsPolicy: {
      camera: [],
      geolocation: ['self'],
      microphone: [],
      payment: ['self'],
      usb: [],
    },
    referrerPolicy: 'strict-origin-when-cross-origin',
    strictTransportSecurity: HSTS,
    overwrite: false,
  })
}

/** The same headers by name, for input that fails before it is parsed as HTTP. */
export async function securityHeaderList(config: Config): Promise<Record<string, string>> {
  const app = new Hono().use(securityHeaders(config)).get('/', (c) => c.body(null))
  return Object.fromEntries((await app.request('/')).headers)
}
