import type { TestSandbox } from './sandbox.ts'

/** A response as received; `json` is its body. */
export type Wire = { status: number; json: unknown; headers: Headers }

type Call = { body?: string; headers?: Record<string, string>; signal?: AbortSignal }

async function send(url: string, init: RequestInit): Promise<Wire> {
  const response = await fetch(url, init)
  return { status: response.status, json: await response.json(), headers: response.headers }
}

/** Calls of the card protocol without the vendor's package, which would validate or retry them. */
export function stripeWire({ baseUrl: base, sandbox }: TestSandbox) {
  return (method: 'GET' | 'POST', path: string, { body, headers, ...rest }: Call = {}) =>
    send(`${base}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${sandbox.ctx.keys.secretKey}`,
        'stripe-version': '2026-10-28.endive',
        'content-type': 'application/x-www-form-urlencoded',
        ...headers,
      },
      ...(body === undefined ? {} : { body }),
      ...rest,
    })
}

/** Calls of the wallet protocol without the vendor's package, with their own token. */
export async function paypalWire({ baseUrl: base, sandbox }: TestSandbox) {
  const { clientId, clientSecret } = sandbox.ctx.keys
  const response = await fetch(`${base}/v1/oauth2/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa(`${clientId}:${clientSecret}`)}` },
    body: new URLSearchParams({ grant_type: 'client_credentials' }),
  })
  const token: unknown = await response.json()
  const bearer = token instanceof Object && 'access_token' in token ? token.access_token : ''
  return (method: 'GET' | 'POST', path: string, { body, headers, ...rest }: Call = {}) =>
    send(`${base}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${String(bearer)}`,
        'content-type': 'application/json',
        prefer: 'return=representation',
        ...headers,
      },
      ...(body === undefined ? {} : { body }),
      ...rest,
    })
}
