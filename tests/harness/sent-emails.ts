import type { Mail } from '#server/gateways/mail.ts'
import { Browser } from './browser.ts'
import type { TestApp } from './test-app.ts'

/** Delivers queued emails and returns the newest one to an address. */
export async function lastMailTo(testApp: TestApp, email: string): Promise<Mail> {
  await testApp.drainOutbox()
  const mail = testApp.mails.findLast(({ to }) => to === email)
  if (mail === undefined) throw new Error(`No mail to ${email}`)
  return mail
}

/** The token in the first link to a page, such as `verify`, in an email. */
export function tokenIn(mail: Mail, page: 'verify' | 'reset-password'): string {
  return new RegExp(`/${page}/([A-Za-z0-9_-]{43})\\b`).exec(mail.text)?.[1] ?? ''
}

/** The six-digit code in an email. */
export function codeIn(mail: Mail): string {
  return /^ {4}([0-9]{6})$/m.exec(mail.text)?.[1] ?? ''
}

/** Asks for a reset link as a patient. */
export function requestReset(testApp: TestApp, email: string) {
  return new Browser(testApp).act('auth.forgotPassword', { email, userType: 'patient' })
}

/** The token of a new reset link of a patient. */
export async function resetToken(testApp: TestApp, email: string): Promise<string> {
  await requestReset(testApp, email)
  return tokenIn(await lastMailTo(testApp, email), 'reset-password')
}

/** The password that `reset` sets. */
export const NEW_PASSWORD = 'a boat on the river'

/** Sets a new password through a reset link. */
export function reset(testApp: TestApp, token: string, password = NEW_PASSWORD, again = password) {
  return new Browser(testApp).act('auth.resetPassword', {
    token,
    new_password: password,
    confirm_password: again,
  })
}
