import type { ProfessionalBody } from '#contract/base/people.ts'
import { fullName } from '#contract/base/person-names.ts'
import { toIso } from '#contract/base/time.ts'
import {
  CompanyClaim,
  type Difference,
  LOOK_UPS_PER_DAY,
  LossReason,
  type OwnProof,
  type OwnVerification,
  RegisterCheck,
  StaffProof,
  type VerificationState,
} from '#contract/verification.ts'
import { parseJson, toJson } from '#db/columns.ts'
import { OUTAGE_NUMBERS } from '#db/reference/demo.ts'
import type { CheckRow } from '#db/tables/verification.ts'
import { findSentCode } from '#server/auth/codes/codes.ts'
import type { AsProvider } from '#server/context.ts'
import type { FindEntry, RegisterAnswer } from '#server/gateways/registers.ts'
import { AppError, UpstreamError, UpstreamWords } from '#server/kernel/errors.ts'
import { countedSince } from '#server/kernel/limits/attempts.ts'
import { findNewestClaim } from '#server/verification/company/company-store.ts'
import { findNewestRequest } from '#server/verification/evidence-store.ts'
import {
  findAccepted,
  findNewestDocument,
  findWaitingCode,
  type ListedProof,
} from '#server/verification/registrant/proof-store.ts'
import { CODE_PURPOSE, compare, staffName } from '#server/verification/rules.ts'
import {
  type Claimant,
  countLookUps,
  findNewestCheck,
  getClaimant,
} from '#server/verification/store.ts'

type ClaimRow = NonNullable<Awaited<ReturnType<typeof findNewestClaim>>>

function showCompany({ kind, bytes, sent_at, decided_at, ...row }: ClaimRow): CompanyClaim {
  return CompanyClaim.parse({
    ...row,
    document: { kind, bytes },
    sentAt: toIso(sent_at),
    decidedAt: decided_at === null ? null : toIso(decided_at),
  })
}

/** Verification status of the signed-in provider, and what is left to do. */
export async function readRegistrationStatus(ctx: AsProvider): Promise<OwnVerification> {
  const { db } = ctx.database
  const claimant = await getClaimant(db, ctx.viewer.id)
  const check = await findNewestCheck(db, claimant.no)
  const since = countedSince('register_own', ctx.now())
  const lookUps = await countLookUps(db, claimant.no, since)
  const request = await findNewestRequest(db, claimant.no)
  const company = await findNewestClaim(db, claimant.no)
  const state = stateOf(claimant)
  const lost = LossReason.safeParse(claimant.reason)
  return {
    provider: {
      name: fullName(claimant.first_name, claimant.last_name),
      region: claimant.region,
      professional_body_name: claimant.body,
      membership_number: claimant.membership_number,
    },
    verification_status: claimant.verification_status,
    state,
    reason: state === 'refused' ? claimant.reason : null,
    lostBecause: state === 'lost' && lost.success ? lost.data : null,
    asked:
      claimant.asked_again_at === null || request === undefined
        ? null
        : { at: toIso(request.at), what: request.what, about: request.about },
    answeredAt: claimant.answered_at === null ? null : toIso(claimant.answered_at),
    verifiedAt: claimant.verified_at === null ? null : toIso(claimant.verified_at),
    check: check !== undefined && isForCurrentClaim(check, claimant) ? showCheck(check) : null,
    lookUpsLeft: Math.max(0, LOOK_UPS_PER_DAY - lookUps),
    proof: await readOwnProof(ctx, claimant),
    company: company === undefined ? null : showCompany(company),
  }
}

/** The public status takes precedence: a row that contradicts it is outdated. */
export function stateOf({
  verification_status: status,
  state,
}: Pick<Claimant, 'verification_status' | 'state'>): VerificationState {
  if (status === 'Verified') return 'verified'
  return state === 'refused' || state === 'lost' ? state : 'waiting'
}

/** Whether a register check was made for the current claim; otherwise it says nothing about it. */
export function isForCurrentClaim(
  row: Pick<CheckRow, 'claimed_name' | 'claimed_number' | 'body'>,
  claimant: Claimant,
): boolean {
  const { first_name: first, last_name: last, membership_number: number, body } = claimant
  return (
    row.claimed_name === `${first} ${last}` && row.claimed_number === number && row.body === body
  )
}

/** Whether the claim is unchanged, for example since the register was queried. */
export function isSameClaimant(now: Claimant, before: Claimant): boolean {
  return (
    now.first_name === before.first_name &&
    now.last_name === before.last_name &&
    now.body === before.body &&
    now.membership_number === before.membership_number
  )
}

