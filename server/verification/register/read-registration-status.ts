import { toIso } from '#contract/time.ts'
import {
  CompanyClaim,
  LOOK_UPS_PER_DAY,
  LossReason,
  type OwnVerification,
  type VerificationState,
} from '#contract/verification.ts'
import { OUTAGE_NUMBERS } from '#db/reference/demo-outages.ts'
import type { CheckRow } from '#db/tables/verification.ts'
import type { Context, Viewer } from '#server/context.ts'
import type { FindEntry } from '#server/gateways/registers.ts'
import { AppError, UpstreamError, UpstreamWords } from '#server/kernel/errors.ts'
import { countedSince } from '#server/kernel/limits/attempts.ts'
import { findNewestClaim } from '#server/verification/company/company-store.ts'
import { findNewestRequest } from '#server/verification/evidence-store.ts'
import { readOwnProof } from '#server/verification/registrant/show-proof.ts'
import {
  type Claimant,
  countLookUps,
  findNewestCheck,
  getClaimant,
} from '#server/verification/store.ts'
import { showCheck } from './make-check.ts'

/** The context of a signed-in provider. */
export type AsProvider = Context & { viewer: Extract<Viewer, { kind: 'provider' }> }

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
      name: `${claimant.first_name} ${claimant.last_name}`,
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

/** The public status takes precedence: a standing that contradicts it is outdated. */
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
