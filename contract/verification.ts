import * as z from 'zod/mini'
import { CodeText } from './auth-codes.ts'
import { Email } from './base/emails.ts'
import { PICTURE_TYPES } from './base/file-types.ts'
import { CheckId, CompanyClaimId, DocumentId, ProofId, ProviderId } from './base/ids.ts'
import { ProfessionalBody, VerificationStatus } from './base/people.ts'
import { Region } from './base/region.ts'
import { requiredLine } from './base/required-line.ts'
import { IsoInstant } from './base/time.ts'
import { companyLife, proofLife, verificationLife } from './life-cycles/verification.ts'

/**
 * Evidence that the account's owner is the person the register names: a document staff have looked at, or a
 * code sent to an address that the register or the practice publishes.
 */
export const ProofKind = z.enum(['document', 'code'])
export type ProofKind = z.infer<typeof ProofKind>

/** `replaced` by a newer one of its kind. */
export const ProofState = z.enum(proofLife.states)
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

/** How often a provider may look up their own number in the register, per day. */
export const LOOK_UPS_PER_DAY = 5

/** A made-up person whom the demo's registers know, so that people who try the demo can register. */
export const DEMO_REGISTRANT = {
  first_name: 'Alex',
  last_name: 'Morgan',
  numbers: { GMC: '9999999', GDC: '999999', NPI: '2999999990' },
} as const

/**
 * A register's own wording, reduced to a status. Only `good` may practise without further questions: GMC
 * registered with a licence to practise, GDC registered, NPI active.
 */
export const RegistrationStatus = z.enum([
  'good',
  'conditions',
  'provisional',
  'no_licence',
  'suspended',
  'struck_off',
  'not_registered',
  'deactivated',
  'unknown',
])
export type RegistrationStatus = z.infer<typeof RegistrationStatus>

/** Result of a comparison; `match` is necessary for Verified, but not sufficient. */
export const CheckOutcome = z.enum(['match', 'differs', 'not_in_standing', 'not_found'])
export type CheckOutcome = z.infer<typeof CheckOutcome>

/** What differs from the claim, or from what is required. */
export const Difference = z.enum(['number', 'name', 'standing'])
export type Difference = z.infer<typeof Difference>

/** Why a provider lost Verified. */
export const LossReason = z.enum(['standing', 'vanished', 'renamed'])
export type LossReason = z.infer<typeof LossReason>

/** One comparison: the claim on the left, the register's answer on the right. */
export const RegisterCheck = z.object({
  id: CheckId,
  checkedAt: IsoInstant,
  outcome: CheckOutcome,
  differences: z.array(Difference),
  claimed: z.object({ name: z.string(), registration_number: z.string() }),
  /** Null: the register knows no such number. */
  answer: z.nullable(
    z.object({
      name: z.string(),
      registration_number: z.string(),
      standing: RegistrationStatus,
      /** The register's own words. */
      status_text: z.string(),
    }),
  ),
})
export type RegisterCheck = z.infer<typeof RegisterCheck>

export const CompanyClaim = z.object({
  id: CompanyClaimId,
  state: z.enum(companyLife.states),
  company_name: z.string(),
  registration_number: z.string(),
  address: z.string(),
  document: z.object({ kind: z.enum(['pdf', 'image']), bytes: z.int() }),
  sentAt: IsoInstant,
  decidedAt: z.nullable(IsoInstant),
  /** Staff's reason for refusing it. */
  reason: z.nullable(z.string()),
})
export type CompanyClaim = z.infer<typeof CompanyClaim>

/** `waiting` for staff, `refused` by staff, `lost` by the nightly check. */
export const VerificationState = z.enum(verificationLife.states)
export type VerificationState = z.infer<typeof VerificationState>

/** On which of the provider's pages a staff request is answered. */
export const RequestAbout = z.enum(['registration', 'company'])
export type RequestAbout = z.infer<typeof RequestAbout>

/** State of the signed-in provider's verification: response of every procedure of this module. */
export const OwnVerification = z.object({
  provider: z.object({
    name: z.string(),
    region: Region,
    professional_body_name: ProfessionalBody,
    membership_number: z.string(),
  }),
  verification_status: VerificationStatus,
  state: VerificationState,
  /** Staff's reason, with `refused`. */
  reason: z.nullable(z.string()),
  /** Only with `lost`. */
  lostBecause: z.nullable(LossReason),
  /** What staff asked for that has not been answered yet. */
  asked: z.nullable(z.object({ at: IsoInstant, what: z.string(), about: RequestAbout })),
  /** When they last answered, while staff have not decided since. */
  answeredAt: z.nullable(IsoInstant),
  verifiedAt: z.nullable(IsoInstant),
  /** The newest comparison; null before the first. */
  check: z.nullable(RegisterCheck),
  lookUpsLeft: z.int(),
  proof: OwnProof,
  /** The newest one sent; null before the first. */
  company: z.nullable(CompanyClaim),
})
export type OwnVerification = z.infer<typeof OwnVerification>

