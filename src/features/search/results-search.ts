import * as z from 'zod/mini'
import { Page } from '#contract/paging.ts'
import { Region } from '#contract/region.ts'
import { RADII, SearchFilters, SORTS } from '#contract/search.ts'
import type { SearchRefusal } from '#contract/search-sentences.ts'

const { shape } = SearchFilters

/** Addresses carry text; what looks like a number is one. */
const number = <Schema extends z.ZodMiniType>(schema: Schema) =>
  z.pipe(
    z.transform((raw: unknown) =>
      typeof raw === 'string' && raw.trim() !== '' ? Number(raw) : raw,
    ),
    schema,
  )

/** A ZIP such as 78701 must stay text, and the name of a place may look like anything. */
const text = <Schema extends z.ZodMiniType>(schema: Schema) =>
  z.pipe(
    z.transform((raw: unknown) =>
      ['string', 'number', 'boolean'].includes(typeof raw) ? String(raw).trim() : raw,
    ),
    schema,
  )

const flag = z.pipe(
  z.transform((raw: unknown) => {
    const said = String(raw)
    return said === 'true' || said === '1' || (said !== 'false' && said !== '0' && raw)
  }),
  z.boolean(),
)

// Under a name of its own, because linters take any `.catch` for a promise's.
const otherwise = z.catch

/** A field of the address: left out when absent or not readable, so that no address can crash a page. */
const lenient = <Schema extends z.ZodMiniType>(schema: Schema) =>
  otherwise(z.optional(schema), undefined)

const Given = z.object({
  selectedRegion: lenient(Region),
  postcode: lenient(text(z.string().check(z.maxLength(80)))),
  specialty: lenient(text(shape.specialty)),
  radius: lenient(number(z.literal(RADII))),
  sort: lenient(z.enum(SORTS)),
  page: lenient(number(Page)),
  distance_filter_clicked: lenient(flag),
  available: lenient(text(shape.available)),
  fee_max: lenient(number(shape.fee_max)),
  language: lenient(text(shape.language)),
  gender: lenient(text(shape.gender)),
  mode: lenient(text(shape.mode)),
  latitude: lenient(number(shape.latitude)),
  longitude: lenient(number(shape.longitude)),
})

export type Field = keyof typeof Given.shape

/** The address of `/results`: the filters that were given, the view, and what could not be read. */
export type ResultsSearch = z.infer<typeof Given> & {
  /** Below 1024 pixels the map stands in place of the list. */
  view?: 'map' | undefined
  /** Names of fields whose values were no good, so that the page can say so after a reload too. */
  refused?: string | undefined
}

const refusals: Partial<Record<Field, SearchRefusal>> = {
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
  return Object.hasOwn(Given.shape, name)
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null && value !== ''
}

const nothing = Object.fromEntries(Object.keys(Given.shape).map((name) => [name, undefined]))

/** Half a point is none: the place searched around is then the postcode, if there is one. */
function withoutHalfPoint(given: z.infer<typeof Given>): z.infer<typeof Given> {
  return hasPoint(given) ? given : { ...given, latitude: undefined, longitude: undefined }
}

/** Reads any address at all. Values that make no sense are left out and named in `refused`. */
export function readResultsSearch(raw: Record<string, unknown>): ResultsSearch {
  const given = withoutHalfPoint(Given.parse(raw))
  const already = typeof raw['refused'] === 'string' ? raw['refused'].split(',') : []
  const fields = Object.keys(Given.shape).filter(isField)
  const refused = fields.filter(
    (field) => given[field] === undefined && (isGiven(raw[field]) || already.includes(field)),
  )
  // Every key is written out: the router lets what is missing here through unread.
  return {
    ...nothing,
    ...given,
    view: raw['view'] === 'map' ? 'map' : undefined,
    refused: refused.length > 0 ? refused.join(',') : undefined,
  }
}

/** What the page says about values it could not read; a filter nobody offers counts as bad input. */
export function refusedCodes(search: ResultsSearch): SearchRefusal[] {
  const names = (search.refused ?? '').split(',').filter(isField)
  return [...new Set(names.map((name) => refusals[name] ?? 'invalid_input'))]
}

/** The full filters of an address; a field left out has its documented default. */
export function filtersOf(search: ResultsSearch, rememberedRegion: Region): SearchFilters {
  // The router hands on what else an address has, such as the mark of an advertisement.
  const set = Object.entries(search).filter(([name, value]) => isField(name) && value !== undefined)
  return SearchFilters.parse({ selectedRegion: rememberedRegion, ...Object.fromEntries(set) })
}

/** Whether there is anywhere to search around: a place, or a point on the map. */
export function hasPlace(filters: SearchFilters): boolean {
  return filters.postcode !== '' || hasPoint(filters)
}

/** Whether the search is around a point of the map rather than a named place. */
export function hasPoint(search: Pick<ResultsSearch, 'latitude' | 'longitude'>): boolean {
  return search.latitude !== undefined && search.longitude !== undefined
}

/** The same search with other filters: back on page one, and nothing refused any more. */
export function withFilters(search: ResultsSearch, change: Partial<ResultsSearch>): ResultsSearch {
  const { page: _page, refused: _refused, ...rest } = search
  return { ...rest, ...change }
}

/** The smallest radius on offer that covers a circle of so many miles, or the largest there is. */
export function coveringRadius(miles: number): SearchFilters['radius'] {
  return RADII.find((radius) => radius >= miles) ?? 50
}
