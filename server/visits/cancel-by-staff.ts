import type { CancelFate, CancelForInput, StaffTermsInput, VisitTerms } from '#contract/visits.ts'
import type { AsStaff } from '#server/context.ts'
import { assertMayGiveBack } from '#server/payments/refunds/refund.ts'
import { cancelIn } from './cancel-visit.ts'
import { termsIn } from './read-terms.ts'
import { findBooked } from './store.ts'

/** What a cancellation gives back goes by whom it is for: patients as agreed, providers always all. */
const policies = { patient: 'agreed', provider: 'all' } as const

/** What cancelling any coming visit for one of the two would give back at this moment. */
export async function readStaffTerms(ctx: AsStaff, input: StaffTermsInput): Promise<VisitTerms> {
  return termsIn(ctx, await findBooked(ctx.database.db, input.id), policies[input.for])
}

/**
 * Staff cancel a coming visit for its patient or its provider, as somebody who called would have: what goes
 * back is what the one it is for would see. The reason is kept with the change and told to nobody outside.
 * Above the limit of refunds it is a superuser's, with a proof of the last five minutes.
 */
export async function cancelFor(ctx: AsStaff, input: CancelForInput): Promise<CancelFate> {
  const { id, for: whom, sequence, refund: shown, reason: note } = input
  const refund = await ctx.transaction((tx) =>
    cancelIn(ctx, tx, {
      find: (db) => findBooked(db, id),
      shown: { sequence, refund: shown },
      policy: policies[whom],
      reason: whom === 'patient' ? 'for_patient' : 'for_provider',
      note,
      assertMay: (amount, { refunds }) => assertMayGiveBack(ctx, amount, refunds),
    }),
  )
  return { id, refusal: null, refund }
}