/** A provider's own number, which is only compared: another one is not found. */
export const LookUpInput = z.strictObject({
  professional_body_name: ProfessionalBody,
  membership_number: z
    .string({ error: 'Enter your registration number.' })
    .check(
      z.trim(),
      z.regex(/^[0-9]{1,10}$/, { error: 'Enter your registration number, digits only.' }),
    ),
})
export type LookUpInput = z.infer<typeof LookUpInput>

const ADDRESS = 'Enter the registered address.'

/** Several lines of text, as addresses are written. */
const Address = z.string({ error: ADDRESS }).check(
  z.trim(),
  z.minLength(1, { error: ADDRESS, abort: true }),
  z.minLength(10, { error: 'Enter the address in full.' }),
  z.maxLength(300, { error: 'Use 300 characters or fewer.' }),
  z.overwrite((text: string) => text.replaceAll(/\r\n?/g, '\n')),
  z.regex(/^(?:[^\p{Cc}\p{Cf}\p{Co}\p{DI}]|\n)*$/u, {
    error: 'Use only letters, numbers and punctuation.',
  }),
  z.refine<string>((text) => text.split('\n').length <= 8, { error: 'Use 8 lines or fewer.' }),
)

const NUMBER = 'Enter the registration number of your company.'

/** Input of `verification.sendCompany`: what the document proves. */
export const SendCompanyInput = z.strictObject({
  company_name: requiredLine('Enter the name of your company.', 120),
  registration_number: z
    .string({ error: NUMBER })
    .check(
      z.trim(),
      z.toUpperCase(),
      z.minLength(1, { error: NUMBER, abort: true }),
      z.regex(/^[0-9A-Z][0-9A-Z -]{3,19}$/, { error: 'Use 4 to 20 letters, digits and hyphens.' }),
    ),
  address: Address,
  /** Response of `DOCUMENT_PATH`. */
  document: z.string({ error: 'Add a document.' }).check(
    z.minLength(1, { error: 'Add a document.', abort: true }),
    z.refine<string>((text) => DocumentId.safeParse(text).success, {
      error: 'Add the document again.',
    }),
  ),
})
export type SendCompanyInput = z.infer<typeof SendCompanyInput>

/** Input of `verification.sendProof`: photo ID or the certificate, uploaded before. */
export const SendProofInput = z.strictObject({ document: SendCompanyInput.shape.document })
export type SendProofInput = z.infer<typeof SendProofInput>

const ANSWER = 'Write your answer.'

/** Input of `verification.answer`: the requested information, in a few lines, with a document if needed. */
export const AnswerInput = z.strictObject({
  answer: z.string({ error: ANSWER }).check(
    z.trim(),
    z.minLength(1, { error: ANSWER, abort: true }),
    z.maxLength(1_000, { error: 'Use 1,000 characters or fewer.' }),
    z.overwrite((text: string) => text.replaceAll(/\r\n?/g, '\n')),
    z.regex(/^(?:[^\p{Cc}\p{Cf}\p{Co}\p{DI}]|\n)*$/u, {
      error: 'Use only letters, numbers and punctuation.',
    }),
  ),
  /** Response of `DOCUMENT_PATH`; empty without a document. */
  document: z._default(
    z.string().check(
      z.refine<string>((text) => text === '' || DocumentId.safeParse(text).success, {
        error: 'Add the document again.',
      }),
    ),
    '',
  ),
})
export type AnswerInput = z.infer<typeof AnswerInput>

/** POST the document itself here as the body: a PDF or a picture. At most `DOCUMENT_MAX_BYTES` bytes. */
export const DOCUMENT_PATH = '/upload/company-document'
export const DOCUMENT_MAX_BYTES = 5 * 1_024 * 1_024
export const DOCUMENT_TYPES = [...PICTURE_TYPES, 'application/pdf'] as const
/** Its response, status 201. Failures are `{status: false, error, code, request_id}`. */
export const DocumentResponse = z.object({
  status: z.literal(true),
  document: DocumentId,
  kind: z.enum(['pdf', 'image']),
})
export type DocumentResponse = z.infer<typeof DocumentResponse>
