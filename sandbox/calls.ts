import { setTimeout as sleep } from 'node:timers/promises'
import { handlePaypal, isPaypalPath, withoutPayments } from '#sandbox/paypal/paypal-api.ts'
import {
  handleStripe,
  isStripePath,
  isStripeRepeat,
  storeStripeResponse,
} from '#sandbox/stripe/stripe-api.ts'
import { type Failure, paypalFailure, stripeFailure } from './failure.ts'
import { SLOW_MS } from './faults.ts'
import { jsonResponse, type SandboxRequest, type SandboxResponse } from './http-messages.ts'
import type { Sandbox } from './sandbox.ts'
import type { Protocol } from './store.ts'

/** What a caller gets: a response, a connection that breaks, or one that never responds. */
export type Outcome = SandboxResponse | 'dropped' | 'hanging'

const RETRY_AFTER_SECONDS = '1'

function protocolOf(path: string): Protocol {
  return isPaypalPath(path) ? 'paypal' : 'stripe'
}

function failureResponse(
  { status, body }: Failure,
  headers: Record<string, string> = {},
): SandboxResponse {
  return jsonResponse(status, body, headers)
}

function handleApi({ ctx }: Sandbox, asked: SandboxRequest): SandboxResponse {
  if (isStripePath(asked.path)) return handleStripe(ctx, asked)
  if (isPaypalPath(asked.path)) return handlePaypal(ctx, asked)
  return failureResponse(stripeFailure(404, { message: 'Unrecognized request URL.' }))
}

/** Executes a call, whether or not its response will arrive. */
export function execute(sandbox: Sandbox, asked: SandboxRequest): SandboxResponse {
  const answered = handleApi(sandbox, asked)
  sandbox.listen?.(asked, answered)
  void sandbox.deliveries.run()
  return answered
}

function serverError(protocol: Protocol): SandboxResponse {
  return failureResponse(
    protocol === 'stripe'
      ? stripeFailure(500, { type: 'api_error', message: 'An unknown error occurred.' })
      : paypalFailure(500, [{ issue: 'INTERNAL_SERVICE_ERROR' }]),
  )
}

function conflict(protocol: Protocol): SandboxResponse {
  const message = 'This object cannot be accessed right now because another request is using it.'
  return failureResponse(
    protocol === 'stripe'
      ? stripeFailure(409, { code: 'lock_timeout', message })
      : paypalFailure(409, [{ issue: 'PREVIOUS_REQUEST_IN_PROGRESS' }]),
  )
}

function tooMany(protocol: Protocol): SandboxResponse {
  return failureResponse(
    protocol === 'stripe'
      ? stripeFailure(429, { code: 'rate_limit', message: 'Request rate limit exceeded.' })
      : paypalFailure(429, [{ issue: 'RATE_LIMIT_REACHED' }]),
    { 'retry-after': RETRY_AFTER_SECONDS },
  )
}

/** From now on the 500 is Stripe's response for this key; PayPal stores only successes. */
function storedError(sandbox: Sandbox, request: SandboxRequest, isDone: boolean): SandboxResponse {
  const protocol = protocolOf(request.path)
  if (protocol === 'stripe' && isStripeRepeat(sandbox.ctx, request))
    return execute(sandbox, request)
  const response = isDone ? execute(sandbox, request) : null
  // A call that would be refused is refused before any fault applies.
  if (response !== null && response.status >= 400) return response
  const error = serverError(protocol)
  return protocol === 'stripe' ? storeStripeResponse(sandbox.ctx, request, error) : error
}

function storedRefusal(sandbox: Sandbox, request: SandboxRequest): SandboxResponse {
  const protocol = protocolOf(request.path)
  const refusal = failureResponse(refusalOf(protocol, request))
  return protocol === 'stripe' ? storeStripeResponse(sandbox.ctx, request, refusal) : refusal
}

function notFound(protocol: Protocol, { path }: SandboxRequest): SandboxResponse {
  const message = `No such object: '${path}'`
  return failureResponse(
    protocol === 'stripe'
      ? stripeFailure(404, { code: 'resource_missing', message, param: 'id' })
      : paypalFailure(404, [{ issue: 'INVALID_RESOURCE_ID' }]),
  )
}

/** A call of either protocol, with its fault if one is set. */
export async function callApi(sandbox: Sandbox, request: SandboxRequest): Promise<Outcome> {
  const protocol = protocolOf(request.path)
  const { faults } = sandbox
  if (faults.away.has(protocol)) return 'dropped'
  const fault = faults.take(request.method, request.path)
  switch (fault) {
    case 'drop_before':
      return 'dropped'
    case 'drop_after':
      execute(sandbox, request)
      return 'dropped'
    case 'late':
      faults.late.push(request)
      return 'dropped'
    case 'hang':
      return 'hanging'
    case 'slow':
      await sleep(SLOW_MS)
      return execute(sandbox, request)
    case 'error_500':
      return serverError(protocol)
    case 'error_500_kept':
      return storedError(sandbox, request, false)
    case 'error_500_kept_done':
      return storedError(sandbox, request, true)
    case 'conflict_409':
      return conflict(protocol)
    case 'too_many_429':
      return tooMany(protocol)
    case 'not_found_404':
      return notFound(protocol, request)
    case 'refused':
      return storedRefusal(sandbox, request)
    case 'without_payments':
      return withoutPayments(execute(sandbox, request))
    case null:
      return execute(sandbox, request)
  }
}

type Refusal = { method: string; path: RegExp; failure: () => Failure }

function unprocessable(issue: string, description: string): Failure {
  return paypalFailure(422, [{ issue, description }])
}

function invalid(message: string): Failure {
  return stripeFailure(400, { message })
}

const STRIPE: Refusal[] = [
  {
    method: 'POST',
    path: /^\/v1\/refunds$/,
    failure: () => invalid('This charge is too old to be refunded.'),
  },
  {
    method: 'POST',
    path: /^\/v1\/checkout\/sessions$/,
    failure: () => invalid('Your account cannot currently make charges.'),
  },
  {
    method: 'POST',
    path: /\/expire$/,
    failure: () => invalid('This Checkout Session cannot be expired.'),
  },
]

const PAYPAL: Refusal[] = [
  {
    method: 'POST',
    path: /\/refund$/,
    failure: () =>
      unprocessable(
        'REFUND_TIME_LIMIT_EXCEEDED',
        'You are over the time limit to perform a refund on this capture.',
      ),
  },
  {
    method: 'POST',
    path: /\/capture$/,
    failure: () =>
      unprocessable('TRANSACTION_REFUSED', 'The request was refused by PayPal’s risk checks.'),
  },
  {
    method: 'POST',
    path: /^\/v2\/checkout\/orders$/,
    failure: () => unprocessable('PAYEE_ACCOUNT_RESTRICTED', 'The merchant account is restricted.'),
  },
]

/** The protocol's permanent refusal, for which a retry would change nothing. */
function refusalOf(protocol: Protocol, { method, path }: SandboxRequest): Failure {
  const isStripe = protocol === 'stripe'
  const fitting = (isStripe ? STRIPE : PAYPAL).find(
    (one) => one.method === method && one.path.test(path),
  )
  if (fitting !== undefined) return fitting.failure()
  return isStripe
    ? stripeFailure(403, {
        message: 'The provided key does not have the required permissions for this endpoint.',
      })
    : paypalFailure(403, [{ issue: 'PERMISSION_DENIED' }])
}
