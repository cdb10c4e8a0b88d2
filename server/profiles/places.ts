import type { AuditAction } from '#contract/audit-actions.ts'
import { type Region, regionFacts } from '#contract/base/region.ts'
import { errorMessage } from '#contract/base/sentences.ts'
import {
  type AddPlaceInput,
  type EditPlaceInput,
  MAX_PLACES,
  type OwnProfile,
  type PlaceRef,
  type RemovePlaceInput,
} from '#contract/profiles-own.ts'
import { findPractice, type PracticePlace } from '#db/geo/lookup.ts'
import type { Provider } from '#db/tables/profiles.ts'
import { deletePlaceRules } from '#server/availability/hours/save-hours.ts'
import { regenerateSlots } from '#server/availability/slots/extend-slots.ts'
import { listTypes } from '#server/availability/slots/free-times.ts'
import type { AsProvider, Context, Tx } from '#server/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import { rereadOutside } from '#server/outside-calendars/outside-calendars.ts'
import { type AuditDetails, changeOwn, ownProvider } from './own-profile.ts'
import {
  insertPlace,
  listOwnPlaces,
  orderPlaces,
  type PlaceColumns,
  setPlaceRemoved,
  updatePlace,
} from './own-profile-store.ts'
import { archiveTypesAt } from './store.ts'
import { applyTypeChanges } from './visit-types.ts'

/** Adds a practice place at the end; `too_many_places` beyond the sixth. */
export async function addPlace(ctx: AsProvider, input: AddPlaceInput): Promise<OwnProfile> {
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
        ...placeColumns(input, at),
      })
    },
  })
}

/**
 * Corrects a practice place. It cannot move to another postcode while visits are booked there:
 * their patients would go to the old one.
 */
export async function editPlace(ctx: AsProvider, input: EditPlaceInput): Promise<OwnProfile> {
  const { region } = await ownProvider(ctx, ctx.database.db)
  const at = await locatePractice(ctx, { region, postcode: input.postcode })
  return changePlace(ctx, {
    action: 'profile.place_changed',
    placeId: input.placeId,
    work: async (tx, { place, provider }) => {
      const visits = place.coming_visits
      if (at.postcode !== place.postcode && visits > 0) {
        throw new AppError('place_in_use', { visits })
      }
      const isThere = at.postcode === place.postcode
      // The provider may have corrected the zone that follows from the postcode.
      const timeZone = isThere ? place.time_zone : at.timeZone
      await updatePlace(tx.db, place.no, placeColumns(input, { ...at, timeZone }))
      // Its zone and its public holidays follow from the postcode.
      if (isThere) return
      await regenerateSlots(tx.db, provider.no, ctx.now())
    },
  })
}

/**
 * Removes a practice place and its free times. Visits booked there stay, once the provider has confirmed that
 * they know of them; visit types offered only there are archived. The last place cannot be removed.
 */
export function removePlace(ctx: AsProvider, input: RemovePlaceInput): Promise<OwnProfile> {
  return changePlace(ctx, {
    action: 'profile.place_removed',
    placeId: input.placeId,
    work: async (tx, { place, places, provider }) => {
      if (places.length === 1) throw new AppError('last_place')
      const visits = place.coming_visits
      if (visits > 0 && !input.confirmed) throw new AppError('place_has_visits', { visits })
      const types = await listTypes(tx.db, provider.no)
      await archiveTypesAt(tx.db, place.no, ctx.now())
      await setPlaceRemoved(tx.db, place.no, ctx.now())
      const left = places.filter(({ no }) => no !== place.no)
      await orderPlaces(
        tx.db,
        provider.no,
        left.map(({ no }) => no),
      )
      await deletePlaceRules(tx.db, { providerNo: provider.no, placeNo: place.no }, ctx.now())
      await applyTypeChanges(tx.db, { providerNo: provider.no, before: types, now: ctx.now() })
    },
  })
}

/** Puts one of the viewer's places first: the one their page names at the top. */
export function makeMainPlace(ctx: AsProvider, input: PlaceRef): Promise<OwnProfile> {
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
      // Blocks and the horizon go by its clock.
      await regenerateSlots(tx.db, provider.no, ctx.now())
    },
  })
}

type Places = Awaited<ReturnType<typeof listOwnPlaces>>
export type OnePlace = Places[number]

type PlaceChange = {
  action: AuditAction
  placeId: string
  work: (
    tx: Tx,
    found: { place: OnePlace; places: Places; provider: Provider },
  ) => Promise<AuditDetails | void>
}

/** Changes one of the viewer's places; another provider's is refused like one that does not exist. */
export function changePlace(ctx: AsProvider, change: PlaceChange): Promise<OwnProfile> {
  return changeOwn(ctx, {
    action: change.action,
    work: async (tx, provider) => {
      const places = await listOwnPlaces(tx.db, provider.no, ctx.now())
      const place = places.find(({ id }) => id === change.placeId)
      if (place === undefined) throw new AppError('not_found')
      const details = await change.work(tx, { place, places, provider })
      const [main] = await listOwnPlaces(tx.db, provider.no, ctx.now())
      if (main?.time_zone !== places[0]?.time_zone) {
        await rereadOutside(tx, provider.no, ctx.now())
      }
      return details
    },
  })
}

type PlaceInput = { hospital_name: string; address: string; phone?: string | null | undefined }

/** The columns of a practice place as it was entered and located. */
export function placeColumns(input: PlaceInput, at: PracticePlace): PlaceColumns {
  return {
    name: input.hospital_name,
    address: input.address,
    locality: at.locality,
    postcode: at.postcode,
    latitude: at.latitude,
    longitude: at.longitude,
    time_zone: at.timeZone,
    phone: input.phone ?? null,
  }
}

/** Locates a practice; every error in its code is reported for its field. */
export async function locatePractice(
  ctx: Context,
  { region, postcode }: { region: Region; postcode: string },
): Promise<PracticePlace> {
  const answer = await findPractice(ctx.database.db, region, postcode)
  if (answer.kind === 'practice') return answer
  const { codeWord, codeExample } = regionFacts[region]
  const message =
    answer.kind === 'partial'
      ? `Enter the whole ${codeWord}, such as ${codeExample}.`
      : errorMessage('postcode_unknown', { region, code: postcode })
  throw new AppError('invalid_input', {}, { issues: [{ path: 'postcode', message }] })
}
