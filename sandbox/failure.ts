/** An error in the format of the protocol in use, with its HTTP status. */
export class Failure extends Error {
  override readonly name = 'Failure'
  readonly status: number
  readonly body: unknown
  /** Refused before execution: nothing is stored under the idempotency key. */
  readonly isEarly: boolean

  constructor(status: number, body: unknown, isEarly = false) {
    super(JSON.stringify(body))
    this.status = status
    this.body = body
    this.isEarly = isEarly
  }
}

type StripeError = {
  type?: 'invalid_request_error' | 'idempotency_error' | 'card_error' | 'api_error'
  code?: string
  decline_code?: string
  message: string
  param?: string
}

/** `{error: {...}}`, Stripe's error response. */
export function stripeFailure(status: number, error: StripeError, isEarly = false): Failure {
  return new Failure(status, { error: { type: 'invalid_request_error', ...error } }, isEarly)
}

export function noSuch(thing: string, id: string): Failure {
  return stripeFailure(404, {
    code: 'resource_missing',
    message: `No such ${thing}: '${id}'`,
    param: 'id',
  })
}

const NAMES: Readonly<Record<number, [string, string]>> = {
  400: [
    'INVALID_REQUEST',
    'Request is not well-formed, syntactically incorrect, or violates schema.',
  ],
  401: [
    'AUTHENTICATION_FAILURE',
    'Authentication failed due to missing authorization header, or invalid authentication credentials.',
  ],
  404: ['RESOURCE_NOT_FOUND', 'The specified resource does not exist.'],
  409: ['RESOURCE_CONFLICT', 'The server has detected a conflict while processing this request.'],
  422: [
    'UNPROCESSABLE_ENTITY',
    'The requested action could not be performed, semantically incorrect, or failed business validation.',
  ],
  429: ['RATE_LIMIT_REACHED', 'Too many requests. Blocked due to rate limiting.'],
}

type PaypalDetail = { issue: string; description?: string; field?: string; value?: string }

/** An error in PayPal's shape; the first detail's issue is what callers act on. */
export function paypalFailure(status: number, details: PaypalDetail[], isEarly = false): Failure {
  const [name, message] = NAMES[status] ?? [
    'INTERNAL_SERVER_ERROR',
    'An internal server error has occurred.',
  ]
  const located = details.map((detail) =>
    detail.field === undefined ? detail : { location: 'body', ...detail },
  )
  return new Failure(
    status,
    { name, message, debug_id: 'f0e1d2c3b4a59', details: located, links: [] },
    isEarly,
  )
}
