import '#app/ui/styles.css'
import { createMemoryHistory } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { expect } from 'vitest'
import { render } from 'vitest-browser-react'
import { reportCaught } from '#app/lib/errors.ts'
import { startSession } from '#app/lib/session.ts'
import { writeCookie } from '#app/lib/storage.ts'
import { App, makeRouter } from '#app/router.tsx'
import { makeApiClient, makeQueryClient } from '#app/trpc.ts'

const DAY_SECONDS = 86_400

/** The password of every test account, as in tests/harness/accounts.ts. */
export const PASSWORD = 'seven green bottles'

type Visitor = {
  /** Has passed the demo entrance. */
  hasDemoAccess?: boolean
  /** Has answered the cookie banner. */
  hasCookieConsent?: boolean
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
  const screen = await render(<App router={router} />, {
    createRootOptions: { onCaughtError: reportCaught },
    ...(isStrict && { wrapper: StrictMode }),
  })
  return { screen, router }
}

/**
 * Signs in as an account of the test and opens a page, as the SPA does. Without the sign-in page, which its own tests
 * look at.
 */
export async function openSignedIn(
  account: { email: string; kind: string },
  address: string,
  visitor: Visitor = {},
) {
  const { email, kind } = account
  const { auth } = makeApiClient()
  const credentials = { email, password: PASSWORD }
  const { me } = await (kind === 'staff'
    ? auth.signInStaff.mutate(credentials)
    : auth.signIn.mutate({ ...credentials, user_type: kind === 'provider' ? kind : 'patient' }))
  startSession(me)
  const opened = await openPage(address, visitor)
  await expect
    .poll(() => opened.router.state.location.pathname)
    .toBe(new URL(address, location.origin).pathname)
  return opened
}
