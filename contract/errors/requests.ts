import { detailText, type ErrorTable, waitText } from './error-table.ts'

/** Requests, limits, access tokens, and failures of ours. */
export const requestsErrors = {
  unknown_field: { status: 'BAD_REQUEST', text: 'Unknown field.' },
  not_json: { status: 'PARSE_ERROR', text: 'The request was not valid JSON.' },
  batch_too_large: { status: 'BAD_REQUEST', text: 'Batch call exceeds maximum size' },
  body_too_large: {
    status: 'PAYLOAD_TOO_LARGE',
    text: 'That is too long to send. Shorten it and try again.',
  },
  unsupported_media_type: { status: 'UNSUPPORTED_MEDIA_TYPE', text: 'Send the request as JSON.' },
  foreign_origin: { status: 'FORBIDDEN', text: 'Request came from another site.' },
  method_not_allowed: { status: 'METHOD_NOT_SUPPORTED', text: 'That method is not allowed here.' },
  not_found: { status: 'NOT_FOUND', text: 'We couldn’t find that.' },
  sign_in_required: { status: 'UNAUTHORIZED', text: 'Sign in to continue.' },
  forbidden: { status: 'FORBIDDEN', text: 'Your account can’t do this.' },
  rate_limited: {
    status: 'TOO_MANY_REQUESTS',
    text: (d) => `Too many requests. Try again in ${waitText(d)}.`,
  },
  too_many_emails: {
    status: 'TOO_MANY_REQUESTS',
    text: (d) =>
      d['whose'] === 'mailbox'
        ? `This would email the same address too often, so nothing was done. Try again in ${waitText(d)}.`
        : `This would send too many emails at once, so nothing was done. Try again in ${waitText(d)}.`,
  },
  stop_link_invalid: {
    status: 'NOT_FOUND',
    text: 'This link doesn’t work. Copy the whole address from the email.',
  },
  date_invalid: { status: 'BAD_REQUEST', text: 'Enter a real date.' },
  message_rejected: {
    status: 'BAD_REQUEST',
    text: 'We couldn’t send this message. Check it and try again.',
  },
  message_too_fast: {
    status: 'TOO_MANY_REQUESTS',
    text: 'That was very quick. Wait a moment, then send it again.',
  },
  captcha_required: {
    status: 'TOO_MANY_REQUESTS',
    text: 'Confirm you’re not a robot to continue.',
  },
  captcha_invalid: {
    status: 'BAD_REQUEST',
    text: 'That check has expired. Confirm again that you’re not a robot.',
  },
  patients_only: { status: 'FORBIDDEN', text: 'Sign in as a patient to book.' },
  superusers_only: { status: 'FORBIDDEN', text: 'Only superusers may do this.' },
  admins_only: { status: 'FORBIDDEN', text: 'Only superusers and admins may do this.' },
  editors_only: { status: 'FORBIDDEN', text: 'Only superusers, admins and editors may do this.' },
  sort_unknown: { status: 'BAD_REQUEST', text: 'Unknown sort field.' },
  year_missing: { status: 'BAD_REQUEST', text: 'Please enter a year' },
  key_reused: {
    status: 'UNPROCESSABLE_CONTENT',
    text: 'This request was already used with different details.',
  },
  access_token_invalid: {
    status: 'UNAUTHORIZED',
    text: 'This access token no longer works. Create another one in your account.',
  },
  access_token_scope: {
    status: 'FORBIDDEN',
    text: (d) => `This access token can’t do that: it lacks ${detailText(d, 'scope')}.`,
  },
  access_token_never: {
    status: 'FORBIDDEN',
    text: 'Access tokens can’t do that. Sign in instead.',
  },
  access_tokens_full: {
    status: 'CONFLICT',
    text: 'You already have 20 access tokens. Revoke one before you create another.',
  },
  key_running: {
    status: 'CONFLICT',
    text: 'We’re still working on this request. Try again in a few seconds.',
  },
  signature_invalid: { status: 'BAD_REQUEST', text: 'Invalid signature.' },
  upstream_unavailable: {
    status: 'BAD_GATEWAY',
    text: 'A service we depend on is not answering. Try again in a minute.',
  },
  busy: {
    status: 'SERVICE_UNAVAILABLE',
    text: 'We are very busy right now. Try again in a few seconds.',
  },
  internal: {
    status: 'INTERNAL_SERVER_ERROR',
    text: 'Something went wrong on our side. Try again in a minute.',
  },
} as const satisfies ErrorTable
