import { expect } from 'vitest'
import { page } from 'vitest/browser'
import { openPage, PASSWORD } from './spa-page.tsx'

/** Opens the sign-in page, signs in as an account of the test and arrives at `next`. */
export async function openSignedIn(account: { email: string; kind: string }, next: string) {
  const as = account.kind === 'provider' ? '&as=provider' : ''
  const opened = await openPage(`/sign-in?next=${encodeURIComponent(next)}${as}`)
  await page.getByRole('textbox', { name: 'Email' }).fill(account.email)
  await page.getByRole('textbox', { name: 'Password' }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect
    .poll(() => opened.router.state.location.pathname)
    .toBe(new URL(next, location.origin).pathname)
  return opened
}
