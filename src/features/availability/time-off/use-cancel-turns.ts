import { useRef, useState } from 'react'
import { trpc } from '#app/trpc.ts'
import {
  type CancelFate,
  type CancelManyInput,
  MOST_CANCELLED,
  type VisitInTimeOff,
} from '#contract/visits.ts'

type Shown = Pick<VisitInTimeOff, 'id' | 'sequence' | 'refund'>
type Wanted = Pick<CancelManyInput, 'reason' | 'note'> & { visits: readonly Shown[] }

/** Input of one batch: paid visits with their refunds, and desk bookings. */
function turnOf(visits: readonly Shown[]): Pick<CancelManyInput, 'visits' | 'desk'> {
  return {
    visits: visits.flatMap(({ id, sequence, refund }) =>
      refund === null ? [] : { id, sequence, refund },
    ),
    desk: visits.flatMap(({ id, sequence, refund }) => (refund === null ? { id, sequence } : [])),
  }
}

/** Results so far, by visit id. */
export type Fates = ReadonlyMap<string, CancelFate>

/** True if the visit is cancelled, by this call or an earlier one. */
export function isCancelled({ refusal }: CancelFate): boolean {
  return refusal === null || refusal === 'visit_cancelled'
}

/**
 * Cancels any number of visits in batches of the server's maximum size. Each batch keeps its idempotency key
 * until a response arrives, so a retry after a lost response does nothing twice.
 */
export function useCancelTurns() {
  const { client } = trpc.useUtils()
  const keys = useRef(new Map<string, string>())
  const [fates, setFates] = useState<Fates>(new Map())
  const cancel = async ({ visits, ...given }: Wanted): Promise<void> => {
    for (let from = 0; from < visits.length; from += MOST_CANCELLED) {
      const turn = { ...turnOf(visits.slice(from, from + MOST_CANCELLED)), ...given }
      const text = JSON.stringify(turn)
      const key = keys.current.get(text) ?? crypto.randomUUID()
      keys.current.set(text, key)
      const context = { idempotencyKey: key }
      // oxlint-disable-next-line no-await-in-loop -- batches are sequential on purpose
      const answer = await client.visits.cancelMany.mutate(turn, { context })
      keys.current.delete(text)
      setFates((known) => new Map([...known, ...answer.fates.map((one) => [one.id, one] as const)]))
    }
  }
  return { fates, cancel }
}
