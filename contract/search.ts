import * as z from 'zod/mini'
import { CaptchaValue } from './base/captcha.ts'
import { ProviderId, VisitTypeId } from './base/ids.ts'
import { Money } from './base/money.ts'
import { Page } from './base/paging.ts'
import { Gender, Language } from './base/people.ts'
import { cardFields, publicFields } from './base/provider.ts'
import { Region } from './base/region.ts'
import { IsoDate, IsoInstant } from './base/time.ts'
import type { ErrorDetails, ErrorText } from './errors/error-table.ts'
import { searchErrors } from './errors/search.ts'

/** Search radii on offer, in miles. */
export const RADII = [1, 3, 5, 10, 25, 50] as const
export const DEFAULT_RADIUS = 10

/** With fewer results than this, a search whose radius nobody chose is widened step by step. */
export const WIDEN_BELOW = 3

/** Nearest providers that the map draws individually; the total is always exact. */
export const MAP_PIN_LIMIT = 500

/** Filters of a search besides where, what and how far; each can be removed. */
export const NARROWING_FILTERS = ['available', 'fee_max', 'language', 'gender', 'mode'] as const
export type NarrowingFilter = (typeof NARROWING_FILTERS)[number]

export const SORTS = ['distance', 'soonest', 'fee_low', 'fee_high', 'name'] as const
export const AVAILABLE_WITHIN = ['today', '3', '14'] as const

/** Stable key of one of the thirty specialties, such as `dentist`. */
export const SpecialtySlug = z
  .string()
  .check(z.regex(/^[a-z][a-z-]{1,40}$/, { error: 'specialty_unknown' }))

const error = (code: string) => ({ error: code })
const latitude = z
  .number(error('coordinates_invalid'))
  .check(z.minimum(-90, error('coordinates_invalid')), z.maximum(90, error('coordinates_invalid')))
const longitude = z
  .number(error('coordinates_invalid'))
  .check(
    z.minimum(-180, error('coordinates_invalid')),
    z.maximum(180, error('coordinates_invalid')),
  )

/**
 * The whole state of a search, under the documented names: it is the URL of `/results` and the
 * input of `search.providers`. A message is an `ErrorCode`. With `latitude` and `longitude` the
 * circle is around that point and `postcode` only labels it.
 */
export const SearchFilters = z.strictObject({
  selectedRegion: z._default(Region, 'uk'),
  postcode: z._default(z.string().check(z.maxLength(80, error('place_invalid'))), ''),
  specialty: z.optional(SpecialtySlug),
  radius: z._default(z.literal(RADII, error('radius_invalid')), DEFAULT_RADIUS),
  sort: z._default(z.enum(SORTS, error('sort_invalid')), 'distance'),
  page: z._default(Page, 1),
  distance_filter_clicked: z._default(z.boolean(), false),
  available: z.optional(z.enum(AVAILABLE_WITHIN)),
  /** Highest first-visit fee in whole pounds or dollars. */
  fee_max: z.optional(
    z
      .int(error('fee_invalid'))
      .check(z.minimum(1, error('fee_invalid')), z.maximum(10_000, error('fee_invalid'))),
  ),
  language: z.optional(Language),
  gender: z.optional(Gender),
  mode: z.optional(z.enum(['in_person', 'video'])),
  latitude: z.optional(latitude),
  longitude: z.optional(longitude),
})
export type SearchFilters = z.infer<typeof SearchFilters>
export type Sort = SearchFilters['sort']

export const VisitMode = z.enum(['in_person', 'video'])
export type VisitMode = z.infer<typeof VisitMode>

/** Where the search is centred and how exactly we know it. */
export const SearchPlace = z.object({
  label: z.string(),
  level: z.enum(['unit', 'sector', 'outcode', 'area', 'zip', 'place', 'point']),
  isApproximate: z.boolean(),
  latitude: z.number(),
  longitude: z.number(),
  /** Other places of that name to search instead; left out where it is clear which is meant. */
  others: z.optional(z.array(z.string())),
  /** The town whose centre distances are measured from, where a code's own location is not known. */
  standsIn: z.optional(z.string()),
  /** What was typed, where it was taken for a typo. */
  insteadOf: z.optional(z.string()),
})
export type SearchPlace = z.infer<typeof SearchPlace>

/** A day in the clinic's zone with some of its free times, earliest first. */
export const FreeDay = z.object({
  date: IsoDate,
  /** `place` is its name, where a provider with more than one views their own times. */
  slots: z.array(z.object({ startsAt: IsoInstant, place: z.optional(z.string()) })),
  /** How many further free times the day has beyond those listed. */
  more: z.int(),
})
export type FreeDay = z.infer<typeof FreeDay>

export const Specialty = z.object({
  slug: SpecialtySlug,
  /** What a patient calls it in this region: "GP" or "Family doctor". */
  name: z.string(),
  /** More than one of them: "GPs", "Dentists". */
  plural: z.string(),
  /** A sentence saying what they see people for. */
  about: z.string(),
})
export type Specialty = z.infer<typeof Specialty>

/** One provider as a row of the results. */
export const ProviderCard = z.object({
  ...cardFields,
  name: z.string(),
  specialty: z.object({ slug: SpecialtySlug, name: z.string() }),
  place: z.object({
    name: z.string(),
    locality: z.string(),
    postcode: z.string(),
    latitude: z.number(),
    longitude: z.number(),
    timeZone: z.string(),
  }),
  /** Miles from the centre of the search, one decimal. */
  distance: z.number(),
  rating: z.nullable(z.object({ average: z.number(), count: z.int() })),
  fee: Money,
  followUpFee: Money,
  verified: z.object({ body: z.string(), on: IsoDate }),
  modes: z.array(VisitMode),
  nextFree: z.nullable(IsoInstant),
  days: z.array(FreeDay),
  /** Time zone of the main place, in which links carry a time; left out where this place shares it. */
  mainZone: z.optional(z.string()),
  /** They work at other places too: the times are those at this one. */
  isOneOfSeveral: z.optional(z.literal(true)),
})
export type ProviderCard = z.infer<typeof ProviderCard>

