import { type ReactNode, useState } from 'react'
import type { Availability, ChangeAnswer, VisitOutside } from '#contract/availability.ts'
import { ConflictDialog } from './conflict-dialog.tsx'
import { useMineSaved } from './use-mine.ts'

/** One change as the server takes it; `confirmed` are the visits that stay booked all the same. */
type Act = (confirmed: string[]) => Promise<ChangeAnswer>

type Question = { visits: readonly VisitOutside[]; answer: (isKept: boolean) => void }

/**
 * Sends a change. When booked visits would come to lie outside it lists them and asks; `saved: false`
 * means that the answer was no, and that nothing was changed. Render `question` somewhere.
 */
export function useConfirmedChange(places: Availability['places']): {
  send: (act: Act) => Promise<ChangeAnswer>
  question: ReactNode
} {
  const saved = useMineSaved()
  const [asked, setAsked] = useState<Question | null>(null)
  const ask = async (visits: readonly VisitOutside[]) => {
    const isKept = await new Promise<boolean>((resolve) => {
      setAsked({ visits, answer: resolve })
    })
    setAsked(null)
    return isKept
  }
  const send = async (act: Act, confirmed: string[] = []): Promise<ChangeAnswer> => {
    const answer = await act(confirmed)
    if (!answer.saved) {
      const isKept = await ask(answer.conflicts)
      return isKept
        ? send(
            act,
            answer.conflicts.map(({ id }) => id),
          )
        : answer
    }
    await saved(answer.mine)
    return answer
  }
  return {
    send: (act) => send(act),
    question: asked && (
      <ConflictDialog
        visits={asked.visits}
        places={places}
        onKeep={() => asked.answer(true)}
        onClose={() => asked.answer(false)}
      />
    ),
  }
}
