import type { TokenScope } from '#contract/access-tokens.ts'
import type { ErrorCode } from '#contract/base/errors.ts'
import { StaffRole } from '#contract/base/staff.ts'
import type { LimitName } from '#server/kernel/limits/rate-limit.ts'
import type { SetupStep } from '#server/kernel/security/setup-steps.ts'

/** Who may call: visitors, kinds of account, and the roles of staff. */
export type Principal = 'visitor' | 'patient' | 'provider' | StaffRole

export const allStaff: readonly Principal[] = StaffRole.options

export const allAccounts: readonly Principal[] = ['patient', 'provider', ...allStaff]

export const anyone: readonly Principal[] = ['visitor', ...allAccounts]

/** Who may make a call and under which conditions, of a procedure or of a route without one. */
export type Access = {
  may: readonly Principal[]
  /** Rate limit consumed in addition to the common one. */
  limit?: LimitName
  /** Rate limit consumed instead of the common one. */
  budget?: LimitName
  /** Error for signed-in callers without permission; `forbidden` when left out. */
  refusal?: ErrorCode
  /** Steps of the setup during which it is allowed, like everything visitors may do. */
  during?: readonly SetupStep[]
  /**
   * Needs a sign-in proof from the last five minutes; with `or code`, an emailed code also works, and the use
   * case checks it.
   */
  stepUp?: 'always' | 'or code'
  /**
   * What an access token needs to make the call, `any` if every token may. Without it no token may: no sign-in,
   * passwords, bank accounts, payments, staff writes, exports, erasure, or creation of calendar links (they
   * would outlive the token).
   */
  scope?: TokenScope | 'any'
}

/** What a procedure declares about itself with `.meta()`; the builders of `server/trpc.ts` say who may call. */
export type ProcedureMeta = Partial<Access> & {
  /** `Cache-Control` of the response; `no-store` when left out. */
  cache?: string
  /** The response may hold secrets or everything about a person: it is never stored for a repeated request. */
  isSecret?: true
  /** Polled by open pages, so it does not count as use of a session. */
  isPassive?: true
  /** Size limit of the request in bytes, where it is below the common one. */
  bodyLimit?: number
}

/** Whether visitors may make a call. */
export function isOpen({ may }: Pick<Access, 'may'>): boolean {
  return may.includes('visitor')
}
