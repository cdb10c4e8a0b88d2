import type { ErrorCode, ErrorDetails } from './errors.ts'
import { Region, regionFacts } from './region.ts'

export type ErrorText = string | ((details: ErrorDetails) => string)

/** What a postcode is called in the region the details name. */
export function postcodeLabel(details: ErrorDetails): string {
  const region = Region.safeParse(details['region'])
  return region.success ? regionFacts[region.data].codeWord : 'postcode or ZIP code'
}

/** Search errors that the page can report without asking the server. */
export const searchErrorMessages = {
  invalid_input: 'Check the highlighted answers and try again.',
  place_missing: (d) => `Enter a ${postcodeLabel(d)} or a town.`,
  place_invalid: (d) => `Enter a valid ${postcodeLabel(d)}.`,
  radius_invalid: 'Choose a distance of 1, 3, 5, 10, 25 or 50 miles.',
  page_invalid: 'Choose a page between 1 and 10,000.',
  coordinates_invalid: 'Choose a point on the map.',
  specialty_unknown: 'Choose a specialty from the list.',
  fee_invalid: 'Enter a maximum fee between 1 and 10,000.',
  sort_invalid: 'Choose one of the sort options.',
} satisfies Partial<Record<ErrorCode, ErrorText>>

export type SearchErrorCode = keyof typeof searchErrorMessages

/** The words for what is wrong with a search. */
export function searchErrorMessage(code: SearchErrorCode, details: ErrorDetails): string {
  const sentence: ErrorText = searchErrorMessages[code]
  return typeof sentence === 'string' ? sentence : sentence(details)
}
