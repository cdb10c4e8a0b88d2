import { toIso } from '#contract/time.ts'
import {
  CompanyClaim,
  LOOK_UPS_A_DAY,
  LossReason,
  type OwnVerification,
} from '#contract/verification.ts'
import type { Context, Viewer } from '#server/context.ts'
import { countedSince } from '#server/kernel/attempts.ts'
import { findNewestClaim } from './company-store.ts'
import { findNewestRequest } from './evidence-store.ts'
import { showCheck } from './make-check.ts'
import { isOfNow, stateOf } from './state-of.ts'
import { countLookUps, findNewestCheck, getClaimant } from './store.ts'

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

/** How far the verification of the signed-in provider is, and what is left to do. */
export async function readStanding(ctx: AsProvider): Promise<OwnVerification> {
  const { db } = ctx.database
  const claimant = await getClaimant(db, ctx.viewer.id)
  const check = await findNewestCheck(db, claimant.no)
  const since = countedSince('register_own', ctx.now())
  const lookUps = await countLookUps(db, claimant.no, since)
  const asked = await findNewestRequest(db, claimant.no)
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
      claimant.asked_again_at === null || asked === undefined
        ? null
        : { at: toIso(asked.at), what: asked.what },
    verifiedAt: claimant.verified_at === null ? null : toIso(claimant.verified_at),
    check: check !== undefined && isOfNow(check, claimant) ? showCheck(check) : null,
    lookUpsLeft: Math.max(0, LOOK_UPS_A_DAY - lookUps),
    company: company === undefined ? null : showCompany(company),
  }
}
