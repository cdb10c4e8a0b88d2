import { TRPCError } from '@trpc/server'
import { getHTTPStatusCodeFromError } from '@trpc/server/http'
import { type TRPC_ERROR_CODE_KEY, TRPC_ERROR_CODES_BY_KEY } from '@trpc/server/rpc'
import * as z from 'zod/mini'
import type { ErrorCode, ErrorData } from '#contract/base/errors.ts'
import { errorMessage } from '#contract/base/sentences.ts'
import { errorTable } from '#contract/errors/every-error.ts'
import { isDatabaseDown } from '#db/failures.ts'
import type { Context } from './context.ts'
import { AppError, UpstreamError } from './kernel/errors.ts'
import { inputRefusal } from './kernel/wire/input.ts'

/** Error codes for failures that tRPC detects outside a procedure. */
const ownCode: Partial<Record<TRPC_ERROR_CODE_KEY, ErrorCode>> = {
  PARSE_ERROR: 'not_json',
  NOT_FOUND: 'not_found',
  METHOD_NOT_SUPPORTED: 'method_not_allowed',
  UNSUPPORTED_MEDIA_TYPE: 'unsupported_media_type',
  PAYLOAD_TOO_LARGE: 'body_too_large',
  BAD_REQUEST: 'invalid_input',
}

/** Any failure as an `AppError`; null when it is a defect. */
export function knownFailure(error: unknown): AppError | null {
  if (error instanceof AppError) return error
  if (isDatabaseDown(error)) return new AppError('busy', {}, { cause: error })
  if (error instanceof UpstreamError) {
    return new AppError('upstream_unavailable', {}, { cause: error })
  }
  if (!(error instanceof TRPCError)) return null
  if (error.code === 'BAD_REQUEST' && error.cause instanceof z.core.$ZodError) {
    return inputRefusal(error.cause)
  }
  if (error.cause !== undefined) return knownFailure(error.cause)
  const code = ownCode[error.code]
  return code === undefined ? null : new AppError(code)
}

function isTranslated(error: unknown): error is TRPCError {
  return (
    error instanceof TRPCError &&
    error.cause instanceof AppError &&
    errorTable[error.cause.code].status === error.code
  )
}

/** The call that failed; `path` is the procedure or route, where one was reached. */
type FailedCall = { ctx: Context; path: string | undefined }

/**
 * Translates any thrown value. Defects are logged in full and shown as a reference number; their message and
 * stack never leave the server.
 */
export function toTrpcError(error: unknown, { ctx, path }: FailedCall): TRPCError {
  if (isTranslated(error)) return error
  const known = knownFailure(error)
  if (known === null || known.cause !== undefined) {
    const cause = error instanceof TRPCError ? (error.cause ?? error) : error
    ctx.log.error({ err: cause, path, requestId: ctx.requestId }, 'a call failed')
  }
  const failure = known ?? new AppError('internal', {}, { cause: error })
  return new TRPCError({
    code: errorTable[failure.code].status,
    message: failure.message,
    cause: failure,
  })
}

/** The error format of tRPC responses: only the code, its facts and a reference. */
export function errorShape(error: TRPCError, requestId: string) {
  const known = knownFailure(error)
  const data: ErrorData = {
    appCode: known?.code ?? 'internal',
    details: known?.details ?? {},
    issues: known?.issues ?? [],
    requestId,
  }
  return {
    code: TRPC_ERROR_CODES_BY_KEY[error.code],
    message: known?.message ?? errorMessage('internal'),
    data: { code: error.code, httpStatus: getHTTPStatusCodeFromError(error), ...data },
  }
}

/** Any thrown value as an `AppError` with its HTTP status. */
export function failureOf(
  thrown: unknown,
  call: FailedCall,
): { failure: AppError; status: number } {
  const error = toTrpcError(thrown, call)
  const failure = error.cause instanceof AppError ? error.cause : new AppError('internal')
  return { failure, status: getHTTPStatusCodeFromError(error) }
}

/** Whether a call was refused with a code. */
export function isRefusal(thrown: unknown, code: ErrorCode): boolean {
  return knownFailure(thrown)?.code === code
}

/** The HTTP status of a code. */
export function statusOf(code: ErrorCode): number {
  return getHTTPStatusCodeFromError(new TRPCError({ code: errorTable[code].status }))
}
