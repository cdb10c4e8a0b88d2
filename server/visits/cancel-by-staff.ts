import type { CancelForInput, CancelResult, StaffTermsInput, VisitTerms } from '#contract/visits.ts'
import type { AsStaff } from '#server/context.ts'
import { assertMayRefund } from '#server/payments/refunds/refund.ts'
import { cancelInTransaction } from './cancel-visit.ts'
import { cancelTermsOf } from './read-terms.ts'
import { findBooked } from './store.ts'

/** Refund policy by whom the cancellation is for: as agreed for patients, always all for providers. */
const policies = { patient: 'agreed', provider: 'all' } as const

/** Terms of cancelling any upcoming visit on behalf of its patient or its provider. */
export async function readStaffTerms(ctx: AsStaff, input: StaffTermsInput): Promise<VisitTerms> {
  return cancelTermsOf(ctx, await findBooked(ctx.database.db, input.id), policies[input.for])
}

/**
 * Staff cancel an upcoming visit on behalf of its patient or its provider, with the refund that person would
 * see. The reason is recorded for staff only. Above the refund limit it takes a superuser with a proof from
 * the last five minutes.
 */
export async function cancelFor(ctx: AsStaff, input: CancelForInput): Promise<CancelResult> {
  const { id, for: whom, sequence, refund: shown, reason: note } = input
  const refund = await ctx.transaction((tx) =>
    cancelInTransaction(ctx, tx, {
      find: (db) => findBooked(db, id),
      shown: { sequence, refund: shown },
      policy: policies[whom],
      reason: whom === 'patient' ? 'for_patient' : 'for_provider',
      note,
      assertMay: (amount, { refunds }) => assertMayRefund(ctx, amount, refunds),
    }),
  )
  return { id, refusal: null, refund }
}
