import type { OwnProfile } from '#contract/profiles-own.ts'
import type { SignedIn, Tx } from '#server/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import { changeOwn, type ProviderRowNow } from './change-own.ts'
import { listOwnPlaces } from './place-store.ts'

type Places = Awaited<ReturnType<typeof listOwnPlaces>>
type OnePlace = Places[number]

type PlaceChange = {
  action: `profile.${string}`
  placeId: string
  work: (
    tx: Tx,
    found: { place: OnePlace; places: Places; provider: ProviderRowNow },
  ) => Promise<void>
}

/** Changes one of the viewer's places; somebody else's is as unknown as none. */
export function changePlace(ctx: SignedIn, change: PlaceChange): Promise<OwnProfile> {
  return changeOwn(ctx, {
    action: change.action,
    work: async (tx, provider) => {
      const places = await listOwnPlaces(tx.db, provider.no, ctx.now())
      const place = places.find(({ id }) => id === change.placeId)
      if (place === undefined) throw new AppError('not_found')
      await change.work(tx, { place, places, provider })
    },
  })
}
