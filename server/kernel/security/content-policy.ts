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
