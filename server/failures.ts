import { TRPCError } from '@trpc/server'
import { getHTTPStatusCodeFromError } from '@trpc/server/http'
import { type TRPC_ERROR_CODE_KEY, TRPC_ERROR_CODES_BY_KEY } from '@trpc/server/rpc'
import * as z from 'zod/mini'
import type { ErrorCode, ErrorData } from '#contract/base/errors.ts'
import { errorMessage } from '#contract/base/sentences.ts'
import { isDatabaseDown } from '#db/failures.ts'
import type { Context } from './context.ts'
import { AppError, UpstreamError } from './kernel/errors.ts'
import { inputRefusal } from './kernel/wire/input.ts'

/** The transport status of every code; the compiler enforces that a new code is added here. */
export const trpcCode = {
  invalid_input: 'BAD_REQUEST',
  unknown_field: 'BAD_REQUEST',
  not_json: 'PARSE_ERROR',
  batch_too_large: 'BAD_REQUEST',
  body_too_large: 'PAYLOAD_TOO_LARGE',
  unsupported_media_type: 'UNSUPPORTED_MEDIA_TYPE',
  foreign_origin: 'FORBIDDEN',
  method_not_allowed: 'METHOD_NOT_SUPPORTED',
  not_found: 'NOT_FOUND',
  sign_in_required: 'UNAUTHORIZED',
  forbidden: 'FORBIDDEN',
  rate_limited: 'TOO_MANY_REQUESTS',
  place_missing: 'BAD_REQUEST',
  place_invalid: 'BAD_REQUEST',
  postcode_unknown: 'NOT_FOUND',
  place_unknown: 'NOT_FOUND',
  postcode_without_place: 'BAD_REQUEST',
  postcode_military: 'BAD_REQUEST',
  place_in_other_region: 'BAD_REQUEST',
  location_outside: 'NOT_FOUND',
  radius_invalid: 'BAD_REQUEST',
  page_invalid: 'BAD_REQUEST',
  coordinates_invalid: 'BAD_REQUEST',
  specialty_unknown: 'BAD_REQUEST',
  fee_invalid: 'BAD_REQUEST',
  sort_invalid: 'BAD_REQUEST',
  sort_unknown: 'BAD_REQUEST',
  year_missing: 'BAD_REQUEST',
  date_invalid: 'BAD_REQUEST',
  provider_not_found: 'NOT_FOUND',
  refund_nothing: 'CONFLICT',
  refund_too_much: 'CONFLICT',
  refund_over_limit: 'FORBIDDEN',
  release_impossible: 'CONFLICT',
  review_decided: 'CONFLICT',
  review_not_covered: 'CONFLICT',
  review_other_payment: 'CONFLICT',
  hours_overlap: 'BAD_REQUEST',
  hours_inverted: 'BAD_REQUEST',
  hours_too_short: 'BAD_REQUEST',
  dates_inverted: 'BAD_REQUEST',
  date_passed: 'BAD_REQUEST',
  date_too_far: 'BAD_REQUEST',
  date_duplicate: 'CONFLICT',
  date_in_absence: 'CONFLICT',
  absence_overlaps: 'CONFLICT',
  too_many_dates: 'CONFLICT',
  changed_meanwhile: 'CONFLICT',
  message_rejected: 'BAD_REQUEST',
  message_too_fast: 'TOO_MANY_REQUESTS',
  user_type_invalid: 'BAD_REQUEST',
  credentials_wrong: 'UNAUTHORIZED',
  email_unverified: 'FORBIDDEN',
  account_suspended: 'FORBIDDEN',
  second_factor_required: 'UNAUTHORIZED',
  second_factor_wrong: 'UNAUTHORIZED',
  second_factor_setup_required: 'FORBIDDEN',
  second_factor_mandatory: 'CONFLICT',
  session_ended: 'UNAUTHORIZED',
  step_up_required: 'FORBIDDEN',
  password_change_required: 'FORBIDDEN',
  first_password_used: 'UNAUTHORIZED',
  first_password_chosen: 'CONFLICT',
  fields_missing: 'BAD_REQUEST',
  staff_role_unknown: 'BAD_REQUEST',
  staff_role_missing: 'BAD_REQUEST',
  staff_known: 'CONFLICT',
  staff_changed: 'CONFLICT',
  last_superuser: 'CONFLICT',
  start_link_invalid: 'BAD_REQUEST',
  verify_link_invalid: 'BAD_REQUEST',
  unsubscribe_link_invalid: 'BAD_REQUEST',
  visit_link_invalid: 'NOT_FOUND',
  reset_link_invalid: 'BAD_REQUEST',
  password_wrong: 'BAD_REQUEST',
  code_invalid: 'BAD_REQUEST',
  code_locked: 'TOO_MANY_REQUESTS',
  code_required: 'CONFLICT',
  captcha_required: 'TOO_MANY_REQUESTS',
  captcha_invalid: 'BAD_REQUEST',
  image_type: 'UNSUPPORTED_MEDIA_TYPE',
  image_too_large: 'PAYLOAD_TOO_LARGE',
  image_too_many_pixels: 'UNPROCESSABLE_CONTENT',
  image_damaged: 'UNPROCESSABLE_CONTENT',
  image_animated: 'UNPROCESSABLE_CONTENT',
  image_not_in_gallery: 'BAD_REQUEST',
  image_in_use: 'CONFLICT',
  color_invalid: 'BAD_REQUEST',
  gallery_full: 'CONFLICT',
  homepage_changed: 'CONFLICT',
  slot_taken: 'CONFLICT',
  slot_not_offered: 'NOT_FOUND',
  slot_passed: 'CONFLICT',
  slot_impossible: 'UNPROCESSABLE_CONTENT',
  provider_not_bookable: 'CONFLICT',
  patient_gone: 'CONFLICT',
  visits_overlap: 'CONFLICT',
  visits_changed: 'CONFLICT',
  terms_changed: 'CONFLICT',
  visit_begun: 'CONFLICT',
  visit_cancelled: 'CONFLICT',
  moves_used_up: 'CONFLICT',
  proposals_used_up: 'CONFLICT',
  desk_time_taken: 'CONFLICT',
  desk_over: 'CONFLICT',
  desk_marked: 'CONFLICT',
  patients_only: 'FORBIDDEN',
  superusers_only: 'FORBIDDEN',
  admins_only: 'FORBIDDEN',
  editors_only: 'FORBIDDEN',
  too_many_holds: 'CONFLICT',
  too_many_coming: 'CONFLICT',
  too_many_unpaid_holds: 'TOO_MANY_REQUESTS',
  hold_expired: 'CONFLICT',
  hold_renewed: 'CONFLICT',
  hold_paid: 'CONFLICT',
  follow_up_refused: 'CONFLICT',
  mode_not_offered: 'CONFLICT',
  visit_type_not_offered: 'CONFLICT',
  visit_type_unfit: 'CONFLICT',
  last_visit_type: 'CONFLICT',
  too_many_visit_types: 'CONFLICT',
  state_missing: 'CONFLICT',
  state_not_licensed: 'CONFLICT',
  not_by_video: 'CONFLICT',
  video_too_early: 'CONFLICT',
  video_over: 'CONFLICT',
  video_way_missing: 'CONFLICT',
  profile_needs_check: 'CONFLICT',
  claim_changed: 'CONFLICT',
  too_many_places: 'CONFLICT',
  last_place: 'CONFLICT',
  place_in_use: 'CONFLICT',
  place_has_visits: 'CONFLICT',
  price_changed: 'CONFLICT',
  payment_busy: 'CONFLICT',
  payment_gateway_down: 'BAD_GATEWAY',
  register_unavailable: 'BAD_GATEWAY',
  document_type: 'UNSUPPORTED_MEDIA_TYPE',
  document_too_large: 'PAYLOAD_TOO_LARGE',
  document_damaged: 'UNPROCESSABLE_CONTENT',
  company_sent: 'CONFLICT',
  company_decided: 'CONFLICT',
  register_disagrees: 'CONFLICT',
  number_taken: 'CONFLICT',
  decided_meanwhile: 'CONFLICT',
  proof_required: 'CONFLICT',
  proof_decided: 'CONFLICT',
  signature_invalid: 'BAD_REQUEST',
  key_reused: 'UNPROCESSABLE_CONTENT',
  access_token_invalid: 'UNAUTHORIZED',
  access_token_scope: 'FORBIDDEN',
  access_token_never: 'FORBIDDEN',
  access_tokens_full: 'CONFLICT',
  favourites_full: 'CONFLICT',
  calendar_feeds_full: 'CONFLICT',
  import_full: 'CONFLICT',
  imports_full: 'CONFLICT',
  outside_calendars_full: 'CONFLICT',
  outside_calendar_known: 'CONFLICT',
  outside_calendar_refused: 'BAD_REQUEST',
  outcome_not_booked: 'CONFLICT',
  outcome_final: 'CONFLICT',
  outcome_too_early: 'CONFLICT',
  outcome_closed: 'CONFLICT',
  outcome_refund_changed: 'CONFLICT',
  answer_impossible: 'CONFLICT',
  outcome_contested: 'CONFLICT',
  contest_impossible: 'CONFLICT',
  contest_made: 'CONFLICT',
  claim_decided: 'CONFLICT',
  bank_account_last: 'CONFLICT',
  bank_account_known: 'CONFLICT',
  bank_account_changed: 'CONFLICT',
  bank_account_not_found: 'NOT_FOUND',
  bank_accounts_full: 'CONFLICT',
  key_running: 'CONFLICT',
  upstream_unavailable: 'BAD_GATEWAY',
  busy: 'SERVICE_UNAVAILABLE',
  internal: 'INTERNAL_SERVER_ERROR',
} as const satisfies Record<ErrorCode, string>

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
    trpcCode[error.cause.code] === error.code
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
    code: trpcCode[failure.code],
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
  return getHTTPStatusCodeFromError(new TRPCError({ code: trpcCode[code] }))
}
