import { Region, regionFacts } from '#contract/base/region.ts'
import { detailText, type ErrorDetails, type ErrorTable, postcodeLabel } from './error-table.ts'

/**
 * For postcodes in Northern Ireland, whose locations nobody publishes: suggests a place to search instead.
 */
function nearbyText(details: ErrorDetails): string | undefined {
  const near = detailText(details, 'near')
  if (near === '') return undefined
  return `We don’t know where “${detailText(details, 'code')}” is: exact locations in Northern Ireland aren’t public. Check the postcode, or search near ${near} or another town.`
}

/** Places, postcodes and providers that are not found. */
export const placesErrors = {
  postcode_unknown: {
    status: 'NOT_FOUND',
    text: (d) =>
      nearbyText(d) ??
      `We can’t find the ${postcodeLabel(d)} “${detailText(d, 'code')}”. Check it and try again.`,
  },
  place_unknown: {
    status: 'NOT_FOUND',
    text: (d) => {
      const near = detailText(d, 'near')
      const unknown = `We can’t find a place called “${detailText(d, 'text')}”.`
      return near === ''
        ? `${unknown} Check it, or enter a ${postcodeLabel(d)}.`
        : `${unknown} Did you mean ${near}? If not, check it or enter a ${postcodeLabel(d)}.`
    },
  },
  postcode_without_place: {
    status: 'BAD_REQUEST',
    text: (d) =>
      nearbyText(d) ??
      `“${detailText(d, 'code')}” isn’t a place on the map. Enter the ${postcodeLabel(d)} of where you want to be seen.`,
  },
  postcode_military: {
    status: 'BAD_REQUEST',
    text: (d) =>
      `“${detailText(d, 'code')}” is a military ZIP code overseas. Enter the ZIP code of where you want to be seen.`,
  },
  place_in_other_region: {
    status: 'BAD_REQUEST',
    text: (d) => {
      const region = Region.safeParse(d['otherRegion'])
      const where = region.success ? regionFacts[region.data].label : 'other region'
      return `“${detailText(d, 'label')}” is in the ${where}. Switch to the ${where} to search there.`
    },
  },
  location_outside: {
    status: 'NOT_FOUND',
    text: 'You seem to be outside the UK and the USA. Enter a postcode or ZIP code of where you want to be seen.',
  },
  provider_not_found: {
    status: 'NOT_FOUND',
    text: 'We couldn’t find that provider. They may no longer take bookings here.',
  },
} as const satisfies ErrorTable
