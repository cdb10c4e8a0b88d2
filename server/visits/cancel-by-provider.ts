import type { VisitRef } from '#contract/booking.ts'
import type { CancelDeskInput } from '#contract/booking-desk.ts'
import type { Money } from '#contract/money.ts'
import type {
  CancelManyInput,
  CancelManyResponse,
  CancelResult,
  VisitTerms,
} from '#contract/visits.ts'
import { cancelDesk } from '#server/booking/desk/change-desk.ts'
import type { SignedIn } from '#server/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import { ownProvider } from '#server/profiles/own-profile.ts'
import { cancelInTransaction, type FindVisit } from './cancel-visit.ts'
import { cancelTermsOf } from './read-terms.ts'
import { findOfProvider } from './store.ts'

/**
 * Terms of cancelling one of the viewer's visits as its provider: always refunds all that is left. Throws
 * `not_found` for the visits of others, `visit_cancelled` and `visit_begun` as for patients.
 */
export async function readProviderTerms(ctx: SignedIn, { id }: VisitRef): Promise<VisitTerms> {
  const { db } = ctx.database
  const { no } = await ownProvider(ctx, db)
  return cancelTermsOf(ctx, await findOfProvider(db, id, no), 'all')
}

type One = CancelManyInput['visits'][number]

type CancelReasonInput = Pick<CancelManyInput, 'reason' | 'note'>

async function cancelOne(ctx: SignedIn, one: One, given: CancelReasonInput): Promise<Money> {
  const { no } = await ownProvider(ctx, ctx.database.db)
  const find: FindVisit = (db) => findOfProvider(db, one.id, no)
  const { reason, note = null } = given
  return ctx.transaction((tx) =>
    cancelInTransaction(ctx, tx, { find, shown: one, policy: 'all', reason, note }),
  )
}

/** A desk visit: nothing was paid for it. */
async function cancelUnpaid(
  ctx: SignedIn,
  one: CancelDeskInput,
  given: CancelReasonInput,
): Promise<null> {
  await cancelDesk(ctx, one, given)
  return null
}

/**
 * The provider cancels upcoming visits, each in its own transaction: all that is left of the payment is
 * refunded, and the patient is emailed the reason. Desk visits have no refund, and their patients are emailed
 * if they gave an address. Returns the result of each; an error in one does not stop the others. A repeat
 * refuses the cancelled ones with `visit_cancelled`.
 */
export async function cancelMany(
  ctx: SignedIn,
  input: CancelManyInput,
): Promise<CancelManyResponse> {
  const { visits, desk = [], ...given } = input
  const tasks = [
    ...visits.map((one) => ({ id: one.id, act: () => cancelOne(ctx, one, given) })),
    ...desk.map((one) => ({ id: one.id, act: () => cancelUnpaid(ctx, one, given) })),
  ]
  const results: CancelResult[] = []
  for (const { id, act } of tasks) {
    try {
      // Sequential: each transaction is short, and others may write in between.
      // oxlint-disable-next-line no-await-in-loop
      results.push({ id, refusal: null, refund: await act() })
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      results.push({ id, refusal: error.code, refund: null })
    }
  }
  return { fates: results }
}