/** How many providers there would be within the same radius without this filter. */
export const FilterRemoval = z.object({ filter: z.enum(NARROWING_FILTERS), total: z.int() })
export type FilterRemoval = z.infer<typeof FilterRemoval>

export const SearchResults = z.object({
  place: SearchPlace,
  /** Radius used, in miles; larger than asked for when `widened`. */
  radius: z.number(),
  widened: z.boolean(),
  /** Filters whose removal finds more, best first; only where the filters leave too few. */
  removals: z.optional(z.array(FilterRemoval)),
  /** Where nobody is found: the next radius that finds somebody, if any does. */
  nextRadius: z.optional(z.literal(RADII)),
  total: z.int(),
  page: z.int(),
  pages: z.int(),
  results: z.array(ProviderCard),
})
export type SearchResults = z.infer<typeof SearchResults>

export const MapPin = z.object({
  id: ProviderId,
  name: z.string(),
  latitude: z.number(),
  longitude: z.number(),
  distance: z.number(),
  fee: Money,
  nextFree: z.nullable(IsoInstant),
})
export type MapPin = z.infer<typeof MapPin>

/** The nearest providers as points (at most `MAP_PIN_LIMIT`) and how many there are in all. */
export const MapResults = z.object({
  place: SearchPlace,
  radius: z.number(),
  total: z.int(),
  pins: z.array(MapPin),
})
export type MapResults = z.infer<typeof MapResults>

export const SuggestInput = z.strictObject({
  selectedRegion: z._default(Region, 'uk'),
  text: z.string().check(z.maxLength(80, error('place_invalid'))),
})
export type SuggestInput = z.infer<typeof SuggestInput>

/** A completion for the place field: `value` is what the field takes, `detail` tells namesakes apart. */
export const PlaceSuggestion = z.object({
  label: z.string(),
  detail: z.string(),
  value: z.string(),
})
export type PlaceSuggestion = z.infer<typeof PlaceSuggestion>

/** Coordinates from the browser; in the body of a request, which is never logged. */
export const LocateInput = z.strictObject({ latitude, longitude })
export type LocateInput = z.infer<typeof LocateInput>

/** The nearest postcode or ZIP code that a search accepts, and its region. */
export const LocatedPlace = z.object({ selectedRegion: Region, postcode: z.string() })
export type LocatedPlace = z.infer<typeof LocatedPlace>

export const SpecialitiesInput = z.strictObject({ selectedRegion: z._default(Region, 'uk') })

export const ProviderInput = z.strictObject({
  id: ProviderId,
  selectedRegion: z.optional(Region),
})
export type ProviderInput = z.infer<typeof ProviderInput>

/** A kind of visit that a provider offers, as patients choose among them. */
export const OfferedVisitType = z.object({
  id: VisitTypeId,
  name: z.string(),
  minutes: z.int(),
  /** Fee for a new patient. */
  fee: Money,
  followUpFee: Money,
  /** How it can currently take place. */
  modes: z.array(VisitMode),
  /** Name of the only place where it is offered; null is every place. */
  place: z.nullable(z.string()),
})
export type OfferedVisitType = z.infer<typeof OfferedVisitType>

/** The public profile: exactly what anybody may see of a Verified provider. */
export const ProviderProfile = z.object({
  ...publicFields,
  name: z.string(),
  specialty: z.object({ slug: SpecialtySlug, name: z.string(), plural: z.string() }),
  modes: z.array(VisitMode),
  /** `checkedOn` is null only in the preview of a provider not yet compared with the register. */
  registration: z.object({
    body: z.string(),
    number: z.string(),
    checkedOn: z.nullable(IsoDate),
  }),
  rating: z.nullable(z.object({ average: z.number(), count: z.int() })),
  fee: Money,
  followUpFee: Money,
  consultationMinutes: z.int(),
  /** What visits can be about; the fees, the length and `nextFree` are those of the first. */
  visitTypes: z.array(OfferedVisitType),
  cancellation: z.object({ freeHours: z.int(), latePercent: z.int() }),
  /** `hospital_details` of the specification, first is the main place. */
  places: z.array(
    z.object({
      name: z.string(),
      address: z.string(),
      locality: z.string(),
      postcode: z.string(),
      latitude: z.number(),
      longitude: z.number(),
      timeZone: z.string(),
      phone: z.nullable(z.string()),
    }),
  ),
  nextFree: z.nullable(IsoInstant),
  /** Others of the same specialty close by, for people who land here and find nothing free. */
  nearby: z.array(ProviderCard),
})
export type ProviderProfile = z.infer<typeof ProviderProfile>

/** Lifts the search rate limit of a network for a while, after `captcha_required`. */
export const ProveInput = z.strictObject({ captchaValue: CaptchaValue })
export type ProveInput = z.infer<typeof ProveInput>

export type SearchErrorCode = keyof typeof searchErrors

/** The words for what is wrong with a search. */
export function searchErrorMessage(code: SearchErrorCode, details: ErrorDetails): string {
  const text: ErrorText = searchErrors[code].text
  return typeof text === 'string' ? text : text(details)
}
