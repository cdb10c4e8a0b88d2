import * as z from 'zod/mini'
import { CodeText } from './auth.ts'
import { DocumentId, ProofId, ProviderId } from './ids.ts'
import { Email } from './people.ts'
import { requiredLine } from './profiles.ts'
import { IsoInstant } from './time.ts'

/**
 * Evidence that the account's owner is the person the register names: a document staff have looked at, or a
 * code sent to an address that the register or the practice publishes.
 */
export const ProofKind = z.enum(['document', 'code'])
export type ProofKind = z.infer<typeof ProofKind>

/** `replaced` by a newer one of its kind. */
export const ProofState = z.enum(['waiting', 'accepted', 'refused', 'replaced'])
export type ProofState = z.infer<typeof ProofState>

/** State of the signed-in provider's proof, for the number they claim now. */
export const OwnProof = z.object({
  /** When it was accepted; null while there is none. */
  acceptedAt: z.nullable(IsoInstant),
  /** The newest document they sent, while it waits or was refused. */
  document: z.nullable(
    z.object({
      state: z.enum(['waiting', 'refused']),
      sentAt: IsoInstant,
      /** Staff's reason, with `refused`. */
      reason: z.nullable(z.string()),
    }),
  ),
  /** A published address to which a code can be sent. */
  code: z.nullable(
    z.object({
      email: z.string(),
      source: z.string(),
      /** A code was sent there that can still be entered. */
      isSent: z.boolean(),
      /** When another one may be sent; null means now. */
      resendAt: z.nullable(IsoInstant),
    }),
  ),
})
export type OwnProof = z.infer<typeof OwnProof>

/** A proof as staff see it. */
export const StaffProof = z.object({
  id: ProofId,
  kind: ProofKind,
  state: ProofState,
  at: IsoInstant,
  /** Staff member who entered the address; null with a document. */
  by: z.nullable(z.string()),
  /** Only with a code. */
  email: z.nullable(z.string()),
  source: z.nullable(z.string()),
  /** Only with a document. */
  documentId: z.nullable(DocumentId),
  document: z.nullable(z.object({ kind: z.enum(['pdf', 'image']), bytes: z.int() })),
  decidedAt: z.nullable(IsoInstant),
  /** Staff member who decided; null where the provider entered the code, or nobody has decided. */
  decidedBy: z.nullable(z.string()),
  reason: z.nullable(z.string()),
  /** It is about the registration number that is claimed now. */
  isOfNow: z.boolean(),
})
export type StaffProof = z.infer<typeof StaffProof>

/** Input of `verification.enterProofCode`. */
export const EnterProofCodeInput = z.strictObject({ otp: CodeText })
export type EnterProofCodeInput = z.infer<typeof EnterProofCodeInput>

/** Input of `verification.offerProofCode`: an address published elsewhere, and by whom. */
export const OfferProofCodeInput = z.strictObject({
  providerId: ProviderId,
  email: Email,
  source: requiredLine('Say where this address is published.', 200),
})
export type OfferProofCodeInput = z.infer<typeof OfferProofCodeInput>

export const DecideProofResponse = z.object({ state: ProofState, reason: z.nullable(z.string()) })
export type DecideProofResponse = z.infer<typeof DecideProofResponse>
