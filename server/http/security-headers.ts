import { Hono, type MiddlewareHandler } from 'hono'
import { NONCE, secureHeaders } from 'hono/secure-headers'
import type { Config } from '#server/kernel/config/config.ts'
import { contentPolicy } from '#server/kernel/security/content-policy.ts'

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
