import type { SignOutResponse } from '#contract/auth.ts'
import { toIso } from '#contract/base/time.ts'
import {
  type AffectedVisit,
  type EraseInput,
  type ErasurePreview,
  MAX_AFFECTED_LISTED,
} from '#contract/erasure.ts'
import { useVerifiedCode } from '#server/auth/codes/codes.ts'
import { assertSteppedUp } from '#server/auth/rules.ts'
import { signOut } from '#server/auth/sessions/sessions.ts'
import {
  countUpcomingDesk,
  eraseDeskVisits,
  lockOwnDesk,
} from '#server/booking/desk/change-desk.ts'
import type { SignedIn, Tx } from '#server/context.ts'
import { closeHoldsOf } from '#server/payments/paying/close-payment.ts'
import {
  cancelUpcoming,
  readUpcoming,
  type UpcomingVisit,
} from '#server/payments/refunds/refund.ts'
import { erasePerson } from '#server/profiles/personal-data.ts'

function patientName({ patient_erased_at, first_name, last_name }: UpcomingVisit): string | null {
  if (patient_erased_at !== null) return null
  const [initial] = new Intl.Segmenter('en').segment(last_name)
  return initial === undefined ? first_name : `${first_name} ${initial.segment}.`
}

function visitOf(visit: UpcomingVisit): AffectedVisit {
  return {
    id: visit.id,
    startsAt: toIso(visit.start_at),
    timeZone: visit.time_zone,
    patientName: patientName(visit),
  }
}

/** What erasing the viewer's account would cancel and refund; empty without visits. */
export async function previewErasure(ctx: SignedIn): Promise<ErasurePreview> {
  const { coming, version, refunds } = await readUpcoming(ctx)
  return {
    version,
    count: coming.length,
    visits: coming.slice(0, MAX_AFFECTED_LISTED).map(visitOf),
    deskCount: await countUpcomingDesk(ctx),
    refunds,
  }
}

/** Requires an emailed code, which is consumed, or a proof from the last five minutes. */
async function assertProved(ctx: SignedIn, tx: Tx): Promise<void> {
  const { accountNo } = ctx.session
  const code = { accountNo, purpose: 'erase', object: '', now: ctx.now() }
  if (!(await useVerifiedCode(tx, code))) assertSteppedUp(ctx.session, ctx.now())
}

/**
 * Erases the viewer's account. A provider's upcoming visits, including desk visits, are cancelled and refunds
 * enqueued first, while their patients can still be told whose visit it was. Throws `visits_changed` when the
 * upcoming visits are no longer those the viewer saw. Holds with a payment that could still be made are
 * closed at once if the gateway responds; otherwise a late payment books nothing and is refunded.
 */
export async function erase(ctx: SignedIn, input: EraseInput): Promise<SignOutResponse> {
  await ctx.transaction(async (tx) => {
    await assertProved(ctx, tx)
    await lockOwnDesk(ctx, tx)
    await cancelUpcoming(ctx, tx, input.seen)
    await eraseDeskVisits(ctx, tx)
    await erasePerson(ctx, tx)
  })
  await closeHoldsOf(ctx, ctx.session.accountNo)
  return signOut(ctx)
}
