import type { OwnProfile, RemovePlaceInput } from '#contract/profiles-own.ts'
import { forgetPlaceRules } from '#server/availability/forget-rules.ts'
import type { SignedIn } from '#server/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import { changePlace } from './change-places.ts'
import { orderPlaces, setPlaceRemoved } from './place-store.ts'

/**
 * Leaves a practice place: no more times there. Visits booked there stay, once the provider has said
 * that they know of them. The last place cannot be left.
 */
export function removePlace(ctx: SignedIn, input: RemovePlaceInput): Promise<OwnProfile> {
  return changePlace(ctx, {
    action: 'profile.place_removed',
    placeId: input.placeId,
    work: async (tx, { place, places, provider }) => {
      if (places.length === 1) throw new AppError('last_place')
      const visits = place.coming_visits ?? 0
      if (visits > 0 && !input.confirmed) throw new AppError('place_has_visits', { visits })
      await setPlaceRemoved(tx.db, place.no, ctx.now())
      const left = places.filter(({ no }) => no !== place.no)
      await orderPlaces(
        tx.db,
        provider.no,
        left.map(({ no }) => no),
      )
      await forgetPlaceRules(tx.db, { providerNo: provider.no, placeNo: place.no }, ctx.now())
    },
  })
}
