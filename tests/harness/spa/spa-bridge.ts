import { HttpResponse, http, passthrough } from 'msw'
import { setupWorker } from 'msw/browser'
import { test as base } from 'vitest'
import { commands } from 'vitest/browser'
import type { ProfessionalBody } from '#contract/base/people.ts'
import type { Mail } from '#server/gateways/mail.ts'
import type { MadeAccount } from '#tests/harness/accounts.ts'
import type { MadeProvider } from '#tests/harness/people.ts'
import type {
  AccountOverrides,
  BookingOptions,
  CompanyDecision,
  ProviderOverrides,
  RegisterEntries,
  VendorCommand,
  VisitsOptions,
  WireRequest,
} from './spa-wire.ts'

/** The product's public URL: the test app's own origin, so that its origin check passes. */
const ORIGIN = 'http://localhost:3000'

/** All paths served by the server and not by Vite. */
const SERVER_PATHS = [
  '/trpc/*',
  '/media/*',
  '/map/*',
  '/demo/*',
  '/api/*',
  '/captcha',
  '/upload/*',
  '/download/*',
]

// Statuses without a body: the Response constructor throws when it is given one.
const NULL_BODY_STATUSES = new Set([204, 205, 304])

let currentId: string | undefined
const pendingRequests = new Set<Promise<unknown>>()

async function toWire(request: Request): Promise<WireRequest> {
  const { pathname, search } = new URL(request.url)
  const headers = new Headers(request.headers)
  if (request.method !== 'GET' && request.method !== 'HEAD') headers.set('origin', ORIGIN)
  headers.set('sec-fetch-site', 'same-origin')
  return {
    url: `${ORIGIN}${pathname}${search}`,
    method: request.method,
    headers: [...headers],
    body: new Uint8Array(await request.arrayBuffer()).toBase64(),
  }
}

function setCookie(header: string): void {
  // As a browser does with the header.
  document.cookie = header
}

/** Clears the browser's state for the next test. */
function clearBrowserState(): void {
  for (const pair of document.cookie.split('; ')) {
    setCookie(`${pair.split('=')[0]}=; Max-Age=0; Path=/; Secure`)
  }
  localStorage.clear()
  sessionStorage.clear()
}

async function forwardRequest(id: string, request: Request): Promise<Response> {
  const wire = await commands.forwardToTestApp(id, await toWire(request))
  const body = NULL_BODY_STATUSES.has(wire.status) ? null : Uint8Array.fromBase64(wire.body)
  const headers = wire.headers.filter(([name]) => name !== 'set-cookie')
  for (const [name, value] of wire.headers) {
    // HttpOnly cookies are in the jar on the Node side, where no script of a page can read them either.
    if (name === 'set-cookie' && !value.includes('HttpOnly')) setCookie(value)
  }
  return new HttpResponse(body, { status: wire.status, headers })
}

async function handleRequest({ request }: { request: Request }): Promise<Response> {
  // Between two tests there is no backend: such a request comes from a page that is gone.
  if (currentId === undefined) return HttpResponse.error()
  const asking = forwardRequest(currentId, request)
  pendingRequests.add(asking)
  try {
    return await asking
  } finally {
    pendingRequests.delete(asking)
  }
}

/** Vitest's own modules come from this origin; a request to anywhere else is a defect. */
function rejectOutsideRequest({ request }: { request: Request }): Response {
  if (new URL(request.url).origin === location.origin) return passthrough()
  // oxlint-disable-next-line no-console -- fails the test: see fail-on-console.ts
  console.error(`A request to another host: ${request.method} ${request.url}`)
  return HttpResponse.error()
}

const worker = setupWorker(
  ...SERVER_PATHS.map((path) => http.all(path, handleRequest)),
  http.all('*', rejectOutsideRequest),
)

let started: Promise<unknown> | undefined

function startOnce(): Promise<unknown> {
  started ??= worker.start({ quiet: true })
  return started
}

