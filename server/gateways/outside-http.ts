import type { LookupAddress } from 'node:dns'
import { lookup } from 'node:dns/promises'
import { type IncomingMessage, request } from 'node:http'
import { connect as connectPlain, isIP, type Socket } from 'node:net'
import type { Readable } from 'node:stream'
import { connect as connectTls } from 'node:tls'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import type { OutsideFailure } from '#contract/outside-calendars.ts'
import { httpsOf, OutsideError } from '#server/kernel/outside-address.ts'
import { isPublicAddress } from './public-addresses.ts'

/** Validators of the last response (RFC 9110, 13.1). */
export type Validators = { etag: string | null; lastModified: string | null }

export type OutsideAnswer = { kind: 'unchanged' } | ({ kind: 'whole'; body: Buffer } & Validators)

/** Where to connect: exactly the address that was checked. */
export type Target = { address: string; port: number; host: string; isPlain: boolean }

export type OutsideHttp = {
  /** Fetches a URL that a user supplied. Throws `OutsideError`. */
  get(address: string, known: Validators): Promise<OutsideAnswer>
}

type Needs = {
  /** The site's own URL, which is never fetched. */
  publicUrl: string
  /** `host:port` of test servers, fetched over plain HTTP on loopback; empty outside tests. */
  testHosts: readonly string[]
  resolve?: (host: string) => Promise<readonly Pick<LookupAddress, 'address'>[]>
  dial?: (target: Target) => Socket
  timeoutMs?: number
}

/** Covers the whole response, including redirects. */
const TIMEOUT_MS = 10_000
const MAX_BYTES = 5 * 1_024 * 1_024
const MAX_REDIRECTS = 3
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])
/** The only port allowed. */
const HTTPS_PORT = '443'

type Guard = Required<Pick<Needs, 'publicUrl' | 'testHosts' | 'resolve'>>

/** Rejects every URL but HTTPS to a public address, and returns the address to connect to. */
async function resolveTarget(url: URL, { publicUrl, testHosts, resolve }: Guard): Promise<Target> {
  const { protocol, hostname, username, password } = url
  if (username !== '' || password !== '') throw new OutsideError('address')
  if (testHosts.includes(url.host)) {
    const port = Number(url.port || HTTPS_PORT)
    return { address: hostname, port, host: hostname, isPlain: protocol === 'http:' }
  }
  const port = url.port === '' ? HTTPS_PORT : url.port
  // IP literals are rejected: no calendar is published under one.
  const isNumber = isIP(hostname.replace(/^\[|\]$/g, '')) !== 0
  if (protocol !== 'https:' || port !== HTTPS_PORT || isNumber) throw new OutsideError('address')
  const host = hostname.replace(/\.$/, '')
  if (host === new URL(publicUrl).hostname) throw new OutsideError('own')
  const found = await resolve(host).catch((error: unknown) => {
    throw new OutsideError('unreachable', error)
  })
  const [first] = found
  if (first === undefined) throw new OutsideError('unreachable')
  // One non-public address rejects the whole host: no honest DNS record mixes them.
  if (!found.every(({ address }) => isPublicAddress(address))) throw new OutsideError('address')
  return { address: first.address, port: Number(HTTPS_PORT), host, isPlain: false }
}

function dialDirectly({ address, port, host, isPlain }: Target): Socket {
  if (isPlain) return connectPlain({ host: address, port })
  return connectTls({ host: address, port, servername: host, ALPNProtocols: ['http/1.1'] })
}

type CalendarRequest = { url: URL; target: Target; known: Validators; signal: AbortSignal }

function sendRequest(
  dial: (target: Target) => Socket,
  calendarRequest: CalendarRequest,
): Promise<IncomingMessage> {
  const { url, target, known, signal } = calendarRequest
  return new Promise((resolve, reject) => {
    const call = request({
      createConnection: () => dial(target),
      host: target.host,
      path: `${url.pathname}${url.search}`,
      method: 'GET',
      signal,
      headers: {
        host: url.host,
        accept: 'text/calendar, */*;q=0.1',
        'accept-encoding': 'identity',
        'user-agent': 'Apposite',
        connection: 'close',
        ...(known.etag !== null && { 'if-none-match': known.etag }),
        ...(known.lastModified !== null && { 'if-modified-since': known.lastModified }),
      },
    })
    call.on('response', resolve)
    call.on('error', reject)
    call.end()
  })
}

