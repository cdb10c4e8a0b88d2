import * as z from 'zod/mini'

/**
 * The closed list of failures a caller can act on. Codes are API: they never change meaning.
 * Each has a sentence in `sentences.ts` and a transport status in `server/trpc.ts`.
 */
export const ErrorCode = z.enum([
  'invalid_input',
  'unknown_field',
  'not_json',
  'batch_too_large',
  'body_too_large',
  'unsupported_media_type',
  'foreign_origin',
  'method_not_allowed',
  'not_found',
  'sign_in_required',
  'forbidden',
  'rate_limited',
  'place_missing',
  'place_invalid',
  'postcode_unknown',
  'place_unknown',
  'postcode_without_place',
  'postcode_military',
  'place_in_other_region',
  'radius_invalid',
  'page_invalid',
  'coordinates_invalid',
  'specialty_unknown',
  'fee_invalid',
  'sort_invalid',
  'date_invalid',
  'provider_not_found',
  'message_rejected',
  'message_too_fast',
  'user_type_invalid',
  'credentials_wrong',
  'email_unverified',
  'account_suspended',
  'second_factor_required',
  'second_factor_wrong',
  'second_factor_setup_required',
  'second_factor_mandatory',
  'session_ended',
  'step_up_required',
  'verify_link_invalid',
  'reset_link_invalid',
  'password_wrong',
  'code_invalid',
  'code_locked',
  'code_required',
  'captcha_required',
  'captcha_invalid',
  'image_type',
  'image_too_large',
  'image_too_many_pixels',
  'image_damaged',
  'image_animated',
  'slot_taken',
  'slot_not_offered',
  'slot_passed',
  'slot_impossible',
  'provider_not_bookable',
  'hours_overlap',
  'hours_inverted',
  'hours_too_short',
  'dates_inverted',
  'date_passed',
  'date_too_far',
  'date_duplicate',
  'date_in_absence',
  'absence_overlaps',
  'too_many_dates',
  'changed_meanwhile',
  'patients_only',
  'too_many_holds',
  'hold_expired',
  'hold_renewed',
  'hold_paid',
  'follow_up_refused',
  'price_changed',
  'payment_busy',
  'payment_gateway_down',
  'key_reused',
  'key_running',
  'signature_invalid',
  'upstream_unavailable',
  'busy',
  'internal',
])
export type ErrorCode = z.infer<typeof ErrorCode>

/** Facts a sentence may name, such as the postcode that was not found. Never personal data. */
export type ErrorDetails = Record<string, string | number>

/** One thing wrong with one field of the input. */
export const FieldIssue = z.object({ path: z.string(), message: z.string() })
export type FieldIssue = z.infer<typeof FieldIssue>

/** What every failed procedure carries under `error.data`. */
export const ErrorData = z.object({
  appCode: ErrorCode,
  details: z.record(z.string(), z.union([z.string(), z.number()])),
  issues: z.array(FieldIssue),
  requestId: z.string(),
})
export type ErrorData = z.infer<typeof ErrorData>
