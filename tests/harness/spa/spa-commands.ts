import { join } from 'node:path'
import { defineBrowserCommand } from '@vitest/browser-playwright'
import type { ProfessionalBody } from '#contract/people.ts'
import type { Mail } from '#server/gateways/mail.ts'
import type { MadeAccount, makeAccount } from '#tests/harness/accounts.ts'
import type { writeBooked } from '#tests/harness/booked.ts'
import type { makePatient, signedInAs } from '#tests/harness/patients.ts'
import type { MadeProvider, makeProvider } from '#tests/harness/people.ts'
import type { addPlaces as addPlacesTo } from '#tests/harness/places.ts'
import type { addProof as addAccepted } from '#tests/harness/proofs.ts'
import type {
  decideCompany as decide,
  hushRegisters as hush,
  setRegister as setList,
} from '#tests/harness/registers.ts'
import type { FakeGateways, makeFakeGateways } from '#tests/harness/servers/fake-gateways.ts'
import type { makeTestApp, TestApp } from '#tests/harness/test-app.ts'
import type { actAsColleague as act, withCompany } from '#tests/harness/verifiers.ts'
import type { bookVisit as book } from '#tests/harness/visits.ts'
import type { Browser } from './browser.ts'
import type {
  AccountWish,
  BookingWish,
  CompanyVerdict,
  ProviderWish,
  RegisterWish,
  VendorWish,
  VisitsWish,
  WireRequest,
  WireResponse,
} from './spa-wire.ts'

type Registers = {
  setRegister: typeof setList
  decideCompany: typeof decide
  hushRegisters: typeof hush
}
type Verifiers = { withCompany: typeof withCompany; actAsColleague: typeof act }

/** The cookie jar holds what scripts of a page may not read, so it is kept in Node. */
type Opened = { testApp: TestApp; browser: Browser; vendors: FakeGateways }

const opened = new Map<string, Opened>()

function openedAs(id: string): Opened {
  const found = opened.get(id)
  if (found === undefined) throw new Error(`No testApp is open under ${id}`)
  return found
}

function worldOf(id: string): TestApp {
  return openedAs(id).testApp
}

/** A path and not a specifier, so that Vite does not pack the whole server into its configuration. */
function harness(name: string): Promise<unknown> {
  return import(join(import.meta.dirname, name))
}

/** Builds a backend of its own for one browser test: in-memory database, frozen clock. */
const openTestApp = defineBrowserCommand(async (_context, id: string): Promise<void> => {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what a path exports is not known
  const parts = (await harness('../test-app.ts')) as { makeTestApp: typeof makeTestApp }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what a path exports is not known
  const { Browser: Visitor } = (await harness('browser.ts')) as { Browser: typeof Browser }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what a path exports is not known
  const { makeFakeGateways: makeVendors } = (await harness('../servers/fake-gateways.ts')) as {
    makeFakeGateways: typeof makeFakeGateways
  }
  const vendors = makeVendors()
  const testApp = await parts.makeTestApp({ gateways: vendors })
  opened.set(id, { testApp, vendors, browser: new Visitor(testApp) })
})

/** Forwards one browser request to the real Hono app and returns the response. */
const askTestApp = defineBrowserCommand(
  async (_context, id: string, wire: WireRequest): Promise<WireResponse> => {
    const { pathname, search } = new URL(wire.url)
    const answer = await openedAs(id).browser.fetch(pathname + search, {
      method: wire.method,
      headers: wire.headers,
      body: wire.body === '' ? null : Uint8Array.fromBase64(wire.body),
    })
    const body = new Uint8Array(await answer.arrayBuffer()).toBase64()
    // HTTP servers add this header; its time is the test app's clock.
    const date = new Date(worldOf(id).services.now()).toUTCString()
    return { status: answer.status, headers: [...answer.headers, ['date', date]], body }
  },
)

/** Adds a provider to one test's backend, as `makeProvider` of people.ts does. */
const addProvider = defineBrowserCommand(
  async (_context, id: string, wish: ProviderWish): Promise<MadeProvider> => {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what a path exports is not known
    const parts = (await harness('../people.ts')) as { makeProvider: typeof makeProvider }
    return parts.makeProvider(worldOf(id), wish)
  },
)

/** Adds an account to one test's backend, as `makeAccount` of accounts.ts does. */
const addAccount = defineBrowserCommand(
  async (_context, id: string, wish: AccountWish): Promise<MadeAccount> => {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what a path exports is not known
    const parts = (await harness('../accounts.ts')) as { makeAccount: typeof makeAccount }
    return parts.makeAccount(worldOf(id), wish)
  },
)

function registers(): Promise<Registers> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what a path exports is not known
  return harness('../registers.ts') as Promise<Registers>
}

/** Replaces the list of a register in one test's backend. */
const setRegister = defineBrowserCommand(
  async (_context, id: string, body: ProfessionalBody, entries: RegisterWish): Promise<void> => {
    await (await registers()).setRegister(worldOf(id), body, entries)
  },
)

