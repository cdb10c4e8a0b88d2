import type { Mail } from '#server/gateways/mail.ts'
import type { MadeAccount, makeAccount } from '#tests/harness/accounts.ts'
import type { MadeProvider, makeProvider } from '#tests/harness/people.ts'

/** A request on its way from the browser to Node: bodies are base64, so that bytes survive. */
export type WireRequest = {
  url: string
  method: string
  headers: [string, string][]
  body: string
}

/** The answer on its way back. */
export type WireResponse = {
  status: number
  headers: [string, string][]
  body: string
}

/** Columns of a provider to make that differ from the usual one. */
export type ProviderWish = NonNullable<Parameters<typeof makeProvider>[1]>

/** Columns of an account to make that differ from the usual one. */
export type AccountWish = NonNullable<Parameters<typeof makeAccount>[1]>

declare module 'vitest/browser' {
  interface BrowserCommands {
    openWorld: (id: string) => Promise<void>
    askWorld: (id: string, request: WireRequest) => Promise<WireResponse>
    addProvider: (id: string, wish: ProviderWish) => Promise<MadeProvider>
    addAccount: (id: string, wish: AccountWish) => Promise<MadeAccount>
    addGround: (id: string) => Promise<void>
    loseCookie: (id: string, name: string) => Promise<void>
    readMails: (id: string) => Promise<Mail[]>
    closeWorld: (id: string) => Promise<void>
  }
}