/**
 * Error for staff when a register fails: with the register's own message, as the specification requires, or
 * without one if it did not respond at all.
 */
export function registerUnavailableError(error: UpstreamError): AppError {
  const { cause } = error
  const details = cause instanceof UpstreamWords ? { said: cause.message } : {}
  return new AppError('register_unavailable', details, { cause: error })
}

/** The demo's registers fail for one number each, to demonstrate an outage. */
export function withDemoOutages(find: FindEntry): FindEntry {
  return (body, number) => {
    if (number !== OUTAGE_NUMBERS[body]) return find(body, number)
    const words = new UpstreamWords(`The ${body} register is closed for maintenance.`)
    return Promise.reject(new UpstreamError(`The ${body} register`, words))
  }
}

type Claimed = {
  no: number
  first_name: string
  last_name: string
  body: ProfessionalBody
  membership_number: string
}

type Making = Pick<CheckRow, 'id' | 'kind' | 'at' | 'actor_kind' | 'actor_id'>

/** A register check as stored: the claim, the register's entry, the differences and the outcome. */
export function makeCheck(
  claimed: Claimed,
  answer: RegisterAnswer | null,
  making: Making,
): Omit<CheckRow, 'no'> {
  const claim = {
    name: fullName(claimed.first_name, claimed.last_name),
    registration_number: claimed.membership_number,
  }
  const { outcome, differences } = compare(claim, answer)
  return {
    ...making,
    provider_no: claimed.no,
    body: claimed.body,
    claimed_number: claim.registration_number,
    claimed_name: claim.name,
    answer_number: answer?.registration_number ?? null,
    answer_name: answer?.name ?? null,
    standing: answer?.standing ?? null,
    status_text: answer?.status_text ?? null,
    source: answer?.source ?? '',
    outcome,
    differences: toJson(differences),
    decision: null,
    reason: null,
  }
}

/** A stored register check as shown to its provider. */
export function showCheck(row: Omit<CheckRow, 'no'>): RegisterCheck {
  const isThere = row.answer_number !== null && row.standing !== null
  return RegisterCheck.parse({
    id: row.id,
    checkedAt: toIso(row.at),
    outcome: row.outcome,
    differences: parseJson<Difference[]>(row.differences),
    claimed: { name: row.claimed_name, registration_number: row.claimed_number },
    answer: isThere
      ? {
          name: row.answer_name,
          registration_number: row.answer_number,
          standing: row.standing,
          status_text: row.status_text,
        }
      : null,
  })
}

async function readCode(ctx: AsProvider, claimant: Claimant): Promise<OwnProof['code']> {
  const { db } = ctx.database
  const waiting = await findWaitingCode(db, claimant)
  if (!waiting || waiting.email === null) return null
  const bound = { accountNo: ctx.session.accountNo, purpose: CODE_PURPOSE, object: waiting.id }
  const { isSent, resendAt } = await findSentCode(db, bound, ctx.now())
  const { email, source } = waiting
  return {
    email,
    source: source ?? '',
    isSent,
    resendAt: resendAt === null ? null : toIso(resendAt),
  }
}

/** Status of the signed-in provider's proofs, for the number they currently claim. */
async function readOwnProof(ctx: AsProvider, claimant: Claimant): Promise<OwnProof> {
  const { db } = ctx.database
  const accepted = await findAccepted(db, claimant)
  const paper = await findNewestDocument(db, claimant)
  const isOpen = paper?.state === 'waiting' || paper?.state === 'refused'
  return {
    acceptedAt: accepted?.decided_at ? toIso(accepted.decided_at) : null,
    document:
      isOpen && paper
        ? {
            state: paper.state === 'refused' ? 'refused' : 'waiting',
            sentAt: toIso(paper.created_at),
            reason: paper.reason,
          }
        : null,
    code: await readCode(ctx, claimant),
  }
}

/** A proof as staff see it. */
export function showProof(row: ListedProof, claimant: Claimant): StaffProof {
  const { document_kind: kind, bytes } = row
  return StaffProof.parse({
    ...row,
    at: toIso(row.created_at),
    by: staffName({
      first_name: row.by_first_name,
      last_name: row.by_last_name,
      email: row.by_email,
    }),
    documentId: row.document_id,
    document: kind === null || bytes === null ? null : { kind, bytes },
    decidedAt: row.decided_at === null ? null : toIso(row.decided_at),
    decidedBy: staffName({
      first_name: row.decider_first_name,
      last_name: row.decider_last_name,
      email: row.decider_email,
    }),
    isOfNow: row.body === claimant.body && row.claimed_number === claimant.membership_number,
  })
}
