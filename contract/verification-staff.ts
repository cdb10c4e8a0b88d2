import * as z from 'zod/mini'
import { CompanyClaimId, DocumentId, ProofId, ProviderId } from './base/ids.ts'
import { Page } from './base/paging.ts'
import { ProfessionalBody, VerificationStatus } from './base/people.ts'
import { backgroundFields } from './base/provider.ts'
import { Region } from './base/region.ts'
import { IsoDate, IsoInstant } from './base/time.ts'
import {
  CompanyClaim,
  LossReason,
  ProofState,
  RegisterCheck,
  RequestAbout,
  StaffProof,
  VerificationState,
} from './verification.ts'

/** Rows on a page of the lists of providers. */
export const PROVIDERS_PAGE_SIZE = 25

/** The staff's lists of providers; `company` has those whose company waits for a decision. */
export const ProviderList = z.enum(['all', 'waiting', 'verified', 'refused', 'lost', 'company'])
export type ProviderList = z.infer<typeof ProviderList>

/** Whether all staff may open a list; the other lists show evidence. */
export function isPublicList(list: ProviderList): boolean {
  return list === 'all' || list === 'verified'
}

/** `usual` is the order of the queue, or newest first where nobody waits. */
const PROVIDER_SORTS = ['usual', 'name', 'newest', 'oldest'] as const

const day = z.iso.date({ error: 'date_invalid' })

/** Input of `verification.providers`. Days are in UTC, both included. */
export const ProvidersInput = z.strictObject({
  list: z._default(ProviderList, 'all'),
  /** Words of the name, the number or, for roles that may see it, the email address. */
  search: z._default(
    z.string().check(z.trim(), z.maxLength(100, { error: 'Use 100 characters or fewer.' })),
    '',
  ),
  region: z.optional(Region),
  body: z.optional(ProfessionalBody),
  from: z.optional(day),
  to: z.optional(day),
  sort: z._default(z.enum(PROVIDER_SORTS, { error: 'sort_unknown' }), 'usual'),
  page: z._default(Page, 1),
})
export type ProvidersInput = z.infer<typeof ProvidersInput>

/** The public fields of any listed provider. */
const publicFields = {
  providerId: ProviderId,
  region: Region,
  /** With the title, as patients see it. */
  name: z.string(),
  photo: z.nullable(z.string()),
  specialty: z.string(),
  locality: z.string(),
  professional_body_name: ProfessionalBody,
  /** Null for those who may see only what is public, while it is not. */
  membership_number: z.nullable(z.string()),
  verification_status: VerificationStatus,
  verifiedAt: z.nullable(IsoInstant),
}

/** A row of the lists. The fields that can be null are filled only for staff who verify. */
export const ProviderRow = z.object({
  ...publicFields,
  /** The date a list uses: asked, verified, refused, lost, sent, or else registered. */
  at: z.nullable(IsoInstant),
  email: z.nullable(z.string()),
  state: z.nullable(VerificationState),
  /** The newest comparison supports the claim. */
  isMatch: z.boolean(),
  isCompared: z.boolean(),
  /** Another account claims the same registration number. */
  isNumberShared: z.boolean(),
  /** When staff requested something that has not arrived yet. */
  askedAgainAt: z.nullable(IsoInstant),
  /** When they answered, while staff have not decided since. */
  answeredAt: z.nullable(IsoInstant),
  hasCompanyInReview: z.boolean(),
  /** A document that proves their identity waits for review. */
  isProofWaiting: z.boolean(),
})
export type ProviderRow = z.infer<typeof ProviderRow>

export const ProvidersPage = z.object({
  providers: z.array(ProviderRow),
  current_page: z.int(),
  total_pages: z.int(),
  total: z.int(),
})
export type ProvidersPage = z.infer<typeof ProvidersPage>

const QueueNeighbour = z.nullable(
  z.object({ providerId: ProviderId, region: Region, name: z.string() }),
)

/** Input of `verification.queue`; with a provider, their position is returned too. */
export const QueueInput = z.strictObject({ providerId: z.optional(ProviderId) })

/** What waits for a verifier. */
export const VerificationQueue = z.object({
  /** Everybody who waits for a decision. */
  waiting: z.int(),
  /** Of these, those whose newest comparison supports the claim. */
  matching: z.int(),
  lost: z.int(),
  companies: z.int(),
  /** 1 is the head; null for a provider who does not wait. */
  position: z.nullable(z.int()),
  previous: QueueNeighbour,
  next: QueueNeighbour,
})
export type VerificationQueue = z.infer<typeof VerificationQueue>

