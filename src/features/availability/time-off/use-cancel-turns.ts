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

/** What a turn sends: those that were paid for with what goes back, and those of the desk. */
function turnOf(visits: readonly Shown[]): Pick<CancelManyInput, 'visits' | 'desk'> {
  return {
    visits: visits.flatMap(({ id, sequence, refund }) =>
      refund === null ? [] : { id, sequence, refund },
    ),
    desk: visits.flatMap(({ id, sequence, refund }) => (refund === null ? { id, sequence } : [])),
  }
}

/** What became of visits so far, by their ids. */
export type Fates = ReadonlyMap<string, CancelFate>

/** A visit that is cancelled, by this call or before it, is not asked about again. */
export function isCancelled({ refusal }: CancelFate): boolean {
  return refusal === null || refusal === 'visit_cancelled'
}

/**
 * Cancels any number of visits, as many at once as the server takes. Each turn goes under a key of its
 * own until it is answered: whoever tries again after a lost answer gets that answer, and nothing is
 * done twice.
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
      // oxlint-disable-next-line no-await-in-loop -- in turns is the point
      const answer = await client.visits.cancelMany.mutate(turn, { context })
      keys.current.delete(text)
      setFates((known) => new Map([...known, ...answer.fates.map((one) => [one.id, one] as const)]))
    }
  }
  return { fates, cancel }
}
