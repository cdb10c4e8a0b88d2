import * as z from 'zod/mini'
import { Page } from '#contract/base/paging.ts'
import { Region } from '#contract/base/region.ts'
import { RADII, type SearchErrorCode, SearchFilters, SORTS } from '#contract/search.ts'
import type { SearchArea } from './map/results-map-lazy.tsx'

const { shape } = SearchFilters

/** URLs carry text: converts what looks like a number. */
const number = <Schema extends z.ZodMiniType>(schema: Schema) =>
  z.pipe(
    z.transform((raw: unknown) =>
      typeof raw === 'string' && raw.trim() !== '' ? Number(raw) : raw,
    ),
    schema,
  )

/** Stays text even if it looks like a number, as a ZIP code such as 78701 does. */
const textParam = <Schema extends z.ZodMiniType>(schema: Schema) =>
  z.pipe(
    z.transform((raw: unknown) =>
      ['string', 'number', 'boolean'].includes(typeof raw) ? String(raw).trim() : raw,
    ),
    schema,
  )

const flag = z.pipe(
  z.transform((raw: unknown) => {
    const text = String(raw)
    return text === 'true' || text === '1' || (text !== 'false' && text !== '0' && raw)
  }),
  z.boolean(),
)

// Aliased because linters take any `.catch` for a promise's.
const withFallback = z.catch

/** A query parameter: undefined if absent or invalid, so that no URL can crash a page. */
const lenient = <Schema extends z.ZodMiniType>(schema: Schema) =>
  withFallback(z.optional(schema), undefined)

const ParamsSchema = z.object({
  selectedRegion: lenient(Region),
  postcode: lenient(textParam(z.string().check(z.maxLength(80)))),
  specialty: lenient(textParam(shape.specialty)),
  radius: lenient(number(z.literal(RADII))),
  sort: lenient(z.enum(SORTS)),
  page: lenient(number(Page)),
  distance_filter_clicked: lenient(flag),
  available: lenient(textParam(shape.available)),
  fee_max: lenient(number(shape.fee_max)),
  language: lenient(textParam(shape.language)),
  gender: lenient(textParam(shape.gender)),
  mode: lenient(textParam(shape.mode)),
  latitude: lenient(number(shape.latitude)),
  longitude: lenient(number(shape.longitude)),
})

export type Field = keyof typeof ParamsSchema.shape

/** URL query parameters of `/results`: the filters given, the view, and the invalid fields. */
export type ResultsSearch = z.infer<typeof ParamsSchema> & {
  /** Below 1024 pixels the map replaces the list. */
  view?: 'map' | undefined
  /** Names of fields with invalid values, so that the page can report them after a reload too. */
  refused?: string | undefined
}

const fieldErrors: Partial<Record<Field, SearchErrorCode>> = {
  postcode: 'place_invalid',
  specialty: 'specialty_unknown',
  radius: 'radius_invalid',
  sort: 'sort_invalid',
  page: 'page_invalid',
  fee_max: 'fee_invalid',
  latitude: 'coordinates_invalid',
  longitude: 'coordinates_invalid',
}

function isField(name: string): name is Field {
  return Object.hasOwn(ParamsSchema.shape, name)
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null && value !== ''
}

const emptyParams = Object.fromEntries(
  Object.keys(ParamsSchema.shape).map((name) => [name, undefined]),
)

/** Drops half a point: the search is then around the postcode, if there is one. */
function withoutHalfPoint(params: z.infer<typeof ParamsSchema>): z.infer<typeof ParamsSchema> {
  return hasPoint(params) ? params : { ...params, latitude: undefined, longitude: undefined }
}

/** Reads any query parameters. Invalid values are omitted and named in `refused`. */
export function readResultsSearch(raw: Record<string, unknown>): ResultsSearch {
  const params = withoutHalfPoint(ParamsSchema.parse(raw))
  const already = typeof raw['refused'] === 'string' ? raw['refused'].split(',') : []
  const fields = Object.keys(ParamsSchema.shape).filter(isField)
  const refused = fields.filter(
    (field) => params[field] === undefined && (isGiven(raw[field]) || already.includes(field)),
  )
  // Every key is returned: the router passes on missing ones unparsed.
  return {
    ...emptyParams,
    ...params,
    view: raw['view'] === 'map' ? 'map' : undefined,
    refused: refused.length > 0 ? refused.join(',') : undefined,
  }
}

/** Error codes for the invalid fields; those without a specific code are `invalid_input`. */
export function refusedCodes(search: ResultsSearch): SearchErrorCode[] {
  const names = (search.refused ?? '').split(',').filter(isField)
  return [...new Set(names.map((name) => fieldErrors[name] ?? 'invalid_input'))]
}

/** The complete filters of a URL, with the documented defaults for omitted fields. */
export function filtersOf(search: ResultsSearch, rememberedRegion: Region): SearchFilters {
  // The router passes on other query parameters, such as tracking parameters of advertisements.
  const set = Object.entries(search).filter(([name, value]) => isField(name) && value !== undefined)
  return SearchFilters.parse({ selectedRegion: rememberedRegion, ...Object.fromEntries(set) })
}

/** Whether there is anything to search around: a place, or a point on the map. */
export function hasPlace(filters: SearchFilters): boolean {
  return filters.postcode !== '' || hasPoint(filters)
}

/** Whether the search is around a point on the map rather than a named place. */
export function hasPoint(search: Pick<ResultsSearch, 'latitude' | 'longitude'>): boolean {
  return search.latitude !== undefined && search.longitude !== undefined
}

/** The same search with other filters, on page one and without invalid fields. */
export function withFilters(search: ResultsSearch, change: Partial<ResultsSearch>): ResultsSearch {
  const { page: _page, refused: _refused, ...rest } = search
  return { ...rest, ...change }
}

/** What to search for around a view of the map; four decimals are a few metres. */
export function searchAround({ lat, lon, radiusMiles }: SearchArea) {
  return {
    latitude: Number(lat.toFixed(4)),
    // A map without bounds, as of Guam, counts on past the date line.
    longitude: Number((lon - 360 * Math.round(lon / 360)).toFixed(4)),
    radius: coveringRadius(radiusMiles),
  }
}

/** The smallest radius on offer that covers the given miles, or the largest there is. */
export function coveringRadius(miles: number): SearchFilters['radius'] {
  return RADII.find((radius) => radius >= miles) ?? 50
}
