import { type AddPlaceInput, MAX_PLACES, type OwnProfile } from '#contract/profiles-own.ts'
import type { SignedIn } from '#server/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import { changeOwn } from './change-own.ts'
import { locatePractice } from './locate-practice.ts'
import { insertPlace, listOwnPlaces } from './place-store.ts'
import { ownProvider } from './read-own.ts'

/** Adds a practice place behind those there are; `too_many_places` beyond the sixth. */
export async function addPlace(ctx: SignedIn, input: AddPlaceInput): Promise<OwnProfile> {
  const { region } = await ownProvider(ctx, ctx.database.db)
  const at = await locatePractice(ctx, { region, postcode: input.postcode })
  return changeOwn(ctx, {
    action: 'profile.place_added',
    work: async (tx, provider) => {
      const places = await listOwnPlaces(tx.db, provider.no, ctx.now())
      if (places.length >= MAX_PLACES) throw new AppError('too_many_places')
      await insertPlace(tx.db, {
        id: ctx.newId('plc'),
        provider_no: provider.no,
        position: places.length,
        name: input.hospital_name,
        address: input.address,
        locality: at.locality,
        postcode: at.postcode,
        latitude: at.latitude,
        longitude: at.longitude,
        time_zone: at.timeZone,
        phone: input.phone ?? null,
      })
    },
  })
}
