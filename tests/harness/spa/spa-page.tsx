import '#app/ui/styles.css'
import { createMemoryHistory } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { expect } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { reportCaught } from '#app/lib/errors.ts'
import { writeCookie } from '#app/lib/storage.ts'
import { App, makeRouter } from '#app/router.tsx'
import { makeQueryClient } from '#app/trpc.ts'

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

/** Opens the sign-in page, signs in as an account of the test and arrives at `next`. */
export async function openSignedIn(
  account: { email: string; kind: string },
  next: string,
  visitor: Visitor = {},
) {
  const as = account.kind === 'provider' ? '&as=provider' : ''
  const opened = await openPage(`/sign-in?next=${encodeURIComponent(next)}${as}`, visitor)
  await page.getByRole('textbox', { name: 'Email' }).fill(account.email)
  await page.getByRole('textbox', { name: 'Password' }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect
    .poll(() => opened.router.state.location.pathname)
    .toBe(new URL(next, location.origin).pathname)
  return opened
}
