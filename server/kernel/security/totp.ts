import { Secret, TOTP } from 'otpauth'
import { isSameSecret } from './secrets.ts'

const PERIOD_SECONDS = 30
/** Accepted clock drift, in steps in either direction. */
const DRIFT = 1

/** A new shared secret of 160 bits, in base32. */
export function newTotpSecret(): string {
  return new Secret({ size: 20 }).base32
}

function generator(secret: string, label: string): TOTP {
  return new TOTP({
    issuer: 'Apposite',
    label,
    secret: Secret.fromBase32(secret),
    period: PERIOD_SECONDS,
  })
}

/** The `otpauth://` address an authenticator app reads from a QR code. */
export function totpUri(secret: string, label: string): string {
  return generator(secret, label).toString()
}

/** The time step of an instant in milliseconds. */
export function totpStep(now: number): number {
  return Math.floor(now / 1_000 / PERIOD_SECONDS)
}

/** The code an app shows at an instant. */
export function totpCode(secret: string, now: number): string {
  return generator(secret, '').generate({ timestamp: now })
}

/**
 * The time step a code belongs to, or null when the code is wrong or its step is not after `lastStep`: a code
 * someone has seen must not work twice.
 */
export function acceptTotp(
  secret: string,
  code: string,
  at: { now: number; lastStep: number },
): number | null {
  let accepted: number | null = null
  for (let drift = -DRIFT; drift <= DRIFT; drift += 1) {
    const step = totpStep(at.now) + drift
    const expected = totpCode(secret, step * PERIOD_SECONDS * 1_000)
    if (isSameSecret(expected, code) && step > at.lastStep) accepted = step
  }
  return accepted
}
