import type { ApiClient } from '#app/trpc.ts'
import { type FailureReason, POLL_MS, POLL_TRIES } from '#contract/payments.ts'

export type PaymentEnd =
  | { end: 'paid'; visitId: string | null }
  | { end: 'failed'; reason: FailureReason | null }
  | { end: 'timed out' }

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms)
  })
}

/**
 * Asks every five seconds, twelve times at most, what became of a payment. For the screen only: the
 * server goes on after the last question. A question that fails counts as a payment that failed.
 */
export async function followPayment(api: ApiClient, orderId: string): Promise<PaymentEnd> {
  for (let tries = 1; tries <= POLL_TRIES; tries += 1) {
    try {
      // One after the other is the point.
      // oxlint-disable-next-line no-await-in-loop
      const { status, reason, visitId } = await api.payments.status.query({ orderId })
      if (status === 'COMPLETED') return { end: 'paid', visitId }
      if (status === 'FAILED') return { end: 'failed', reason }
    } catch {
      return { end: 'failed', reason: null }
    }
    // oxlint-disable-next-line no-await-in-loop
    await pause(POLL_MS)
  }
  return { end: 'timed out' }
}