/** Decides on the one company that was submitted, as staff do. */
const decideCompany = defineBrowserCommand(
  async (_context, id: string, verdict: CompanyVerdict): Promise<void> => {
    await (await registers()).decideCompany(worldOf(id), verdict)
  },
)

/** Makes every lookup in the registers of one test's backend fail. */
const hushRegisters = defineBrowserCommand(
  async (_context, id: string, words: string | null): Promise<void> => {
    const { hushRegisters: hushAll } = await registers()
    hushAll(worldOf(id), words)
  },
)

function verifiers(): Promise<Verifiers> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what a path exports is not known
  return harness('../verifiers.ts') as Promise<Verifiers>
}

/** Adds a provider who has submitted a company to one test's backend. */
const addCompany = defineBrowserCommand(async (_context, id: string): Promise<MadeProvider> => {
  return (await (await verifiers()).withCompany(worldOf(id))).provider
})

/** Calls a procedure of one test's backend as another member of staff. */
const actAsColleague = defineBrowserCommand(
  async (_context, id: string, path: string, input: object): Promise<void> => {
    await (await verifiers()).actAsColleague(worldOf(id), path, input)
  },
)

/** Adds an accepted proof that a provider is the person in the register. */
const addProof = defineBrowserCommand(
  async (_context, id: string, providerId: string): Promise<void> => {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what a path exports is not known
    const parts = (await harness('../proofs.ts')) as { addProof: typeof addAccepted }
    await parts.addProof(worldOf(id), providerId)
  },
)

/** Makes the postcode SE1 6ET known to one test's backend. */
const addPlaces = defineBrowserCommand(async (_context, id: string): Promise<void> => {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what a path exports is not known
  const parts = (await harness('../places.ts')) as { addPlaces: typeof addPlacesTo }
  await parts.addPlaces(worldOf(id))
})

/** Expires a cookie of the browser. */
const loseCookie = defineBrowserCommand((_context, id: string, name: string): void => {
  openedAs(id).browser.jar.delete(name)
})

/** Delivers queued emails and returns all that were sent so far. */
const readMails = defineBrowserCommand(async (_context, id: string): Promise<Mail[]> => {
  const testApp = worldOf(id)
  await testApp.drainOutbox()
  return testApp.mails
})

/** Books and pays a time without the pages; returns the id of the visit. */
const bookVisit = defineBrowserCommand(
  async (_context, id: string, wish: BookingWish): Promise<string> => {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what a path exports is not known
    const patients = (await harness('../patients.ts')) as {
      makePatient: typeof makePatient
      signedInAs: typeof signedInAs
    }
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what a path exports is not known
    const visits = (await harness('../visits.ts')) as { bookVisit: typeof book }
    const testApp = worldOf(id)
    const { account, ...slot } = wish
    const patient =
      account === undefined
        ? (await patients.makePatient(testApp)).ctx
        : patients.signedInAs(testApp.services, account)
    return visits.bookVisit(patient, slot)
  },
)

/** Inserts visits of a provider, past ones too. */
const writeVisits = defineBrowserCommand(
  async (_context, id: string, { provider, visits }: VisitsWish): Promise<void> => {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what a path exports is not known
    const parts = (await harness('../booked.ts')) as { writeBooked: typeof writeBooked }
    for (const visit of visits) await parts.writeBooked(worldOf(id), provider, visit)
  },
)

/** Marks an account as erased, so that providers see it as such. */
const forgetAccount = defineBrowserCommand(
  async (_context, id: string, accountNo: number): Promise<void> => {
    const { database, services } = worldOf(id)
    await database.db
      .updateTable('accounts')
      .set({ erased_at: services.now() })
      .where('no', '=', accountNo)
      .execute()
  },
)

/** Sets what the fake vendors do next. */
const steerVendors = defineBrowserCommand((_context, id: string, wish: VendorWish): void => {
  const { vendors } = openedAs(id)
  if ('pays' in wish) vendors.pay(wish.pays)
  else if ('nextCapture' in wish) vendors.nextCapture = wish.nextCapture
  else vendors.goAway()
})

/** Advances the test app's clock. */
const passTime = defineBrowserCommand((_context, id: string, ms: number): void => {
  worldOf(id).advance(ms)
})

/** Ends the backend of one test. */
const closeTestApp = defineBrowserCommand(async (_context, id: string): Promise<void> => {
  const testApp = opened.get(id)?.testApp
  opened.delete(id)
  await testApp?.[Symbol.asyncDispose]()
})

/** The commands that browser tests can run in Node; registered in `vitest.config.ts`. */
export const spaCommands = {
  openTestApp,
  askTestApp,
  addProvider,
  addAccount,
  addPlaces,
  setRegister,
  hushRegisters,
  addCompany,
  actAsColleague,
  addProof,
  decideCompany,
  loseCookie,
  readMails,
  bookVisit,
  writeVisits,
  forgetAccount,
  steerVendors,
  passTime,
  closeTestApp,
}
