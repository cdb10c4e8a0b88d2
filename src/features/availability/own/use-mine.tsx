import { keepPreviousData, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useCallback, useEffect, useState } from 'react'
import { firstWeekdayOf } from '#app/features/availability/hours/format.ts'
import { addDays, daysBetween, weekdayOf } from '#app/lib/calendar-days.ts'
import { trpc } from '#app/trpc.ts'
import {
  type Availability,
  type ChangeResponse,
  PREVIEW_DAYS,
  type PreviewInput,
  type VisitOutside,
} from '#contract/availability.ts'
import { ConflictDialog } from './conflict-dialog.tsx'

/** Stores the response to a change in the cache and invalidates every query that depends on hours. */
function useUpdateMine(): (mine: Availability) => Promise<void> {
  const utils = trpc.useUtils()
  const client = useQueryClient()
  return useCallback(
    async (mine) => {
      utils.availability.mine.setData(undefined, mine)
      await client.invalidateQueries({
        predicate: ({ queryKey: [path] }) =>
          Array.isArray(path) &&
          (path[0] === 'search' ||
            path.join('.') === 'visits.inTimeOff' ||
            (path[0] === 'availability' && path[1] !== 'mine')),
      })
    },
    [utils, client],
  )
}

/** Debounced value: updates after `ms` milliseconds without a change. */
export function useDebounced<Value>(value: Value, ms = 400): Value {
  const [debounced, setDebounced] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setDebounced(value), ms)
    return () => clearTimeout(timer)
  }, [value, ms])
  return debounced
}

/** Range of whole weeks that contains the coming four, from the first day of this week. */
function previewDays(mine: Pick<Availability, 'today' | 'places'>) {
  const lead = (weekdayOf(mine.today) - firstWeekdayOf(mine) + 7) % 7
  const from = addDays(mine.today, -lead)
  const last = addDays(mine.today, PREVIEW_DAYS - 1)
  return { from, days: Math.ceil((daysBetween(from, last) + 1) / 7) * 7 }
}

/** Preview of the coming weeks, with the debounced draft if there is one, else as saved. */
export function usePreview(mine: Availability, draft?: PreviewInput['draft']) {
  const text = useDebounced(JSON.stringify(draft))
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- serialized one line above
  const settled = text === undefined ? undefined : (JSON.parse(text) as PreviewInput['draft'])
  return trpc.availability.preview.useQuery(
    { ...previewDays(mine), ...(settled !== undefined && { draft: settled }) },
    { placeholderData: keepPreviousData },
  )
}

/** One mutation; `confirmed` holds ids of visits that stay booked despite it. */
type SendChange = (confirmed: string[]) => Promise<ChangeResponse>

/** `cancel` saves as `keep` does, and goes on to cancelling. */
type Decision = 'keep' | 'cancel' | 'back'

type OpenQuestion = { visits: readonly VisitOutside[]; answer: (wish: Decision) => void }

/**
 * Sends a change. If booked visits would fall outside the hours, it lists them and asks. `saved: false` means
 * that the user declined and nothing was changed. Render `question` somewhere. With `onCancelVisits` the
 * dialog also offers to cancel them; it is called with their ids once the change is saved, so that their
 * times are not offered again.
 */
export function useConfirmedChange(
  places: Availability['places'],
  onCancelVisits?: (ids: string[]) => void,
): {
  send: (act: SendChange) => Promise<ChangeResponse>
  question: ReactNode
} {
  const updateMine = useUpdateMine()
  const [openQuestion, setOpenQuestion] = useState<OpenQuestion | null>(null)
  const ask = async (visits: readonly VisitOutside[]) => {
    const decision = await new Promise<Decision>((resolve) => {
      setOpenQuestion({ visits, answer: resolve })
    })
    setOpenQuestion(null)
    return decision
  }
  const send = async (act: SendChange, confirmed: string[] = []): Promise<ChangeResponse> => {
    const answer = await act(confirmed)
    if (!answer.saved) {
      const wish = await ask(answer.conflicts)
      if (wish === 'back') return answer
      const ids = answer.conflicts.map(({ id }) => id)
      const sent = await send(act, ids)
      if (sent.saved && wish === 'cancel') onCancelVisits?.(ids)
      return sent
    }
    await updateMine(answer.mine)
    return answer
  }
  return {
    send: (act) => send(act),
    question: openQuestion && (
      <ConflictDialog
        visits={openQuestion.visits}
        places={places}
        onKeep={() => openQuestion.answer('keep')}
        onCancelVisits={onCancelVisits && (() => openQuestion.answer('cancel'))}
        onClose={() => openQuestion.answer('back')}
      />
    ),
  }
}
