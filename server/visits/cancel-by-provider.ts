import type { VisitRef } from '#contract/booking.ts'
import type { CancelDeskInput } from '#contract/booking-desk.ts'
import type { Money } from '#contract/money.ts'
import type { CancelFate, CancelledMany, CancelManyInput, VisitTerms } from '#contract/visits.ts'
import { cancelDesk } from '#server/booking/desk/change-desk.ts'
import type { SignedIn } from '#server/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import { ownProvider } from '#server/profiles/own-profile.ts'
import { cancelIn, type Find } from './cancel-visit.ts'
import { termsIn } from './read-terms.ts'
import { findOfProvider } from './store.ts'

/**
 * What cancelling one of the viewer's visits, who is its provider, would give back: always all that is
 * left. `not_found` for the visits of others, `visit_cancelled` and `visit_begun` as for patients.
 */
export async function readProviderTerms(ctx: SignedIn, { id }: VisitRef): Promise<VisitTerms> {
  const { db } = ctx.database
  const { no } = await ownProvider(ctx, db)
  return termsIn(ctx, await findOfProvider(db, id, no), 'all')
}

type One = CancelManyInput['visits'][number]

type Why = Pick<CancelManyInput, 'reason' | 'note'>

async function cancelOne(ctx: SignedIn, one: One, given: Why): Promise<Money> {
  const { no } = await ownProvider(ctx, ctx.database.db)
  const find: Find = (db) => findOfProvider(db, one.id, no)
  const { reason, note = null } = given
  return ctx.transaction((tx) =>
    cancelIn(ctx, tx, { find, shown: one, policy: 'all', reason, note }),
  )
}

/** A visit put in at the desk: nothing was paid for it. */
async function cancelUnpaid(ctx: SignedIn, one: CancelDeskInput, given: Why): Promise<null> {
  await cancelDesk(ctx, one, given)
  return null
}

/**
 * The provider cancels coming visits: each in a transaction of its own, with all that is left of its
 * money going back and its patient told why. Nothing goes back of those put in at the desk, whose
 * patients are told where they gave an address. The answer says what became of each; one that is refused
 * holds up none of the others, and sent again those that are done are refused as `visit_cancelled`.
 */
export async function cancelMany(ctx: SignedIn, input: CancelManyInput): Promise<CancelledMany> {
  const { visits, desk = [], ...given } = input
  const acts = [
    ...visits.map((one) => ({ id: one.id, act: () => cancelOne(ctx, one, given) })),
    ...desk.map((one) => ({ id: one.id, act: () => cancelUnpaid(ctx, one, given) })),
  ]
  const fates: CancelFate[] = []
  for (const { id, act } of acts) {
    try {
      // One after the other: each transaction is short, and others may write between them.
      // oxlint-disable-next-line no-await-in-loop
      fates.push({ id, refusal: null, refund: await act() })
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      fates.push({ id, refusal: error.code, refund: null })
    }
  }
  return { fates }
}
