import * as z from 'zod/mini'
import { IsoInstant } from './base/time.ts'

/** A one-time code as it is typed. */
export const CodeText = z.string({ error: 'code_invalid' }).check(
  // ASCII digits only: `\d` with the u flag would accept others.
  z.regex(/^[0-9]{6}$/, { error: 'code_invalid' }),
)

/** What a one-time code may be requested for, and what it is bound to, such as a hold. */
const CodePurpose = z.enum(['booking', 'erase'])
export const CODE_LENGTH = 6
export const CODE_TTL_MS = 10 * 60_000
export const MAX_CODE_ATTEMPTS = 5
export const CODE_RESEND_MS = 60_000
/** A verified code is good for this long and for one use. */
export const CODE_VERIFIED_MS = 30 * 60_000
const CodeObject = z._default(z.string().check(z.maxLength(64)), '')

export const SendCodeInput = z.strictObject({ purpose: CodePurpose, object: CodeObject })
export type SendCodeInput = z.infer<typeof SendCodeInput>
export const SendCodeResponse = z.object({
  /** Every character after the first two is an x. */
  email: z.string(),
  /** Earliest time at which another code is sent. */
  resendAt: IsoInstant,
})
export type SendCodeResponse = z.infer<typeof SendCodeResponse>
export const CheckCodeInput = z.strictObject({
  purpose: CodePurpose,
  object: CodeObject,
  otp: CodeText,
})
export type CheckCodeInput = z.infer<typeof CheckCodeInput>
/** The documented boolean. */
export const CheckCodeResponse = z.object({ status: z.boolean() })
export type CheckCodeResponse = z.infer<typeof CheckCodeResponse>
