import type { OwnProfile, UpdateOfferInput } from '#contract/profiles-own.ts'
import { toFlag } from '#db/columns.ts'
import { regenerateSlots } from '#server/availability/regenerate-slots.ts'
import type { SignedIn } from '#server/context.ts'
import { changeOwn } from './change-own.ts'
import { updateOwnProvider } from './own-store.ts'

/**
 * Changes fees, length, ways and conditions of visits. What is held or booked keeps the price and the
 * conditions it was taken at.
 */
export function updateOffer(ctx: SignedIn, input: UpdateOfferInput): Promise<OwnProfile> {
  return changeOwn(ctx, {
    action: 'profile.offer_changed',
    work: async (tx, before) => {
      await updateOwnProvider(tx.db, before.no, {
        amount_minor: input.amount,
        follow_amount_minor: input.follow_amount,
        consultation_minutes: input.consultation_minutes,
        offers_in_person: toFlag(input.modes.includes('in_person')),
        offers_video: toFlag(input.modes.includes('video')),
        follow_up_policy: input.follow_up_policy,
        free_cancel_hours: input.free_cancel_hours,
        late_cancel_percent: input.late_cancel_percent,
        updated_at: ctx.now(),
      })
      if (input.consultation_minutes === before.consultation_minutes) return
      await regenerateSlots(tx.db, before.no, ctx.now())
    },
  })
}
