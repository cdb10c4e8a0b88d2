import { AppError, type UpstreamError, UpstreamWords } from '#server/kernel/errors.ts'

/**
 * Staff are told what a register said in the place of an answer, in its own words, as the specification
 * has it; where it said nothing at all, that it is not answering.
 */
export function silence(error: UpstreamError): AppError {
  const { cause } = error
  const details = cause instanceof UpstreamWords ? { said: cause.message } : {}
  return new AppError('register_unavailable', details, { cause: error })
}
