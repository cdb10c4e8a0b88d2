import { ProfessionalBody } from '#contract/people.ts'
import { Region } from '#contract/region.ts'
import { IsoDate } from '#contract/time.ts'
import { ProviderList, type ProvidersInput } from '#contract/verification-staff.ts'

/** URL query parameters of a list of providers, each omitted at its default. */
export type ProvidersSearch = {
  list?: string
  search?: string
  region?: string
  body?: string
  from?: string
  to?: string
  sort?: string
  page?: string
}

/** A query parameter parsed by its schema; undefined if invalid. */
function parseParam<T>(
  schema: { safeParse(text: unknown): { success: true; data: T } | { success: false } },
  text: unknown,
): T | undefined {
  const read = schema.safeParse(text)
  return read.success ? read.data : undefined
}

/** Reads the query parameters; invalid ones count as absent. */
export function readProvidersSearch(address: ProvidersSearch): ProvidersInput {
  const { search = '', sort } = address
  const page = Number(address.page)
  return {
    list: parseParam(ProviderList, address.list) ?? 'all',
    search: search.trim().slice(0, 100),
    region: parseParam(Region, address.region),
    body: parseParam(ProfessionalBody, address.body),
    from: parseParam(IsoDate, address.from),
    to: parseParam(IsoDate, address.to),
    sort: sort === 'name' || sort === 'newest' || sort === 'oldest' ? sort : 'usual',
    page: Number.isInteger(page) && page >= 1 && page <= 10_000 ? page : 1,
  }
}

/** URL query parameters for a list's input. */
export function toProvidersSearch(input: ProvidersInput): ProvidersSearch {
  const { list, search, region, body, from, to, sort, page } = input
  return {
    ...(list !== 'all' && { list }),
    ...(search !== '' && { search }),
    ...(region && { region }),
    ...(body && { body }),
    ...(from && { from }),
    ...(to && { to }),
    ...(sort !== 'usual' && { sort }),
    ...(page > 1 && { page: String(page) }),
  }
}

/** Whether any filter is set, other than list and order. */
export function hasFilters({ search, region, body, from, to }: ProvidersInput): boolean {
  return search !== '' || [region, body, from, to].some((one) => one !== undefined)
}
