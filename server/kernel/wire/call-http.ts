import { readCapped } from './read-capped.ts'

/** A request to another server. */
export type HttpCall = {
  method: 'GET' | 'POST'
  headers: Record<string, string>
  body?: string
  /** Timeout for the whole response, in milliseconds. */
  timeoutMs: number
  /** Response size cap, in bytes after decompression. */
  maxBytes: number
}

export type HttpResponse = {
  status: number
  headers: Headers
  body: Buffer<ArrayBuffer>
}

/**
 * Sends a request and reads the whole response, whatever its status. Redirects are returned, not
 * followed: a server we trust must not send our credentials to another. Throws when the response
 * doesn't arrive in time or exceeds the size cap.
 */
export async function callHttp(address: string | URL, call: HttpCall): Promise<HttpResponse> {
  const { timeoutMs, maxBytes, headers, ...request } = call
  const signal = AbortSignal.timeout(timeoutMs)
  try {
    const response = await fetch(address, {
      ...request,
      headers: { 'user-agent': 'Apposite', ...headers },
      redirect: 'manual',
      signal,
    })
    const body = await readCapped(response.body, { maxBytes, signal })
    return { status: response.status, headers: response.headers, body }
  } catch (error) {
    // The log should say ECONNREFUSED, not "fetch failed".
    throw error instanceof TypeError && error.cause instanceof Error ? error.cause : error
  }
}

/**
 * A `fetch` for packages whose own client would collect a response of any size, and stop their clock at its first
 * byte. The response comes whole.
 */
export function cappedFetch(maxBytes: number): typeof fetch {
  return async (address, init = {}) => {
    const { body, status, headers } = await fetch(address, init)
    const { signal } = init
    const bytes = await readCapped(body, { maxBytes, ...(signal && { signal }) })
    return new Response(bytes.byteLength === 0 ? null : bytes, { status, headers })
  }
}
