import type { LookupAddress } from 'node:dns'
import { lookup } from 'node:dns/promises'
import { type IncomingMessage, request } from 'node:http'
import { BlockList, connect as connectPlain, isIP, isIPv4, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { promisify } from 'node:util'
import { brotliDecompress, gunzip, inflate } from 'node:zlib'
import type { OutsideFailure } from '#contract/outside-calendars.ts'
import type { CalendarView } from '#server/gateways/ics/entry-reader.ts'
import { plainAddress } from '#server/kernel/limits/network.ts'
import { httpsOf, OutsideError } from '#server/kernel/outside-address.ts'
import { OverCapError, readCapped } from '#server/kernel/wire/read-capped.ts'
import { type BusyTimes, CalendarError } from './ics/busy-times.ts'
import { readCalendar } from './ics/read-calendar.ts'

/** IPv4 ranges that are not public (IANA special-purpose registry), and metadata services. */
const NOT_PUBLIC_4 = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  // Also the metadata services of most clouds.
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.31.196.0', 24],
  ['192.52.193.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['192.175.48.0', 24],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
  // Azure's platform services.
  ['168.63.129.16', 32],
] as const

/** Non-public ranges within IPv6 global unicast: protocols, documentation, and embedded IPv4. */
const NOT_PUBLIC_6 = [
  // Teredo, ORCHID and other assignments of the IETF.
  ['2001::', 23],
  ['2001:db8::', 32],
  // 6to4: embeds an IPv4 address.
  ['2002::', 16],
  ['2620:4f:8000::', 48],
  ['3fff::', 20],
] as const

function listOf(ranges: readonly (readonly [string, number])[], family: 'ipv4' | 'ipv6') {
  const list = new BlockList()
  for (const [address, bits] of ranges) list.addSubnet(address, bits, family)
  return list
}

const closed4 = listOf(NOT_PUBLIC_4, 'ipv4')
const closed6 = listOf(NOT_PUBLIC_6, 'ipv6')
/** All of IPv6 that is routed: loopback, mapped, unique local, link-local and multicast lie outside. */
const global6 = listOf([['2000::', 3]], 'ipv6')

/** Whether an address is on the public internet; false if it is not an address. */
export function isPublicAddress(address: string): boolean {
  // A zone id (`%eth0`) only occurs with link-local addresses.
  if (isIP(address) === 0 || address.includes('%')) return false
  // Behind NAT64 every IPv4 host has an IPv6 address: what counts is the one it stands for.
  const plain = plainAddress(address)
  if (isIPv4(plain)) return !closed4.check(plain, 'ipv4')
  return global6.check(plain, 'ipv6') && !closed6.check(plain, 'ipv6')
}

/** Validators of the last response (RFC 9110, 13.1). */
export type Validators = { etag: string | null; lastModified: string | null }

export type OutsideAnswer =
  | { kind: 'unchanged' }
  | ({ kind: 'whole'; body: Buffer<ArrayBuffer> } & Validators)

/** Where to connect: exactly the address that was checked. */
export type Target = { address: string; port: number; host: string; isPlain: boolean }

type OutsideHttp = {
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

/** Some servers compress without being asked to. */
const decompressors = new Map([
  ['gzip', promisify(gunzip)],
  ['x-gzip', promisify(gunzip)],
  ['deflate', promisify(inflate)],
  ['br', promisify(brotliDecompress)],
])

/** The decompressed body. Both forms are capped; what was sent is read whole before it is decompressed. */
async function readBody(
  answer: IncomingMessage,
  signal: AbortSignal,
): Promise<Buffer<ArrayBuffer>> {
  const encoding = (answer.headers['content-encoding'] ?? 'identity').trim().toLowerCase()
  const decompress = decompressors.get(encoding)
  if (decompress === undefined && encoding !== 'identity') throw new OutsideError('no_calendar')
  const body = await readCapped(answer, { maxBytes: MAX_BYTES, signal })
  return decompress === undefined ? body : decompress(body, { maxOutputLength: MAX_BYTES })
}

/** Whether the body exceeds the cap, before or after decompression. */
function isOverCap(error: unknown): boolean {
  if (error instanceof OverCapError) return true
  return error instanceof RangeError && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE'
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
      const body = await readBody(answer, signal)
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
        if (isOverCap(error)) throw new OutsideError('too_large', error)
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

export type OutsideReading = { kind: 'unchanged' } | ({ kind: 'busy' } & BusyTimes & Validators)

/** Calendars at addresses that people give us. */
export type OutsideCalendarGateway = {
  /** Busy times of a calendar. Throws `OutsideError`. */
  read(address: string, known: Validators, view: CalendarView): Promise<OutsideReading>
}

/** Fetches calendars through the guarded HTTP client and parses them in a worker that can be terminated. */
export function makeOutsideCalendars(http: OutsideHttp): OutsideCalendarGateway {
  return {
    async read(address, known, view) {
      const answer = await http.get(address, known)
      if (answer.kind === 'unchanged') return answer
      const { body, etag, lastModified } = answer
      try {
        return { kind: 'busy', ...(await readCalendar(body, view)), etag, lastModified }
      } catch (error) {
        if (error instanceof CalendarError) throw new OutsideError(error.failure, error)
        throw error
      }
    },
  }
}