/** The backend behind one browser test, as far as the test may access it. */
export type Backend = {
  /** Adds a provider who is listed and free; the given columns override the defaults. */
  addProvider(options?: ProviderOverrides): Promise<MadeProvider>
  /** Adds a patient with a confirmed address; the given columns override the defaults. */
  addAccount(options?: AccountOverrides): Promise<MadeAccount>
  /** Replaces the list of a register. */
  setRegister(body: ProfessionalBody, entries: RegisterEntries): Promise<void>
  /** Decides on the one company that was submitted, as staff do. */
  decideCompany(verdict: CompanyDecision): Promise<void>
  /**
   * Makes every lookup in the registers fail from now on, with this message; null means that they are down.
   */
  failRegisters(words: string | null): Promise<void>
  /** Adds a provider who has submitted a company with its document. */
  addCompany(): Promise<MadeProvider>
  /** Calls a procedure as another member of staff, without the pages. */
  actAsColleague(path: string, input: object): Promise<void>
  /** Adds an accepted proof that a provider is the person in the register. */
  addProof(providerId: string): Promise<void>
  /** Makes the postcode SE1 6ET known. */
  addPlaces(): Promise<void>
  /** Expires an HttpOnly cookie, such as `access_token`. */
  expireCookie(name: string): Promise<void>
  /** All emails sent so far, after delivering those still queued. */
  readMails(): Promise<Mail[]>
  /** Books and pays a time without the pages, as a stranger unless an account is given. */
  bookVisit(options: BookingOptions): Promise<string>
  /** Inserts visits of a provider at any time, past ones included. */
  insertVisits(options: VisitsOptions): Promise<void>
  /** Marks an account as erased, so that providers see it as such. */
  eraseAccount(accountNo: number): Promise<void>
  /** Sets what the vendors do next: take a card payment, respond to a capture, stop responding. */
  controlGateways(options: VendorCommand): Promise<void>
  /** Advances the backend's clock, in milliseconds. */
  advanceClock(ms: number): Promise<void>
}

function makeBackend(id: string): Backend {
  return {
    addProvider: (options = {}) => commands.addProvider(id, options),
    addAccount: (options = {}) => commands.addAccount(id, options),
    setRegister: (body, entries) => commands.setRegister(id, body, entries),
    decideCompany: (verdict) => commands.decideCompany(id, verdict),
    failRegisters: (words) => commands.failRegisters(id, words),
    addCompany: () => commands.addCompany(id),
    actAsColleague: (path, input) => commands.actAsColleague(id, path, input),
    addProof: (providerId) => commands.addProof(id, providerId),
    addPlaces: () => commands.addPlaces(id),
    expireCookie: (name) => commands.expireCookie(id, name),
    readMails: () => commands.readMails(id),
    bookVisit: (options) => commands.bookVisit(id, options),
    insertVisits: (options) => commands.insertVisits(id, options),
    eraseAccount: (accountNo) => commands.eraseAccount(id, accountNo),
    controlGateways: (options) => commands.controlGateways(id, options),
    advanceClock: (ms) => commands.advanceClock(id, ms),
  }
}

/**
 * Vitest's `test` with a backend behind it: every request to the server's paths reaches the real
 * router over a database of this test alone. The fixture `testApp` is always on.
 */
export const test = base.extend<{ testApp: Backend }>({
  testApp: [
    // Vitest reads the fixtures a function wants from its first parameter: this one wants none.
    // oxlint-disable-next-line no-empty-pattern
    async ({}, use) => {
      await startOnce()
      const id = crypto.randomUUID()
      await commands.openTestApp(id)
      currentId = id
      await use(makeBackend(id))
      currentId = undefined
      await Promise.allSettled(pendingRequests)
      await commands.closeTestApp(id)
      clearBrowserState()
    },
    { auto: true },
  ],
})
