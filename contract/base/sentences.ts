import type { ErrorDetails, ErrorText } from '#contract/errors/error-table.ts'
import { errorTable } from '#contract/errors/every-error.ts'
import type { ErrorCode } from './errors.ts'

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