/** Verification counts on the staff start page, which all staff may see. */
export const VerificationCounts = z.object({
  waiting: z.int(),
  companies: z.int(),
  /** Lost in the last seven days, and not regained since. */
  lostThisWeek: z.int(),
})
export type VerificationCounts = z.infer<typeof VerificationCounts>

/** What differs from the register's previous answer. */
export const Change = z.enum(['entry', 'number', 'name', 'standing', 'claim'])
export type Change = z.infer<typeof Change>

/** A comparison as staff see it: who asked for it, where, and what has changed since the one before. */
export const StaffCheck = z.object({
  ...RegisterCheck.shape,
  kind: z.enum(['look_up', 'recheck', 'decision']),
  professional_body_name: ProfessionalBody,
  /** `provider`, `system`, or the name of the staff member. */
  by: z.object({ kind: z.enum(['provider', 'staff', 'system']), name: z.nullable(z.string()) }),
  source: z.string(),
  changes: z.array(Change),
  decision: z.nullable(VerificationStatus),
  reason: z.nullable(z.string()),
})
export type StaffCheck = z.infer<typeof StaffCheck>

/** Something requested from a provider by email. */
const InformationRequest = z.object({
  at: IsoInstant,
  by: z.nullable(z.string()),
  what: z.string(),
  about: RequestAbout,
  /** No answer has come yet. */
  isOpen: z.boolean(),
  answer: z.nullable(
    z.object({
      at: IsoInstant,
      text: z.string(),
      documentId: z.nullable(DocumentId),
      document: z.nullable(CompanyClaim.shape.document),
    }),
  ),
})

export const StaffCompany = z.object({
  ...CompanyClaim.shape,
  documentId: DocumentId,
  decidedBy: z.nullable(z.string()),
})
export type StaffCompany = z.infer<typeof StaffCompany>

/** How many comparisons a page shows; all are kept. */
export const MAX_CHECKS_SHOWN = 50

/** Another account that claims the same registration number. */
const SameNumber = z.object({
  providerId: ProviderId,
  name: z.string(),
  verification_status: VerificationStatus,
  registeredOn: IsoDate,
})

/** What only staff who verify may see. */
export const Evidence = z.object({
  /** Others who claim the same number, Verified ones first; while one is Verified, nobody else can be. */
  sameNumber: z.array(SameNumber),
  email: z.string(),
  phone: z.nullable(z.string()),
  state: VerificationState,
  /** When it entered that state. */
  since: z.nullable(IsoInstant),
  /** Staff's reason, with `refused`. */
  reason: z.nullable(z.string()),
  /** Only with `lost`. */
  lostBecause: z.nullable(LossReason),
  /** The newest comparison of what is claimed now; null when there is none. */
  check: z.nullable(StaffCheck),
  /** The newest first. */
  history: z.array(StaffCheck),
  asked: z.array(InformationRequest),
  /** Evidence that the person is the registrant, newest first. */
  proofs: z.array(StaffProof),
  /** One of them is accepted for the number claimed now, which Verified requires. */
  isProven: z.boolean(),
  /** The newest first. */
  companies: z.array(StaffCompany),
  /** Upcoming booked visits. */
  comingVisits: z.int(),
})
export type Evidence = z.infer<typeof Evidence>

/** Input of `verification.provider`. Providers of other regions than the one given are not found. */
export const StaffProviderInput = z.strictObject({
  providerId: ProviderId,
  region: z.optional(Region),
})
export type StaffProviderInput = z.infer<typeof StaffProviderInput>

export const StaffProvider = z.object({
  ...publicFields,
  /** First and last name, as it is compared. */
  claimedName: z.string(),
  first_name: z.string(),
  last_name: z.string(),
  ...backgroundFields,
  /** Address and postcode are empty where they are not public and the viewer does not verify. */
  practice: z.object({ name: z.string(), address: z.string(), postcode: z.string() }),
  registeredOn: IsoDate,
  /** Null for those who may see only what is public. */
  evidence: z.nullable(Evidence),
})
export type StaffProvider = z.infer<typeof StaffProvider>

/**
 * Input of `verification.lookUp`: a provider of ours, whose comparison is stored, or else any number of a
 * register.
 */
