import type { EditPlaceInput, OwnProfile } from '#contract/profiles-own.ts'
import { regenerateSlots } from '#server/availability/regenerate-slots.ts'
import type { SignedIn } from '#server/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import { changePlace } from './change-places.ts'
import { locatePractice } from './locate-practice.ts'
import { updatePlace } from './place-store.ts'
import { ownProvider } from './read-own.ts'

/**
 * Corrects a practice place. It cannot move to another postcode while visits are booked there:
 * their patients would go to the old one.
 */
export async function editPlace(ctx: SignedIn, input: EditPlaceInput): Promise<OwnProfile> {
  const { region } = await ownProvider(ctx, ctx.database.db)
  const at = await locatePractice(ctx, { region, postcode: input.postcode })
  return changePlace(ctx, {
    action: 'profile.place_changed',
    placeId: input.placeId,
    work: async (tx, { place, provider }) => {
      const visits = place.coming_visits ?? 0
      if (at.postcode !== place.postcode && visits > 0) {
        throw new AppError('place_in_use', { visits })
      }
      await updatePlace(tx.db, place.no, {
        name: input.hospital_name,
        address: input.address,
        locality: at.locality,
        postcode: at.postcode,
        latitude: at.latitude,
        longitude: at.longitude,
        time_zone: at.timeZone,
        phone: input.phone ?? null,
      })
      // Its zone and its public holidays follow from the postcode.
      if (at.postcode === place.postcode) return
      await regenerateSlots(tx.db, provider.no, ctx.now())
    },
  })
}
