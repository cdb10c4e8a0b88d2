import type { ErrorCode, ErrorDetails } from './errors.ts'
import { Region, regionFacts } from './region.ts'

type Sentence = string | ((details: ErrorDetails) => string)

function text(details: ErrorDetails, key: string): string {
  const value = details[key]
  return value === undefined ? '' : String(value)
}

function codeWord(details: ErrorDetails): string {
  const region = Region.safeParse(details['region'])
  return region.success ? regionFacts[region.data].codeWord : 'postcode or ZIP code'
}

/** Hours and minutes do not help here: the limits are short, so seconds are said. */
function inSeconds(details: ErrorDetails): string {
  const seconds = Number(details['retryAfterSeconds'] ?? 60)
  return seconds === 1 ? '1 second' : `${seconds} seconds`
}

const sentences: Record<ErrorCode, Sentence> = {
  invalid_input: 'Check the highlighted answers and try again.',
  unknown_field: 'Unknown field.',
  not_json: 'The request was not valid JSON.',
  batch_too_large: 'Batch call exceeds maximum size',
  body_too_large: 'That is too long to send. Shorten it and try again.',
  unsupported_media_type: 'Send the request as JSON.',
  foreign_origin: 'Request came from another site.',
  method_not_allowed: 'That method is not allowed here.',
  not_found: 'We could not find that.',
  sign_in_required: 'Sign in to continue.',
  forbidden: 'Your account may not do this.',
  rate_limited: (d) => `Too many requests. Try again in ${inSeconds(d)}.`,
  place_missing: (d) => `Enter a ${codeWord(d)} or a town.`,
  place_invalid: 'Enter a valid postcode or ZIP code.',
  postcode_unknown: (d) =>
    `We can't find the ${codeWord(d)} '${text(d, 'code')}'. Check it and try again.`,
  place_unknown: (d) =>
    `We can't find a place called '${text(d, 'text')}'. Check it, or enter a ${codeWord(d)}.`,
  postcode_without_place: (d) =>
    `'${text(d, 'code')}' does not belong to a place on the map. Enter the ${codeWord(d)} of where you want to be seen.`,
  postcode_military: (d) =>
    `'${text(d, 'code')}' is a military ZIP code overseas. Enter the ZIP code of where you want to be seen.`,
  place_in_other_region: (d) => {
    const region = Region.safeParse(d['otherRegion'])
    const where = region.success ? regionFacts[region.data].label : 'other region'
    return `'${text(d, 'label')}' is in the ${where}. Switch to the ${where} to search there.`
  },
  radius_invalid: 'Choose a distance of 1, 3, 5, 10, 25 or 50 miles.',
  page_invalid: 'Choose a page between 1 and 10,000.',
  coordinates_invalid: 'Choose a point on the map.',
  specialty_unknown: 'Choose a specialty from the list.',
  fee_invalid: 'Enter a highest fee between 1 and 10,000.',
  sort_invalid: 'Choose one of the ways to order results.',
  date_invalid: 'Enter a real date.',
  provider_not_found:
    'We could not find that provider. They may have stopped taking bookings here.',
  message_rejected: 'We could not send this message. Check it and try again.',
  message_too_fast: 'That was very quick. Wait a moment, then send it again.',
  upstream_unavailable: 'A service we depend on is not answering. Try again in a minute.',
  busy: 'We are very busy right now. Try again in a few seconds.',
  internal: 'Something went wrong on our side. Try again in a minute.',
}

/** The words for a person that go with a code. Shared by pages and the REST answers. */
export function sentenceFor(code: ErrorCode, details: ErrorDetails = {}): string {
  const sentence = sentences[code]
  return typeof sentence === 'string' ? sentence : sentence(details)
}
