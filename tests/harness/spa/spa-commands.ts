import { join } from 'node:path'
import { defineBrowserCommand } from '@vitest/browser-playwright'
import type { ProfessionalBody } from '#contract/base/people.ts'
import type { Mail } from '#server/gateways/mail.ts'
import type { MadeAccount, makeAccount, makePatient, signedInAs } from '#tests/harness/accounts.ts'
import type { Browser } from '#tests/harness/browser.ts'
import type { addPlaces as addPlacesTo, MadeProvider, makeProvider } from '#tests/harness/people.ts'
import type { FakeGateways, makeFakeGateways } from '#tests/harness/servers/fake-gateways.ts'
import type { makeTestApp, TestApp } from '#tests/harness/test-app.ts'
import type {
  actAsColleague as act,
  addProof as addAccepted,
  decideCompany as decide,
  failRegisters as hush,
  makeProviderWithCompany,
  setRegister as setList,
} from '#tests/harness/verification.ts'
import type { bookVisit as book, insertVisit } from '#tests/harness/visits.ts'
import type {
  AccountOverrides,
  BookingOptions,
  CompanyDecision,
  ProviderOverrides,
  RegisterEntries,
  VendorCommand,
  VisitsOptions,
  WireRequest,
  WireResponse,
} from './spa-wire.ts'

type Registers = {
  setRegister: typeof setList
  decideCompany: typeof decide
  failRegisters: typeof hush
}
type Verifiers = {
  makeProviderWithCompany: typeof makeProviderWithCompany
  actAsColleague: typeof act
}

/** The cookie jar holds what scripts of a page may not read, so it is kept in Node. */
type OpenBackend = { testApp: TestApp; browser: Browser; vendors: FakeGateways }

const openBackends = new Map<string, OpenBackend>()

function findOpenBackend(id: string): OpenBackend {
  const found = openBackends.get(id)
  if (found === undefined) throw new Error(`No testApp is open under ${id}`)
  return found
}

function testAppOf(id: string): TestApp {
  return findOpenBackend(id).testApp
}

/** A path and not a specifier, so that Vite does not pack the whole server into its configuration. */
function importHarness(name: string): Promise<unknown> {
  return import(join(import.meta.dirname, name))
}

/** Builds a backend of its own for one browser test: in-memory database, frozen clock. */
const openTestApp = defineBrowserCommand(async (_context, id: string): Promise<void> => {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what a path exports is not known
  const parts = (await importHarness('../test-app.ts')) as { makeTestApp: typeof makeTestApp }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what a path exports is not known
  const { Browser: BrowserClass } = (await importHarness('../browser.ts')) as {
    Browser: typeof Browser
  }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what a path exports is not known
  const { makeFakeGateways: makeVendors } = (await importHarness(
    '../servers/fake-gateways.ts',
  )) as {
    makeFakeGateways: typeof makeFakeGateways
  }
  const vendors = makeVendors()
  const testApp = await parts.makeTestApp({ gateways: vendors })
  openBackends.set(id, { testApp, vendors, browser: new BrowserClass(testApp) })
})

/** Forwards one browser request to the real Hono app and returns the response. */
const forwardToTestApp = defineBrowserCommand(
  async (_context, id: string, wire: WireRequest): Promise<WireResponse> => {
    const { pathname, search } = new URL(wire.url)
    const response = await findOpenBackend(id).browser.fetch(pathname + search, {
      method: wire.method,
      headers: wire.headers,
      body: wire.body === '' ? null : Uint8Array.fromBase64(wire.body),
    })
    const body = new Uint8Array(await response.arrayBuffer()).toBase64()
    // HTTP servers add this header; its time is the test app's clock.
    const date = new Date(testAppOf(id).services.now()).toUTCString()
    return { status: response.status, headers: [...response.headers, ['date', date]], body }
  },
)

/** Adds a provider to one test's backend, as `makeProvider` of people.ts does. */
const addProvider = defineBrowserCommand(
  async (_context, id: string, overrides: ProviderOverrides): Promise<MadeProvider> => {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what a path exports is not known
    const parts = (await importHarness('../people.ts')) as { makeProvider: typeof makeProvider }
    return parts.makeProvider(testAppOf(id), overrides)
  },
)

/** Adds an account to one test's backend, as `makeAccount` of accounts.ts does. */
const addAccount = defineBrowserCommand(
  async (_context, id: string, overrides: AccountOverrides): Promise<MadeAccount> => {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what a path exports is not known
    const parts = (await importHarness('../accounts.ts')) as { makeAccount: typeof makeAccount }
    return parts.makeAccount(testAppOf(id), overrides)
  },
)

function importRegisters(): Promise<Registers> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what a path exports is not known
  return importHarness('../verification.ts') as Promise<Registers>
}

/** Replaces the list of a register in one test's backend. */
const setRegister = defineBrowserCommand(
  async (_context, id: string, body: ProfessionalBody, entries: RegisterEntries): Promise<void> => {
    await (await importRegisters()).setRegister(testAppOf(id), body, entries)
  },
)

