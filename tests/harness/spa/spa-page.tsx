import '#app/ui/styles.css'
import { createMemoryHistory } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { expect } from 'vitest'
import { render } from 'vitest-browser-react'
import { reportCaught } from '#app/lib/errors.ts'
import { startSession } from '#app/lib/session.ts'
import { writeCookie } from '#app/lib/storage.ts'
import { App, makeRouter } from '#app/router.tsx'
import { Route } from '#app/routes/__root.tsx'
import { makeApiClient, makeQueryClient } from '#app/trpc.ts'
import type { SiteConfig } from '#contract/base/server-rendering.ts'

const DAY_SECONDS = 86_400

// The document is the test runner's.
Object.assign(Route.options, { shellComponent: undefined })

/** The password of every test account, as in tests/harness/accounts.ts. */
export const PASSWORD = 'seven green bottles'

type Visitor = {
  /** Has passed the demo entrance. */
  hasDemoAccess?: boolean
  /** Has answered the cookie banner. */
  hasCookieConsent?: boolean
  /** The installation, if it is not the one of development. */
  site?: SiteConfig
  /** Runs every effect twice, as React does in development. */
  isStrict?: boolean
}

/** Opens the whole SPA at an address, over the backend of the test; the returned router has its location. */
export async function openPage(address: string, visitor: Visitor = {}) {
  const { hasDemoAccess = true, hasCookieConsent = true, isStrict = false } = visitor
  if (hasDemoAccess) writeCookie('demo_access_token', 'x'.repeat(43), DAY_SECONDS)
  if (hasCookieConsent) writeCookie('consentID', crypto.randomUUID(), DAY_SECONDS)
  const queryClient = makeQueryClient()
  const router = makeRouter(queryClient, {
    history: createMemoryHistory({ initialEntries: [address] }),
  })
  if (visitor.site !== undefined) router.options.context.site = visitor.site
  const screen = await render(<App router={router} />, {
    createRootOptions: { onCaughtError: reportCaught },
    ...(isStrict && { wrapper: StrictMode }),
  })
  return { screen, router }
}

type SpaAccount = { email: string; kind: string }

/** Signs in as an account of the test as the SPA does, but without the sign-in page, which has tests of its own. */
export async function signIn({ email, kind }: SpaAccount): Promise<void> {
  const { auth } = makeApiClient()
  const credentials = { email, password: PASSWORD }
  const { me } = await (kind === 'staff'
    ? auth.signInStaff.mutate(credentials)
    : auth.signIn.mutate({ ...credentials, user_type: kind === 'provider' ? kind : 'patient' }))
  startSession(me)
}

/** Signs in and opens a page. */
export async function openSignedIn(account: SpaAccount, address: string, visitor: Visitor = {}) {
  await signIn(account)
  const opened = await openPage(address, visitor)
  await expect
    .poll(() => opened.router.state.location.pathname)
    .toBe(new URL(address, location.origin).pathname)
  return opened
}
