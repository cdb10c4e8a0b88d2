import { setTimeout as sleep } from 'node:timers/promises'
import { answerPaypal, isPaypalPath, withoutPayments } from '#sandbox/paypal/paypal-api.ts'
import {
  answerStripe,
  isStripePath,
  isStripeRepeat,
  keepStripeAnswer,
} from '#sandbox/stripe/stripe-api.ts'
import { type Failure, paypalFailure, stripeFailure } from './failure.ts'
import { SLOW_MS } from './faults.ts'
import { type Answered, type Asked, jsonAnswer } from './http-forms.ts'
import type { Protocol } from './records.ts'
import type { Sandbox } from './sandbox.ts'

/** What a caller gets: a response, a connection that breaks, or one that never responds. */
export type Outcome = Answered | 'dropped' | 'hanging'

const RETRY_AFTER_SECONDS = '1'

function protocolOf(path: string): Protocol {
  return isPaypalPath(path) ? 'paypal' : 'stripe'
}

function answerOf({ status, body }: Failure, headers: Record<string, string> = {}): Answered {
  return jsonAnswer(status, body, headers)
}

function answerApi({ ctx }: Sandbox, asked: Asked): Answered {
  if (isStripePath(asked.path)) return answerStripe(ctx, asked)
  if (isPaypalPath(asked.path)) return answerPaypal(ctx, asked)
  return answerOf(stripeFailure(404, { message: 'Unrecognized request URL.' }))
}

/** Executes a call, whether or not its response will arrive. */
export function execute(sandbox: Sandbox, asked: Asked): Answered {
  const answered = answerApi(sandbox, asked)
  sandbox.listen?.(asked, answered)
  void sandbox.deliveries.run()
  return answered
}

function serverError(protocol: Protocol): Answered {
  return answerOf(
    protocol === 'stripe'
      ? stripeFailure(500, { type: 'api_error', message: 'An unknown error occurred.' })
      : paypalFailure(500, [{ issue: 'INTERNAL_SERVICE_ERROR' }]),
  )
}

function conflict(protocol: Protocol): Answered {
  const message = 'This object cannot be accessed right now because another request is using it.'
  return answerOf(
    protocol === 'stripe'
      ? stripeFailure(409, { code: 'lock_timeout', message })
      : paypalFailure(409, [{ issue: 'PREVIOUS_REQUEST_IN_PROGRESS' }]),
  )
}

function tooMany(protocol: Protocol): Answered {
  return answerOf(
    protocol === 'stripe'
      ? stripeFailure(429, { code: 'rate_limit', message: 'Request rate limit exceeded.' })
      : paypalFailure(429, [{ issue: 'RATE_LIMIT_REACHED' }]),
    { 'retry-after': RETRY_AFTER_SECONDS },
  )
}

/** From now on the 500 is Stripe's response for this key; PayPal stores only successes. */
function keptError(sandbox: Sandbox, asked: Asked, isDone: boolean): Answered {
  const protocol = protocolOf(asked.path)
  if (protocol === 'stripe' && isStripeRepeat(sandbox.ctx, asked)) return execute(sandbox, asked)
  const answered = isDone ? execute(sandbox, asked) : null
  // A call that would be refused is refused before any fault applies.
  if (answered !== null && answered.status >= 400) return answered
  const error = serverError(protocol)
  return protocol === 'stripe' ? keepStripeAnswer(sandbox.ctx, asked, error) : error
}

function refused(sandbox: Sandbox, asked: Asked): Answered {
  const protocol = protocolOf(asked.path)
  const refusal = answerOf(refusalOf(protocol, asked))
  return protocol === 'stripe' ? keepStripeAnswer(sandbox.ctx, asked, refusal) : refusal
}

function notFound(protocol: Protocol, { path }: Asked): Answered {
  const message = `No such object: '${path}'`
  return answerOf(
    protocol === 'stripe'
      ? stripeFailure(404, { code: 'resource_missing', message, param: 'id' })
      : paypalFailure(404, [{ issue: 'INVALID_RESOURCE_ID' }]),
  )
}

/** A call of either protocol, with its fault if one is set. */
export async function callApi(sandbox: Sandbox, asked: Asked): Promise<Outcome> {
  const protocol = protocolOf(asked.path)
  const { faults } = sandbox
  if (faults.away.has(protocol)) return 'dropped'
  const fault = faults.take(asked.method, asked.path)
  switch (fault) {
    case 'drop_before':
      return 'dropped'
    case 'drop_after':
      execute(sandbox, asked)
      return 'dropped'
    case 'late':
      faults.late.push(asked)
      return 'dropped'
    case 'hang':
      return 'hanging'
    case 'slow':
      await sleep(SLOW_MS)
      return execute(sandbox, asked)
    case 'error_500':
      return serverError(protocol)
    case 'error_500_kept':
      return keptError(sandbox, asked, false)
    case 'error_500_kept_done':
      return keptError(sandbox, asked, true)
    case 'conflict_409':
      return conflict(protocol)
    case 'too_many_429':
      return tooMany(protocol)
    case 'not_found_404':
      return notFound(protocol, asked)
    case 'refused':
      return refused(sandbox, asked)
    case 'without_payments':
      return withoutPayments(execute(sandbox, asked))
    case null:
      return execute(sandbox, asked)
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
function refusalOf(protocol: Protocol, { method, path }: Asked): Failure {
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
