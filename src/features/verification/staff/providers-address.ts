import { ProfessionalBody } from '#contract/people.ts'
import { Region } from '#contract/region.ts'
import { IsoDate } from '#contract/time.ts'
import { ProviderList, type ProvidersInput } from '#contract/verification-staff.ts'

/** URL query parameters of a list of providers, each omitted at its default. */
export type ProvidersAddress = {
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
function known<T>(
  schema: { safeParse(text: unknown): { success: true; data: T } | { success: false } },
  text: unknown,
): T | undefined {
  const read = schema.safeParse(text)
  return read.success ? read.data : undefined
}

/** Reads the query parameters; invalid ones count as absent. */
export function readAddress(address: ProvidersAddress): ProvidersInput {
  const { search = '', sort } = address
  const page = Number(address.page)
  return {
    list: known(ProviderList, address.list) ?? 'all',
    search: search.trim().slice(0, 100),
    region: known(Region, address.region),
    body: known(ProfessionalBody, address.body),
    from: known(IsoDate, address.from),
    to: known(IsoDate, address.to),
    sort: sort === 'name' || sort === 'newest' || sort === 'oldest' ? sort : 'usual',
    page: Number.isInteger(page) && page >= 1 && page <= 10_000 ? page : 1,
  }
}

/** URL query parameters for a list's input. */
export function writeAddress(input: ProvidersInput): ProvidersAddress {
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
export function isNarrowed({ search, region, body, from, to }: ProvidersInput): boolean {
  return search !== '' || [region, body, from, to].some((one) => one !== undefined)
}
