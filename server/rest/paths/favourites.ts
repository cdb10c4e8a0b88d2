import * as z from 'zod/mini'
import { ProviderId } from '#contract/base/ids.ts'
import { Currency } from '#contract/base/money.ts'
import { Region } from '#contract/base/region.ts'
import { IsoInstant } from '#contract/base/time.ts'
import { type Favourite, FavouriteRef } from '#contract/profiles.ts'
import {
  Amount,
  majorText,
  noBody,
  noQuery,
  OK,
  okFields,
  okMessage,
  parseId,
  type RestCall,
  restCall,
} from '#server/rest/call.ts'

const room = 'Favourites'

const Row = z.object({
  provider_id: ProviderId,
  saved_at: IsoInstant,
  /** False while patients cannot find the provider; the fields below are null then. */
  is_listed: z.boolean(),
  doctor_name: z.nullable(z.string()),
  region: z.nullable(Region),
  speciality: z.nullable(z.string()),
  hospital_name: z.nullable(z.string()),
  postcode: z.nullable(z.string()),
  amount: z.nullable(Amount),
  currency: z.nullable(Currency),
  next_free: z.nullable(IsoInstant),
})

function rowOf({ providerId, savedAt, provider }: Favourite): z.input<typeof Row> {
  return {
    provider_id: providerId,
    saved_at: savedAt,
    is_listed: provider !== null,
    doctor_name: provider?.name ?? null,
    region: provider?.region ?? null,
    speciality: provider?.specialty ?? null,
    hospital_name: provider?.place.name ?? null,
    postcode: provider?.place.postcode ?? null,
    amount: provider === null ? null : majorText(provider.fee),
    currency: provider?.fee.currency ?? null,
    next_free: provider?.nextFree ?? null,
  }
}

const add = restCall({
  method: 'POST',
  path: '/user/favourites/',
  room,
  source: 'added',
  title: 'Save a provider',
  about:
    'Puts a provider on a patient’s own list, up to 100. Saving one twice is not an error. An unlisted provider is 404.',
  procedures: ['profiles.saveFavourite'],
  refusals: ['provider_not_found', 'favourites_full'],
  example: {
    as: 'patient',
    body: { providerId: '$PROVIDER' },
    answer: { status: true, message: 'Saved.' },
  },
  query: noQuery,
  body: { json: FavouriteRef },
  answer: z.object(okFields),
  run: async ({ caller, body }) => {
    await caller.profiles.saveFavourite(body)
    return okMessage('Saved.')
  },
})

const list = restCall({
  method: 'GET',
  path: '/user/favourites/',
  room,
  source: 'added',
  title: 'List the providers you have saved',
  about:
    'A patient’s own, the latest first. A provider who is not listed at the moment stays in it, with `is_listed` false and no other details.',
  procedures: ['profiles.favourites'],
  example: {
    as: 'patient',
    answer: {
      status: true,
      favourites: [
        {
          provider_id: 'prv_…',
          saved_at: '2026-03-02T09:00:00.000Z',
          is_listed: true,
          doctor_name: 'Dr Amara Okafor',
          region: 'uk',
          speciality: 'GP',
          hospital_name: 'Borough Practice',
          postcode: 'SE1 6ET',
          amount: '60.00',
          currency: 'GBP',
          next_free: '2026-03-03T09:00:00.000Z',
        },
      ],
    },
  },
  query: noQuery,
  body: noBody,
  answer: z.object({ status: z.literal(true), favourites: z.array(Row) }),
  run: async ({ caller }) => {
    return { ...OK, favourites: (await caller.profiles.favourites({})).map(rowOf) }
  },
})

const remove = restCall({
  method: 'DELETE',
  path: '/user/favourites/{providerId}/',
  room,
  source: 'added',
  title: 'Remove a saved provider',
  about:
    'Takes a provider off a patient’s own list. Removing one that is not on it is not an error.',
  procedures: ['profiles.removeFavourite'],
  example: {
    as: 'patient',
    params: { providerId: '$PROVIDER' },
    answer: { status: true, message: 'Removed.' },
  },
  query: noQuery,
  body: noBody,
  answer: z.object(okFields),
  run: async ({ caller, params }) => {
    await caller.profiles.removeFavourite({ providerId: parseId(ProviderId, params['providerId']) })
    return okMessage('Removed.')
  },
})

/** Patients' saved providers, which the specification does not cover. */
export const favouriteCalls: readonly RestCall[] = [add, list, remove]