export const StaffLookUpInput = z
  .strictObject({
    providerId: z.optional(ProviderId),
    professional_body_name: z.optional(ProfessionalBody),
    membership_number: z.optional(
      z
        .string()
        .check(
          z.trim(),
          z.regex(/^[0-9]{1,10}$/, { error: 'Enter a registration number, digits only.' }),
        ),
    ),
  })
  .check(
    z.refine(
      ({ providerId: id, professional_body_name: body, membership_number: number }) =>
        id === undefined
          ? body !== undefined && number !== undefined
          : body === undefined && number === undefined,
      { error: 'Name a provider, or a register and a number.' },
    ),
  )
export type StaffLookUpInput = z.infer<typeof StaffLookUpInput>

/** The register's entry; the first two fields under the documented names. Null: no such number. */
const RegisterEntry = z.nullable(
  z.object({
    Name: z.string(),
    registration_number: z.string(),
    standing: z.string(),
    status_text: z.string(),
  }),
)

export const StaffLookUpResponse = z.object({ answer: RegisterEntry })
export type StaffLookUpResponse = z.infer<typeof StaffLookUpResponse>

/** Log message that the specification requires when a decision is saved; the screen shows it too. */
export const STATUS_UPDATED = 'Verification status updated successfully'

const REASON = 'Give the reason: the provider reads it.'

/** What the provider is told, and what is stored: several lines of plain text. */
export const Reason = z.string({ error: REASON }).check(
  z.trim(),
  z.minLength(1, { error: REASON, abort: true }),
  z.maxLength(500, { error: 'Use 500 characters or fewer.' }),
  z.overwrite((text: string) => text.replaceAll(/\r\n?/g, '\n')),
  z.regex(/^(?:[^\p{Cc}\p{Cf}\p{Co}\p{DI}]|\n)*$/u, {
    error: 'Use only letters, numbers and punctuation.',
  }),
)

/** Input of `verification.askAgain`: the information requested from the provider, in staff's words. */
export const AskAgainInput = z.strictObject({
  providerId: ProviderId,
  what: Reason,
  about: z._default(RequestAbout, 'registration'),
})
export type AskAgainInput = z.infer<typeof AskAgainInput>

export const AskAgainResponse = z.object({ asked: z.literal(true) })

export const DecideCompanyResponse = z.object({
  state: CompanyClaim.shape.state,
  reason: z.nullable(z.string()),
})

/** GET a company's document here by its id; sent as an attachment, and each access is recorded. */
export const DOCUMENT_VIEW_PATH = '/download/company-document'

/** A provider's verification state after a staff decision. */
export const DecidedVerification = z.object({
  providerId: ProviderId,
  verification_status: VerificationStatus,
  state: VerificationState,
  /** Staff's reason, with `refused`. */
  reason: z.nullable(z.string()),
  verifiedAt: z.nullable(IsoInstant),
  /** The newest comparison. */
  check: z.nullable(RegisterCheck),
})
export type DecidedVerification = z.infer<typeof DecidedVerification>

const about = {
  providerId: ProviderId,
  /** The state that was on screen: somebody else may have decided since. */
  seen: VerificationState,
}

/** Input of `verification.decide`. */
export const DecideInput = z.discriminatedUnion('verification_status', [
  z.strictObject({
    ...about,
    verification_status: z.literal('Verified'),
    reason: z.optional(Reason),
  }),
  z.strictObject({ ...about, verification_status: z.literal('Unverified'), reason: Reason }),
])
export type DecideInput = z.infer<typeof DecideInput>

/** Input of `verification.decideCompany`. `seen` is the state that was on screen. */
export const DecideCompanyInput = z.discriminatedUnion('decision', [
  z.strictObject({
    claimId: CompanyClaimId,
    seen: CompanyClaim.shape.state,
    decision: z.literal('accepted'),
  }),
  z.strictObject({
    claimId: CompanyClaimId,
    seen: CompanyClaim.shape.state,
    decision: z.literal('refused'),
    reason: Reason,
  }),
])
export type DecideCompanyInput = z.infer<typeof DecideCompanyInput>

const proof = {
  proofId: ProofId,
  /** The state that was on screen: somebody else may have decided since. */
  seen: ProofState,
}

/** Input of `verification.decideProof`. A code is accepted by entering it, never by staff. */
export const DecideProofInput = z.discriminatedUnion('decision', [
  z.strictObject({ ...proof, decision: z.literal('accepted') }),
  z.strictObject({ ...proof, decision: z.literal('refused'), reason: Reason }),
])
export type DecideProofInput = z.infer<typeof DecideProofInput>
