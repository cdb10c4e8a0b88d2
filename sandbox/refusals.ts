import { type Failure, paypalFailure, stripeFailure } from './failure.ts'
import type { Asked } from './http-forms.ts'
import type { Protocol } from './records.ts'

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

/** No, for good: what the protocol answers when trying again would change nothing. */
export function refusalOf(protocol: Protocol, { method, path }: Asked): Failure {
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
