import * as z from 'zod/mini'
import { ConsentId } from '#contract/auth.ts'
import { ProviderId } from '#contract/base/ids.ts'
import { Currency } from '#contract/base/money.ts'
import { FilterRemoval, SearchFilters, Specialty } from '#contract/search.ts'
import { isRefusal } from '#server/failures.ts'
import {
  Amount,
  type Caller,
  Flag,
  majorText,
  noBody,
  numeric,
  okFields,
  okMessage,
  type RestCall,
  restCall,
} from '#server/rest/call.ts'
import { DoctorRow, doctorRow } from './doctor.ts'

const room = 'Search'
const filters = SearchFilters.shape
const radius = z.literal(filters.radius.def.innerType.def.values, { error: 'radius_invalid' })
const page = filters.page.def.innerType

const where = {
  selectedRegion: z.optional(filters.selectedRegion),
  postcode: z.optional(filters.postcode),
  specialty: z.optional(filters.specialty),
  radius: z.optional(numeric(radius)),
  latitude: z.optional(numeric(filters.latitude.def.innerType)),
  longitude: z.optional(numeric(filters.longitude.def.innerType)),
}

/** Accepted but ignored: the browser's consent id is no filter. */
const consentID = z.optional(ConsentId)
const captchaValue = z.optional(z.string().check(z.maxLength(4_000, { error: 'captcha_invalid' })))

/** Runs a search; when a CAPTCHA is required, proves the one sent along and retries. */
async function withProof<T>(
  caller: Caller,
  captcha: string | undefined,
  search: () => Promise<T>,
): Promise<T> {
  try {
    return await search()
  } catch (error) {
    if (captcha === undefined || !isRefusal(error, 'captcha_required')) throw error
    await caller.search.prove({ captchaValue: captcha })
    return search()
  }
}

const Place = z.object({ label: z.string(), latitude: z.number(), longitude: z.number() })

const search = restCall({
  method: 'GET',
  path: '/api/test-search/',
  room,
  title: 'Find providers',
  about:
    'Around a postcode, a ZIP code or a town. `radius` is in miles; without `distance_filter_clicked` a search that finds fewer than three widens it step by step, unless removing a filter would find more: `removals` then says how many. Where nobody is found, `next_radius` is the next radius that finds somebody, if any does. Ten a page. `free_times` can be booked unchanged.',
  procedures: ['search.providers'],
  refusals: [
    'place_missing',
    'place_invalid',
    'postcode_unknown',
    'place_unknown',
    'radius_invalid',
    'page_invalid',
    'specialty_unknown',
    'sort_invalid',
    'captcha_required',
  ],
  example: {
    query: { postcode: 'SE1 6ET', specialty: 'gp', radius: '10', sort: 'soonest' },
    answer: {
      status: true,
      message: '77 providers',
      data: [{ _id: 'prv_…', name: 'Dr Amara Okafor', speciality: 'GP', distance: 0.7 }],
      total: 77,
      current_page: 1,
      total_pages: 8,
      radius: 10,
      widened: false,
    },
  },
  query: z.strictObject({
    ...where,
    page: z.optional(numeric(page)),
    sort: z.optional(filters.sort),
    distance_filter_clicked: z.optional(Flag),
    available: filters.available,
    fee_max: z.optional(numeric(filters.fee_max.def.innerType)),
    language: filters.language,
    gender: filters.gender,
    mode: filters.mode,
    captchaValue,
    consentID,
  }),
  body: noBody,
  answer: z.object({
    ...okFields,
    data: z.array(DoctorRow),
    total: z.int(),
    current_page: z.int(),
    total_pages: z.int(),
    /** Radius of the final search, in miles. */
    radius: z.number(),
    widened: z.boolean(),
    removals: z.optional(z.array(FilterRemoval)),
    next_radius: z.optional(radius),
    place: Place,
  }),
  run: async ({ caller, query }) => {
    const { captchaValue: captcha, consentID: _, ...input } = query
    const found = await withProof(caller, captcha, () => caller.search.providers(input))
    return {
      ...okMessage(found.total === 1 ? '1 provider' : `${found.total} providers`),
      data: found.results.map(doctorRow),
      total: found.total,
      current_page: found.page,
      total_pages: found.pages,
      radius: found.radius,
      widened: found.widened,
      ...(found.removals && { removals: found.removals }),
      ...(found.nextRadius && { next_radius: found.nextRadius }),
      place: found.place,
    }
  },
})

const Pin = z.object({
  _id: ProviderId,
  name: z.string(),
  latitude: z.number(),
  longitude: z.number(),
  /** The specification's spelling; the same number. */
  longitudea: z.number(),
  distance: z.number(),
  amount: Amount,
  currency: Currency,
})

const map = restCall({
  method: 'GET',
  path: '/api/map-view/',
  room,
  title: 'Find providers for a map',
  about:
    'The nearest 500 as points, around a place or around `latitude` and `longitudea` (`longitude` is accepted too).',
  procedures: ['search.map'],
  refusals: ['place_missing', 'radius_invalid', 'coordinates_invalid', 'captcha_required'],
  example: {
    query: { postcode: 'SE1 6ET', radius: '5', latitude: '51.495', longitudea: '-0.101' },
    answer: {
      status: true,
      message: '31 providers',
      data: [{ _id: 'prv_…', name: 'Dr Amara Okafor', latitude: 51.5, longitudea: -0.1 }],
      total: 31,
      radius: 5,
    },
  },
  query: z.strictObject({
    ...where,
    longitudea: where.longitude,
    captchaValue,
    consentID,
  }),
  body: noBody,
  answer: z.object({
    ...okFields,
    data: z.array(Pin),
    total: z.int(),
    radius: z.number(),
    place: Place,
  }),
  run: async ({ caller, query }) => {
    const { longitudea, captchaValue: captcha, consentID: _, ...rest } = query
    const longitude = rest.longitude ?? longitudea
    const found = await withProof(caller, captcha, () => caller.search.map({ ...rest, longitude }))
    return {
      ...okMessage(found.total === 1 ? '1 provider' : `${found.total} providers`),
      data: found.pins.map((pin) => ({
        _id: pin.id,
        name: pin.name,
        latitude: pin.latitude,
        longitude: pin.longitude,
        longitudea: pin.longitude,
        distance: pin.distance,
        amount: majorText(pin.fee),
        currency: pin.fee.currency,
      })),
      total: found.total,
      radius: found.radius,
      place: found.place,
    }
  },
})

const specialities = restCall({
  method: 'GET',
  path: '/api/get-speciality',
  room,
  title: 'List the specialties',
  about:
    'Of a region, by the names patients use there. `slug` is the search’s `specialty`. Cacheable for a day.',
  procedures: ['search.specialities'],
  cache: 'public, max-age=86400',
  example: {
    query: { selectedRegion: 'uk' },
    answer: {
      status: true,
      message: '30 specialties',
      data: [{ slug: 'gp', name: 'GP', plural: 'GPs', about: '…' }],
    },
  },
  query: z.strictObject({ selectedRegion: z.optional(filters.selectedRegion) }),
  body: noBody,
  answer: z.object({ ...okFields, data: z.array(Specialty) }),
  run: async ({ caller, query }) => {
    const data = await caller.search.specialities(query)
    return { ...okMessage(`${data.length} specialties`), data }
  },
})

/** Provider search. */
export const searchCalls: readonly RestCall[] = [search, map, specialities]
