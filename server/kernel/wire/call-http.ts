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

async function readCapped(response: Response, maxBytes: number): Promise<Buffer<ArrayBuffer>> {
  const chunks: Uint8Array[] = []
  let total = 0
  for await (const chunk of response.body ?? []) {
    total += chunk.byteLength
    // Leaving the loop cancels the stream, which closes the connection.
    if (total > maxBytes) throw new Error(`the response is larger than ${maxBytes} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/**
 * Sends a request and reads the whole response, whatever its status. Redirects are returned, not
 * followed: a server we trust must not send our credentials to another. Throws when the response
 * doesn't arrive in time or exceeds the size cap.
 */
export async function callHttp(address: string | URL, call: HttpCall): Promise<HttpResponse> {
  const { timeoutMs, maxBytes, headers, ...request } = call
  try {
    const response = await fetch(address, {
      ...request,
      headers: { 'user-agent': 'Apposite', ...headers },
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
    })
    const body = await readCapped(response, maxBytes)
    return { status: response.status, headers: response.headers, body }
  } catch (error) {
    // The log should say ECONNREFUSED, not "fetch failed".
    throw error instanceof TypeError && error.cause instanceof Error ? error.cause : error
  }
}
