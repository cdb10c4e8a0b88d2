import { describeFailure } from '#app/lib/errors.ts'
import type { ApiClient } from '#app/trpc.ts'
import { type FailureReason, POLL_MS, POLL_TRIES } from '#contract/payments.ts'

export type PollResult =
  | { end: 'paid'; visitId: string | null }
  | { end: 'failed'; reason: FailureReason | null }
  | { end: 'timed out' }
  /** The server did not respond: the outcome is unknown here. */
  | { end: 'lost' }

function delay(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms)
  })
}

/**
 * Polls a payment's status every five seconds, twelve times at most. Only for display: the server continues
 * when polling ends.
 */
export async function pollPayment(client: ApiClient, orderId: string): Promise<PollResult> {
  for (let tries = 1; tries <= POLL_TRIES; tries += 1) {
    try {
      // Polls in sequence on purpose.
      // oxlint-disable-next-line no-await-in-loop
      const { status, reason, visitId } = await client.payments.status.query({ orderId })
      if (status === 'COMPLETED') return { end: 'paid', visitId }
      if (status === 'FAILED') return { end: 'failed', reason }
    } catch {
      return { end: 'lost' }
    }
    // oxlint-disable-next-line no-await-in-loop
    await delay(POLL_MS)
  }
  return { end: 'timed out' }
}

/** Retries cover a server restart; after that the user has to reload the page. */
export const MAX_CAPTURE_RETRIES = 60

type RetryCaptureOptions = { orderId: string; selectedAmount: number; isWanted: () => boolean }

/**
 * Captures an approved order again every five seconds until the server responds; the same order is captured
 * only once. Null once the result is no longer wanted, or after the last retry.
 */
export async function retryCapture(
  client: ApiClient,
  { orderId, selectedAmount, isWanted }: RetryCaptureOptions,
): Promise<{ success: boolean } | null> {
  for (let tries = 1; tries <= MAX_CAPTURE_RETRIES; tries += 1) {
    // Retries in sequence on purpose.
    // oxlint-disable-next-line no-await-in-loop
    await delay(POLL_MS)
    if (!isWanted()) return null
    try {
      // oxlint-disable-next-line no-await-in-loop
      return await client.payments.capture.mutate({ orderId, selectedAmount })
    } catch (error) {
      if (!isOutcomeUnknown(error)) throw error
    }
  }
  return null
}

/** Whether a failure leaves open what the server did. */
export function isOutcomeUnknown(error: unknown): boolean {
  return ['offline', 'timeout'].includes(describeFailure(error).code)
}