/** The decompressed body: some servers compress without being asked to. */
function decompress(answer: IncomingMessage): Readable {
  const encoding = (answer.headers['content-encoding'] ?? 'identity').trim().toLowerCase()
  const unpack = {
    identity: null,
    gzip: createGunzip,
    'x-gzip': createGunzip,
    deflate: createInflate,
    br: createBrotliDecompress,
  }[encoding]
  if (unpack === undefined) throw new OutsideError('no_calendar')
  if (unpack === null) return answer
  const stream = unpack()
  answer.on('error', (error) => stream.destroy(error))
  return answer.pipe(stream)
}

async function readCapped(answer: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  let total = 0
  for await (const chunk of decompress(answer)) {
    if (!Buffer.isBuffer(chunk)) continue
    total += chunk.length
    // Leaving the loop closes the connection.
    if (total > MAX_BYTES) throw new OutsideError('too_large')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

function failureOf(status: number): OutsideFailure | null {
  if (status === 200) return null
  if (status === 404 || status === 410) return 'gone'
  if (status === 401 || status === 403) return 'refused'
  return 'unreachable'
}

/** Validators are sent back unchanged; longer ones are dropped. */
const VALIDATOR_MAX = 500

function validator(value: string | undefined): string | null {
  return value !== undefined && value.length <= VALIDATOR_MAX ? value : null
}

/**
 * The only client for user-supplied URLs (SSRF protection): HTTPS on port 443, to a public address that is
 * resolved and checked here and then connected to directly, rechecked for each of at most three redirects;
 * ten seconds and 5 MB in all, without cookies or credentials.
 */
export function makeOutsideHttp(needs: Needs): OutsideHttp {
  const {
    resolve = (host: string) => lookup(host, { all: true, order: 'ipv4first' }),
    dial = dialDirectly,
    timeoutMs = TIMEOUT_MS,
    ...rest
  } = needs
  const guard: Guard = { ...rest, resolve }

  async function follow(first: URL, known: Validators, signal: AbortSignal) {
    let url = first
    for (let hops = 0; hops <= MAX_REDIRECTS; hops += 1) {
      const target = await withTimeout(resolveTarget(url, guard), signal)
      const answer = await sendRequest(dial, { url, target, known, signal })
      const status = answer.statusCode ?? 0
      const { location } = answer.headers
      if (!REDIRECTS.has(status) || location === undefined) return answer
      answer.destroy()
      if (!URL.canParse(location, url.href)) throw new OutsideError('address')
      url = httpsOf(new URL(location, url.href).href)
    }
    throw new OutsideError('redirects')
  }

  async function read(address: string, known: Validators, signal: AbortSignal) {
    const answer = await follow(httpsOf(address), known, signal)
    const status = answer.statusCode ?? 0
    try {
      if (status === 304 && (known.etag ?? known.lastModified) !== null) {
        return { kind: 'unchanged' } as const
      }
      const failure = failureOf(status)
      if (failure !== null) throw new OutsideError(failure)
      const body = await readCapped(answer)
      const { etag, 'last-modified': lastModified } = answer.headers
      return {
        kind: 'whole',
        body,
        etag: validator(etag),
        lastModified: validator(lastModified),
      } as const
    } finally {
      answer.destroy()
    }
  }

  return {
    async get(address, known) {
      const signal = AbortSignal.timeout(timeoutMs)
      try {
        return await read(address, known, signal)
      } catch (error) {
        if (signal.aborted) throw new OutsideError('slow', error)
        if (error instanceof OutsideError) throw error
        throw new OutsideError('unreachable', error)
      }
    },
  }
}

/** DNS resolution may hang for longer than the timeout. */
function withTimeout<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(new OutsideError('slow'))
    signal.addEventListener('abort', onAbort, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort))
  })
}
