import { describeFailure } from '#app/lib/errors.ts'
import type { ApiClient } from '#app/trpc.ts'
import { type FailureReason, POLL_MS, POLL_TRIES } from '#contract/payments.ts'

export type PaymentEnd =
  | { end: 'paid'; visitId: string | null }
  | { end: 'failed'; reason: FailureReason | null }
  | { end: 'timed out' }
  /** The server did not answer: nobody here knows. */
  | { end: 'lost' }

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms)
  })
}

/**
 * Asks every five seconds, twelve times at most, what became of a payment. For the screen only: the
 * server goes on after the last question.
 */
export async function followPayment(client: ApiClient, orderId: string): Promise<PaymentEnd> {
  for (let tries = 1; tries <= POLL_TRIES; tries += 1) {
    try {
      // One after the other is the point.
      // oxlint-disable-next-line no-await-in-loop
      const { status, reason, visitId } = await client.payments.status.query({ orderId })
      if (status === 'COMPLETED') return { end: 'paid', visitId }
      if (status === 'FAILED') return { end: 'failed', reason }
    } catch {
      return { end: 'lost' }
    }
    // oxlint-disable-next-line no-await-in-loop
    await pause(POLL_MS)
  }
  return { end: 'timed out' }
}

/** As long as a server takes to come back; then whoever waits loads the page again. */
export const REGAIN_TRIES = 60

type Regaining = { orderId: string; selectedAmount: number; isWanted: () => boolean }

/**
 * Sends an approved order again, every five seconds, until the server answers: the same order is
 * captured once however often it is sent. Null when nobody waits for it any more.
 */
export async function regainContact(
  client: ApiClient,
  { orderId, selectedAmount, isWanted }: Regaining,
): Promise<{ success: boolean } | null> {
  for (let tries = 1; tries <= REGAIN_TRIES; tries += 1) {
    // One after the other is the point.
    // oxlint-disable-next-line no-await-in-loop
    await pause(POLL_MS)
    if (!isWanted()) return null
    try {
      // oxlint-disable-next-line no-await-in-loop
      return await client.payments.capture.mutate({ orderId, selectedAmount })
    } catch (error) {
      if (!isLost(error)) throw error
    }
  }
  return null
}

/** Whether a failure says nothing about what the server did. */
export function isLost(error: unknown): boolean {
  return ['offline', 'timeout'].includes(describeFailure(error).code)
}
