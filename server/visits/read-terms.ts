import type { VisitRef } from '#contract/booking.ts'
import { toIso } from '#contract/time.ts'
import type { VisitTerms } from '#contract/visits.ts'
import type { SignedIn } from '#server/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import { readMoney } from '#server/payments/refunds/cancelled-money.ts'
import { termsOf, whyNotChange } from './rules.ts'
import { findOfPatient } from './store.ts'

/**
 * What cancelling one of the viewer's coming visits would do at this moment. `not_found` for the visits
 * of others, `visit_cancelled` and `visit_begun` where nothing can be cancelled any more.
 */
export async function readTerms(ctx: SignedIn, { id }: VisitRef): Promise<VisitTerms> {
  const { db } = ctx.database
  const now = ctx.now()
  const visit = await findOfPatient(db, id, ctx.session.accountNo)
  if (visit === undefined) throw new AppError('not_found')
  const refusal = whyNotChange(visit, now)
  if (refusal !== null) throw new AppError(refusal)
  const { paid, left } = await readMoney(db, visit.payment_no)
  const { refund, kept, freeUntil, isFree } = termsOf(visit, left, { policy: 'agreed', now })
  return {
    id: visit.id,
    sequence: visit.sequence,
    startsAt: toIso(visit.start_at),
    timeZone: visit.time_zone,
    paymentMethod: visit.payment_method,
    paid,
    left,
    refund,
    kept,
    freeUntil: toIso(freeUntil),
    isFree,
  }
}
