import * as z from 'zod/mini'
import { ProviderId } from './ids.ts'
import { VerificationStatus } from './professions.ts'
import { IsoInstant } from './time.ts'
import { RegisterCheck, VerificationState } from './verification.ts'

// Apart from the rest of the room: only staff decide, and providers would carry it to their pages.

/** What the specification has logged when a decision is kept; the screen says it too. */
export const STATUS_UPDATED = 'Verification status updated successfully'

const REASON = 'Give the reason: the provider reads it.'

/** What the provider is told, and what is kept: some lines of plain text. */
export const Reason = z.string({ error: REASON }).check(
  z.trim(),
  z.minLength(1, { error: REASON, abort: true }),
  z.maxLength(500, { error: 'Use 500 characters or fewer.' }),
  z.overwrite((text: string) => text.replaceAll(/\r\n?/g, '\n')),
  z.regex(/^(?:[^\p{Cc}\p{Cf}\p{Co}\p{DI}]|\n)*$/u, {
    error: 'Use plain letters, digits and signs.',
  }),
)

/** How the verification of a provider stands after staff have decided. */
export const DecidedVerification = z.object({
  providerId: ProviderId,
  verification_status: VerificationStatus,
  state: VerificationState,
  /** Staff's words with `refused`. */
  reason: z.nullable(z.string()),
  verifiedAt: z.nullable(IsoInstant),
  /** The newest comparison. */
  check: z.nullable(RegisterCheck),
})
export type DecidedVerification = z.infer<typeof DecidedVerification>
