import { Hono, type MiddlewareHandler } from 'hono'
import { secureHeaders } from 'hono/secure-headers'
import type { Config } from '#server/kernel/config.ts'
import { contentPolicy } from '#server/kernel/content-policy.ts'

/** Two years. */
const HSTS = 'max-age=63072000'

/** Every response carries these, whatever its status. A route that sets a stricter one keeps it. */
export function securityHeaders(config: Config): MiddlewareHandler {
  return secureHeaders({
    contentSecurityPolicy: contentPolicy(config),
    crossOriginOpenerPolicy: 'same-origin-allow-popups',
    crossOriginResourcePolicy: 'same-origin',
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

/** The same headers by name, for requests that are refused before they are HTTP. */
export async function securityHeaderList(config: Config): Promise<Record<string, string>> {
  const app = new Hono().use(securityHeaders(config)).get('/', (c) => c.body(null))
  return Object.fromEntries((await app.request('/')).headers)
}
