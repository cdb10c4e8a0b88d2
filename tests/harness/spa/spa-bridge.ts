import { HttpResponse, http, passthrough } from 'msw'
import { setupWorker } from 'msw/browser'
import { test as base } from 'vitest'
import { commands } from 'vitest/browser'
import type { ProfessionalBody } from '#contract/people.ts'
import type { Mail } from '#server/gateways/mail.ts'
import type { MadeAccount } from '#tests/harness/accounts.ts'
import type { MadeProvider } from '#tests/harness/people.ts'
import type {
  AccountWish,
  BookingWish,
  CompanyVerdict,
  ProviderWish,
  RegisterWish,
  VendorWish,
  VisitsWish,
  WireRequest,
} from './spa-wire.ts'

/** Where the product believes it is served: the test app's own origin, so that its origin check holds. */
const ORIGIN = 'http://localhost:3000'

/** Everything the server answers and Vite does not. */
const SERVED = [
  '/trpc/*',
  '/media/*',
  '/map/*',
  '/demo/*',
  '/api/*',
  '/captcha',
  '/upload/*',
  '/download/*',
]

// A status that may not carry a body makes the Response constructor throw when it is given one.
const BODILESS = new Set([204, 205, 304])

let current: string | undefined
const underWay = new Set<Promise<unknown>>()

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
  // oxlint-disable-next-line unicorn/no-document-cookie -- what a browser does with the header
  document.cookie = header
}

/** Leaves the browser as a new one for the next test. */
function forgetPerson(): void {
  for (const pair of document.cookie.split('; ')) {
    setCookie(`${pair.split('=')[0]}=; Max-Age=0; Path=/; Secure`)
  }
  localStorage.clear()
  sessionStorage.clear()
}

async function ask(id: string, request: Request): Promise<Response> {
  const wire = await commands.askTestApp(id, await toWire(request))
  const body = BODILESS.has(wire.status) ? null : Uint8Array.fromBase64(wire.body)
  const headers = wire.headers.filter(([name]) => name !== 'set-cookie')
  for (const [name, value] of wire.headers) {
    // The others are in the jar on the other side, where no script of a page can read them either.
    if (name === 'set-cookie' && !value.includes('HttpOnly')) setCookie(value)
  }
  return new HttpResponse(body, { status: wire.status, headers })
}

async function answer({ request }: { request: Request }): Promise<Response> {
  // Between two tests nobody answers: what still asks belongs to a page that is gone.
  if (current === undefined) return HttpResponse.error()
  const asking = ask(current, request)
  underWay.add(asking)
  try {
    return await asking
  } finally {
    underWay.delete(asking)
  }
}

/** Vitest's own modules come from this origin; a request to anywhere else is a defect. */
function refuseStrangers({ request }: { request: Request }): Response {
  if (new URL(request.url).origin === location.origin) return passthrough()
  // oxlint-disable-next-line no-console -- fails the test: see fail-on-console.ts
  console.error(`A request left for a stranger: ${request.method} ${request.url}`)
  return HttpResponse.error()
}

const worker = setupWorker(
  ...SERVED.map((path) => http.all(path, answer)),
  http.all('*', refuseStrangers),
)

let started: Promise<unknown> | undefined

function startOnce(): Promise<unknown> {
  started ??= worker.start({ quiet: true })
  return started
}

/** The backend behind one browser test, as far as the test itself may reach into it. */
export type Backend = {
  /** Adds a provider who is listed and free; columns can differ from the usual ones. */
  addProvider(wish?: ProviderWish): Promise<MadeProvider>
  /** Adds a patient with a confirmed address; columns can differ from the usual ones. */
  addAccount(wish?: AccountWish): Promise<MadeAccount>
  /** Puts a list in the place of the one a register has. */
  setRegister(body: ProfessionalBody, entries: RegisterWish): Promise<void>
  /** What staff decide about the one company that was sent. */
  decideCompany(verdict: CompanyVerdict): Promise<void>
  /** What the registers say in the place of an answer from now on; null is a register that is down. */
  hushRegisters(words: string | null): Promise<void>
  /** Adds a provider who has sent a company with its document. */
  addCompany(): Promise<MadeProvider>
  /** Calls a procedure as a colleague of the staff, without the pages. */
  actAsColleague(path: string, input: object): Promise<void>
  /** An accepted proof that a provider is who the register names. */
  addProof(providerId: string): Promise<void>
  /** Makes the postcode SE1 6ET known. */
  addPlaces(): Promise<void>
  /** Lets a cookie that no script can read run out, such as `access_token`. */
  loseCookie(name: string): Promise<void>
  /** Mails that have left, after everything owed was delivered. */
  readMails(): Promise<Mail[]>
  /** Books and pays a time without the pages, as a stranger unless an account is given. */
  bookVisit(wish: BookingWish): Promise<string>
  /** Writes visits into a provider's books, at any time at all. */
  writeVisits(wish: VisitsWish): Promise<void>
  /** Erases an account, as far as those it visited see. */
  forgetAccount(accountNo: number): Promise<void>
  /** What the vendors do next: take a card's money, answer a capture, stop answering. */
  steerVendors(wish: VendorWish): Promise<void>
  /** Lets the clock of the backend go on, in milliseconds. */
  passTime(ms: number): Promise<void>
}

function backend(id: string): Backend {
  return {
    addProvider: (wish = {}) => commands.addProvider(id, wish),
    addAccount: (wish = {}) => commands.addAccount(id, wish),
    setRegister: (body, entries) => commands.setRegister(id, body, entries),
    decideCompany: (verdict) => commands.decideCompany(id, verdict),
    hushRegisters: (words) => commands.hushRegisters(id, words),
    addCompany: () => commands.addCompany(id),
    actAsColleague: (path, input) => commands.actAsColleague(id, path, input),
    addProof: (providerId) => commands.addProof(id, providerId),
    addPlaces: () => commands.addPlaces(id),
    loseCookie: (name) => commands.loseCookie(id, name),
    readMails: () => commands.readMails(id),
    bookVisit: (wish) => commands.bookVisit(id, wish),
    writeVisits: (wish) => commands.writeVisits(id, wish),
    forgetAccount: (accountNo) => commands.forgetAccount(id, accountNo),
    steerVendors: (wish) => commands.steerVendors(id, wish),
    passTime: (ms) => commands.passTime(id, ms),
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
      current = id
      await use(backend(id))
      current = undefined
      await Promise.allSettled(underWay)
      await commands.closeTestApp(id)
      forgetPerson()
    },
    { auto: true },
  ],
})
