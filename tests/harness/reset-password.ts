import { Browser } from './browser.ts'
import { lastMailTo, tokenIn } from './sent-emails.ts'
import type { TestApp } from './test-app.ts'

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
