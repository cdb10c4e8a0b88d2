import { useQuery } from '@tanstack/react-query'
import { getQueryKey } from '@trpc/react-query'
import { describeFailure } from '#app/lib/errors.ts'
import { type ApiClient, trpc } from '#app/trpc.ts'
import { type FailureReason, type PaymentOptions, POLL_MS, POLL_TRIES } from '#contract/payments.ts'

/**
 * The gateways' configuration, once the sandbox scripts of this installation, if any, have run: the gateways'
 * packages use a global that is present and load the real one otherwise.
 */
export function useGateways() {
  const { client } = trpc.useUtils()
  return useQuery({
    queryKey: getQueryKey(trpc.payments.options, undefined, 'query'),
    queryFn: async ({ signal }): Promise<PaymentOptions> => {
      const options = await client.payments.options.query(undefined, { signal })
      await loadScripts(options.sandboxScripts)
      return options
    },
    staleTime: Number.POSITIVE_INFINITY,
  })
}

const loading = new Map<string, Promise<void>>()

function load(src: string): Promise<void> {
  const script = document.createElement('script')
  script.src = src
  const done = new Promise<void>((resolve, reject) => {
    script.addEventListener('load', () => resolve())
    script.addEventListener('error', () => {
      loading.delete(src)
      script.remove()
      reject(new Error(`Failed to fetch ${src}`))
    })
  })
  document.head.append(script)
  return done
}

/** Runs our own server's scripts in order, each once per page; failed ones can be retried. */
async function loadScripts(sources: readonly string[]): Promise<void> {
  for (const src of sources) {
    const known = loading.get(src) ?? load(src)
    loading.set(src, known)
    // In order: a later script may depend on an earlier one.
    await known
  }
}

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
      const { status, reason, visitId } = await client.payments.status.query({ orderId })
      if (status === 'COMPLETED') return { end: 'paid', visitId }
      if (status === 'FAILED') return { end: 'failed', reason }
    } catch {
      return { end: 'lost' }
    }
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
    await delay(POLL_MS)
    if (!isWanted()) return null
    try {
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
