import { type IncomingMessage, request as plainRequest, type RequestOptions } from 'node:http'

/** What another server is asked. Redirects are never followed: the answer of one is the answer. */
export type HttpCall = {
  method: 'GET' | 'POST'
  headers: Record<string, string>
  body?: string
  timeoutMs: number
  /** A longer answer is an error before it is all read. */
  mostBytes: number
}

export type HttpAnswer = {
  status: number
  header(name: string): string | null
  body: Buffer<ArrayBuffer>
}

/** Encrypted calls need all of TLS, which a demo never loads. */
async function requestFor(url: URL): Promise<typeof plainRequest> {
  if (url.protocol === 'https:') return (await import('node:https')).request
  if (url.protocol === 'http:') return plainRequest
  throw new Error(`${url.protocol} is no way to ask a server`)
}

async function readAnswer(
  message: IncomingMessage,
  mostBytes: number,
): Promise<Buffer<ArrayBuffer>> {
  const chunks: Buffer[] = []
  let total = 0
  for await (const chunk of message) {
    if (!(chunk instanceof Buffer)) throw new Error('an answer that is not bytes')
    total += chunk.byteLength
    // Leaving the loop closes the connection: nothing more is read.
    if (total > mostBytes) throw new Error(`the answer is larger than ${mostBytes} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/**
 * Asks another server over HTTP and reads its whole answer, whatever the status. Throws when there is
 * none in time or it is too long. In place of `fetch`, whose own HTTP client is some 18 MB of memory.
 */
export async function callHttp(address: string | URL, call: HttpCall): Promise<HttpAnswer> {
  const url = new URL(address)
  const request = await requestFor(url)
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  const options: RequestOptions = {
    method: call.method,
    headers: { 'user-agent': 'Apposite', accept: '*/*', ...call.headers },
    signal: AbortSignal.timeout(call.timeoutMs),
  }
  const asking = request(url, options, resolve)
  asking.on('error', reject)
  asking.end(call.body)
  const message = await promise
  return {
    status: message.statusCode ?? 0,
    header: (name) => message.headersDistinct[name]?.[0] ?? null,
    body: await readAnswer(message, call.mostBytes),
  }
}
