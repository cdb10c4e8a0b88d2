import type { OwnProfile, PlaceRef } from '#contract/profiles-own.ts'
import type { SignedIn } from '#server/context.ts'
import { changePlace } from './change-places.ts'
import { orderPlaces } from './place-store.ts'

/** Puts one of the viewer's places first: the one their page names at the top. */
export function makeMainPlace(ctx: SignedIn, input: PlaceRef): Promise<OwnProfile> {
  return changePlace(ctx, {
    action: 'profile.main_place_changed',
    placeId: input.placeId,
    work: async (tx, { place, places, provider }) => {
      const others = places.filter(({ no }) => no !== place.no)
      await orderPlaces(
        tx.db,
        provider.no,
        [place, ...others].map(({ no }) => no),
      )
    },
  })
}
