import { ProfessionalBody } from '#contract/people.ts'
import { Region } from '#contract/region.ts'
import { IsoDate } from '#contract/time.ts'
import { ProviderList, type ProvidersInput } from '#contract/verification-staff.ts'

/** A list of providers as its address has it, each part left out while it is the usual one. */
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

/** A part of an address where it says something of its kind. */
function known<T>(
  schema: { safeParse(text: unknown): { success: true; data: T } | { success: false } },
  text: unknown,
): T | undefined {
  const read = schema.safeParse(text)
  return read.success ? read.data : undefined
}

/** What an address asks for; what it has wrong counts as not there. */
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

/** The address of what is asked for. */
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

/** Whether anything but the list and the order narrows what is shown. */
export function isNarrowed({ search, region, body, from, to }: ProvidersInput): boolean {
  return search !== '' || [region, body, from, to].some((one) => one !== undefined)
}
