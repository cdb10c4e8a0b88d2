import { Region, regionFacts } from '#contract/base/region.ts'

/** Facts a sentence may name, such as the postcode that was not found. Never personal data. */
export type ErrorDetails = Record<string, string | number>

/** A sentence for people, where needed from the details. */
export type ErrorText = string | ((details: ErrorDetails) => string)

/** Transport status, by the name tRPC gives it. */
type ErrorStatus =
  | 'BAD_GATEWAY'
  | 'BAD_REQUEST'
  | 'CONFLICT'
  | 'FORBIDDEN'
  | 'INTERNAL_SERVER_ERROR'
  | 'METHOD_NOT_SUPPORTED'
  | 'NOT_FOUND'
  | 'PARSE_ERROR'
  | 'PAYLOAD_TOO_LARGE'
  | 'SERVICE_UNAVAILABLE'
  | 'TOO_MANY_REQUESTS'
  | 'UNAUTHORIZED'
  | 'UNPROCESSABLE_CONTENT'
  | 'UNSUPPORTED_MEDIA_TYPE'

/** Errors by code: each with its status and its sentence. Codes are API and never change meaning. */
export type ErrorTable = Record<string, { status: ErrorStatus; text: ErrorText }>

/** A detail as text; empty when it is missing. */
export function detailText(details: ErrorDetails, key: string): string {
  const value = details[key]
  return value === undefined ? '' : String(value)
}

/** How long to wait, rounded as people say it: "45 seconds", "about 20 minutes", "about an hour". */
export function waitText(details: ErrorDetails): string {
  const seconds = Number(details['retryAfterSeconds'] ?? 60)
  if (seconds === 1) return '1 second'
  if (seconds < 120) return `${seconds} seconds`
  const minutes = Math.ceil(seconds / 60)
  if (minutes < 45) return `about ${minutes} minutes`
  const hours = Math.round(minutes / 60)
  return hours === 1 ? 'about an hour' : `about ${hours} hours`
}

/** What a postcode is called in the region the details name. */
export function postcodeLabel(details: ErrorDetails): string {
  const region = Region.safeParse(details['region'])
  return region.success ? regionFacts[region.data].codeWord : 'postcode or ZIP code'
}
