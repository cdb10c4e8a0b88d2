import type { ProfessionalBody } from '#contract/base/people.ts'
import type { Mail } from '#server/gateways/mail.ts'
import type { MadeAccount, makeAccount } from '#tests/harness/accounts.ts'
import type { MadeProvider, makeProvider } from '#tests/harness/people.ts'
import type { NextCapture } from '#tests/harness/servers/fake-gateways.ts'
import type { decideCompany, setRegister } from '#tests/harness/verification.ts'
import type { VisitValues } from '#tests/harness/visits.ts'

/** A request on its way from the browser to Node: bodies are base64, so that bytes survive. */
export type WireRequest = {
  url: string
  method: string
  headers: [string, string][]
  body: string
}

/** The response on its way back. */
export type WireResponse = {
  status: number
  headers: [string, string][]
  body: string
}

/** Columns of a new provider that override the defaults. */
export type ProviderOverrides = NonNullable<Parameters<typeof makeProvider>[1]>

/** Columns of a new account that override the defaults. */
export type AccountOverrides = NonNullable<Parameters<typeof makeAccount>[1]>

/** A provider's time to book and pay for, as a stranger when no account is given. */
export type BookingOptions = { providerId: string; startsAt: string; account?: MadeAccount }

/** Visits to insert for a provider, at any time, past ones included. */
export type VisitsOptions = { provider: MadeProvider; visits: VisitValues[] }

/** The entries of a register's list. */
export type RegisterEntries = Parameters<typeof setRegister>[2]

/** The staff's decision on a company. */
export type CompanyDecision = Parameters<typeof decideCompany>[1]

/** What the fake vendors do next. */
export type VendorCommand = { pays: string } | { nextCapture: NextCapture } | { goesAway: true }

declare module 'vitest/browser' {
  interface BrowserCommands {
    openTestApp: (id: string) => Promise<void>
    forwardToTestApp: (id: string, request: WireRequest) => Promise<WireResponse>
    addProvider: (id: string, options: ProviderOverrides) => Promise<MadeProvider>
    addAccount: (id: string, options: AccountOverrides) => Promise<MadeAccount>
    setRegister: (id: string, body: ProfessionalBody, entries: RegisterEntries) => Promise<void>
    decideCompany: (id: string, verdict: CompanyDecision) => Promise<void>
    failRegisters: (id: string, words: string | null) => Promise<void>
    addCompany: (id: string) => Promise<MadeProvider>
    actAsColleague: (id: string, path: string, input: object) => Promise<void>
    addProof: (id: string, providerId: string) => Promise<void>
    addPlaces: (id: string) => Promise<void>
    expireCookie: (id: string, name: string) => Promise<void>
    readMails: (id: string) => Promise<Mail[]>
    bookVisit: (id: string, options: BookingOptions) => Promise<string>
    insertVisits: (id: string, options: VisitsOptions) => Promise<void>
    eraseAccount: (id: string, accountNo: number) => Promise<void>
    controlGateways: (id: string, options: VendorCommand) => Promise<void>
    advanceClock: (id: string, ms: number) => Promise<void>
    closeTestApp: (id: string) => Promise<void>
  }
}
