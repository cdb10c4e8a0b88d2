import * as z from 'zod/mini'
import { EnteredPassword } from './auth-passwords.ts'
import { IsoInstant } from './base/time.ts'

/** Six digits of the authenticator app, or a recovery code such as `k3x9q-7wd2m`. */
export const SecondFactor = z
  .string({ error: 'second_factor_wrong' })
  .check(
    z.trim(),
    z.toLowerCase(),
    z.regex(/^(?:[0-9]{6}|[0-9a-z]{5}-?[0-9a-z]{5})$/, { error: 'second_factor_wrong' }),
  )

/** The authenticator code where one is set up, the password otherwise. Good for five minutes. */
export const StepUpInput = z.strictObject({
  password: z.optional(EnteredPassword),
  second_factor: z.optional(SecondFactor),
})
export type StepUpInput = z.infer<typeof StepUpInput>
export const StepUpResponse = z.object({ stepped_up_until: IsoInstant })
export type StepUpResponse = z.infer<typeof StepUpResponse>
export const STEP_UP_MS = 5 * 60_000

/** A new secret, to be shown once as a QR code (`uri`) and as text to type (`secret`). */
export const SecondFactorSetup = z.object({ uri: z.string(), secret: z.string() })
export type SecondFactorSetup = z.infer<typeof SecondFactorSetup>
export const ConfirmSecondFactorInput = z.strictObject({
  code: z
    .string({ error: 'second_factor_wrong' })
    .check(z.trim(), z.regex(/^[0-9]{6}$/, { error: 'second_factor_wrong' })),
})
export type ConfirmSecondFactorInput = z.infer<typeof ConfirmSecondFactorInput>
/** Ten single-use codes that replace the app. Shown only once. */
export const RecoveryCodes = z.object({ recovery_codes: z.array(z.string()) })
export type RecoveryCodes = z.infer<typeof RecoveryCodes>