/** Decides on the one company that was submitted, as staff do. */
const decideCompany = defineBrowserCommand(
  async (_context, id: string, verdict: CompanyDecision): Promise<void> => {
    await (await importRegisters()).decideCompany(testAppOf(id), verdict)
  },
)

/** Makes every lookup in the registers of one test's backend fail. */
const failRegisters = defineBrowserCommand(
  async (_context, id: string, words: string | null): Promise<void> => {
    const { failRegisters: hushAll } = await importRegisters()
    hushAll(testAppOf(id), words)
  },
)

function importVerifiers(): Promise<Verifiers> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what a path exports is not known
  return importHarness('../verification.ts') as Promise<Verifiers>
}

/** Adds a provider who has submitted a company to one test's backend. */
const addCompany = defineBrowserCommand(async (_context, id: string): Promise<MadeProvider> => {
  return (await (await importVerifiers()).makeProviderWithCompany(testAppOf(id))).provider
})

/** Calls a procedure of one test's backend as another member of staff. */
const actAsColleague = defineBrowserCommand(
  async (_context, id: string, path: string, input: object): Promise<void> => {
    await (await importVerifiers()).actAsColleague(testAppOf(id), path, input)
  },
)

/** Adds an accepted proof that a provider is the person in the register. */
const addProof = defineBrowserCommand(
  async (_context, id: string, providerId: string): Promise<void> => {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what a path exports is not known
    const parts = (await importHarness('../verification.ts')) as { addProof: typeof addAccepted }
    await parts.addProof(testAppOf(id), providerId)
  },
)

/** Makes the postcode SE1 6ET known to one test's backend. */
const addPlaces = defineBrowserCommand(async (_context, id: string): Promise<void> => {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what a path exports is not known
  const parts = (await importHarness('../people.ts')) as { addPlaces: typeof addPlacesTo }
  await parts.addPlaces(testAppOf(id))
})

/** Expires a cookie of the browser. */
const expireCookie = defineBrowserCommand((_context, id: string, name: string): void => {
  findOpenBackend(id).browser.jar.delete(name)
})

/** Delivers queued emails and returns all that were sent so far. */
const readMails = defineBrowserCommand(async (_context, id: string): Promise<Mail[]> => {
  const testApp = testAppOf(id)
  await testApp.drainOutbox()
  return testApp.mails
})

/** Books and pays a time without the pages; returns the id of the visit. */
const bookVisit = defineBrowserCommand(
  async (_context, id: string, options: BookingOptions): Promise<string> => {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what a path exports is not known
    const patients = (await importHarness('../accounts.ts')) as {
      makePatient: typeof makePatient
      signedInAs: typeof signedInAs
    }
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what a path exports is not known
    const visits = (await importHarness('../visits.ts')) as { bookVisit: typeof book }
    const testApp = testAppOf(id)
    const { account, ...slot } = options
    const patient =
      account === undefined
        ? (await patients.makePatient(testApp)).ctx
        : patients.signedInAs(testApp.services, account)
    return visits.bookVisit(patient, slot)
  },
)

/** Inserts visits of a provider, past ones too. */
const insertVisits = defineBrowserCommand(
  async (_context, id: string, { provider, visits }: VisitsOptions): Promise<void> => {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what a path exports is not known
    const parts = (await importHarness('../visits.ts')) as { insertVisit: typeof insertVisit }
    for (const visit of visits) await parts.insertVisit(testAppOf(id), provider, visit)
  },
)

/** Marks an account as erased, so that providers see it as such. */
const eraseAccount = defineBrowserCommand(
  async (_context, id: string, accountNo: number): Promise<void> => {
    const { database, services } = testAppOf(id)
    await database.db
      .updateTable('accounts')
      .set({ erased_at: services.now() })
      .where('no', '=', accountNo)
      .execute()
  },
)

/** Sets what the fake vendors do next. */
const controlGateways = defineBrowserCommand(
  (_context, id: string, command: VendorCommand): void => {
    const { vendors } = findOpenBackend(id)
    if ('pays' in command) vendors.pay(command.pays)
    else if ('nextCapture' in command) vendors.nextCapture = command.nextCapture
    else vendors.goAway()
  },
)

/** Advances the test app's clock. */
const advanceClock = defineBrowserCommand((_context, id: string, ms: number): void => {
  testAppOf(id).advance(ms)
})

/** Ends the backend of one test. */
const closeTestApp = defineBrowserCommand(async (_context, id: string): Promise<void> => {
  const testApp = openBackends.get(id)?.testApp
  openBackends.delete(id)
  await testApp?.[Symbol.asyncDispose]()
})

/** The commands that browser tests can run in Node; registered in `vitest.config.ts`. */
export const spaCommands = {
  openTestApp,
  forwardToTestApp,
  addProvider,
  addAccount,
  addPlaces,
  setRegister,
  failRegisters,
  addCompany,
  actAsColleague,
  addProof,
  decideCompany,
  expireCookie,
  readMails,
  bookVisit,
  insertVisits,
  eraseAccount,
  controlGateways,
  advanceClock,
  closeTestApp,
}
