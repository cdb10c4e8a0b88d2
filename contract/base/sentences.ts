import { accountsErrors } from '#contract/errors/accounts.ts'
import type { ErrorText } from '#contract/errors/error-table.ts'
import { hoursErrors } from '#contract/errors/hours.ts'
import { imagesErrors } from '#contract/errors/images.ts'
import { paymentsErrors } from '#contract/errors/payments.ts'
import { placesErrors } from '#contract/errors/places.ts'
import { providersErrors } from '#contract/errors/providers.ts'
import { requestsErrors } from '#contract/errors/requests.ts'
import { searchErrors } from '#contract/errors/search.ts'
import { visitsErrors } from '#contract/errors/visits.ts'
import type { ErrorCode, ErrorDetails } from './errors.ts'

/**
 * The closed table of failures a caller can act on, by code: transport status and sentence. An error is declared
 * in one of the files of `contract/errors`, and nowhere else.
 */
export const errorTable = {
  ...requestsErrors,
  ...searchErrors,
  ...placesErrors,
  ...accountsErrors,
  ...providersErrors,
  ...hoursErrors,
  ...visitsErrors,
  ...paymentsErrors,
  ...imagesErrors,
}

/** Every error code. */
export const errorCodes: readonly ErrorCode[] = Object.keys(errorTable).filter(isErrorCode)

export function isErrorCode(value: unknown): value is ErrorCode {
  return typeof value === 'string' && Object.hasOwn(errorTable, value)
}

/** The message for a code, which the server sends with every failure. */
export function errorMessage(code: ErrorCode, details: ErrorDetails = {}): string {
  const text: ErrorText = errorTable[code].text
  return typeof text === 'string' ? text : text(details)
}
