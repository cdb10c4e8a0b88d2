import type { ErrorCode } from '#contract/base/errors.ts'
import type { Config } from '#server/kernel/config/config.ts'
import { mustHaveSecondFactor } from '#server/kernel/demo-mode.ts'

/**
 * What an account may have to do before its sessions may act, first step first, with the refusal of every other call
 * meanwhile. A session is at one step at a time and only that step refuses, so that no step can wait for a later one.
 * Rows of the access matrix name the steps that they are open `during`.
 */
export const setupSteps = {
  /** Staff replace the password that a colleague, or the server's operator, knows. */
  password: 'password_change_required',
  second_factor: 'second_factor_setup_required',
} as const satisfies Record<string, ErrorCode>

export type SetupStep = keyof typeof setupSteps

type SetupFacts = {
  kind: 'patient' | 'provider' | 'staff'
  /** 1 while the password is a first one. */
  must_change_password: number
  totp_confirmed_at: number | null
}

/** The next step that an account has to take; null when its sessions may act. */
export function nextSetupStep(config: Pick<Config, 'demo'>, account: SetupFacts): SetupStep | null {
  if (account.kind === 'staff' && account.must_change_password === 1) return 'password'
  const needsFactor = mustHaveSecondFactor(config, account.kind)
  return needsFactor && account.totp_confirmed_at === null ? 'second_factor' : null
}
