import { useRef, useState } from 'react'
import { trpc } from '#app/trpc.ts'
import {
  type CancelManyInput,
  type CancelResult,
  MAX_CANCELLED,
  type VisitInTimeOff,
} from '#contract/visits.ts'

type ListedVisit = Pick<VisitInTimeOff, 'id' | 'sequence' | 'refund'>
type CancelRequest = Pick<CancelManyInput, 'reason' | 'note'> & { visits: readonly ListedVisit[] }

/** Input of one batch: paid visits with their refunds, and desk bookings. */
function toBatch(visits: readonly ListedVisit[]): Pick<CancelManyInput, 'visits' | 'desk'> {
  return {
    visits: visits.flatMap(({ id, sequence, refund }) =>
      refund === null ? [] : { id, sequence, refund },
    ),
    desk: visits.flatMap(({ id, sequence, refund }) => (refund === null ? { id, sequence } : [])),
  }
}

/** Results so far, by visit id. */
export type CancelResults = ReadonlyMap<string, CancelResult>

/** True if the visit is cancelled, by this call or an earlier one. */
export function isCancelled({ refusal }: CancelResult): boolean {
  return refusal === null || refusal === 'visit_cancelled'
}

/**
 * Cancels any number of visits in batches of the server's maximum size. Each batch keeps its idempotency key
 * until a response arrives, so a retry after a lost response does nothing twice.
 */
export function useCancelBatches() {
  const { client } = trpc.useUtils()
  const keys = useRef(new Map<string, string>())
  const [fates, setFates] = useState<CancelResults>(new Map())
  const cancel = async ({ visits, ...shared }: CancelRequest): Promise<void> => {
    for (let from = 0; from < visits.length; from += MAX_CANCELLED) {
      const batch = { ...toBatch(visits.slice(from, from + MAX_CANCELLED)), ...shared }
      const text = JSON.stringify(batch)
      const key = keys.current.get(text) ?? crypto.randomUUID()
      keys.current.set(text, key)
      const context = { idempotencyKey: key }
      // oxlint-disable-next-line no-await-in-loop -- batches are sequential on purpose
      const answer = await client.visits.cancelMany.mutate(batch, { context })
      keys.current.delete(text)
      setFates((known) => new Map([...known, ...answer.fates.map((one) => [one.id, one] as const)]))
    }
  }
  return { fates, cancel }
}
