import { useEffect, useState } from 'react'
import {
  countChanges,
  type Draft,
  draftOf,
  problemsOf,
  toInput,
  withDefaultWeek,
} from '#app/features/availability/hours/draft.ts'
import { hour12Of } from '#app/features/availability/hours/hours-format.ts'
import type { Availability } from '#contract/availability.ts'

/** Initial draft: the saved hours, or a typical week if nothing was ever saved. */
function initialDraft(mine: Availability): Draft {
  const saved = draftOf(mine)
  const [place] = mine.places
  return mine.version === 0 && place !== undefined ? withDefaultWeek(saved, place.id) : saved
}

function hasSameHours(one: Availability, other: Availability): boolean {
  return countChanges(draftOf(one), draftOf(other)) === 0
}

/**
 * State of the weekly hours editor. Changes saved in other windows are adopted unless local edits would be
 * lost; then the server rejects saving, and `rebase` adopts them on demand.
 */
export function useEditor(mine: Availability) {
  const [base, setBase] = useState(mine)
  const [start, setStart] = useState(() => initialDraft(mine))
  const [draft, setDraft] = useState(start)
  const [said, setSaid] = useState('')
  const [shown, show] = useState({ placeId: mine.places[0]?.id ?? '', week: 1 })
  const isTouched = countChanges(start, draft) > 0

  const reset = (to: Availability) => {
    const initial = initialDraft(to)
    setBase(to)
    setStart(initial)
    setDraft(initial)
  }
  /** Adopts what was saved; edits made since it was sent stay, as unsaved changes. */
  const adoptSaved = (saved: Availability, sent: Draft) => {
    const initial = initialDraft(saved)
    setBase(saved)
    setStart(initial)
    setDraft((now) => (now === sent ? initial : now))
  }
  const rebase = (to: Availability) => {
    setBase(to)
    setStart(draftOf(to))
  }
  useEffect(() => {
    if (mine === base) return
    if (!isTouched && !hasSameHours(mine, base)) reset(mine)
    else if (hasSameHours(mine, base)) setBase(mine)
    // Runs only for new data from the server.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [mine])

  const known = {
    places: base.places,
    consultationMinutes: base.consultationMinutes,
    hour12: hour12Of(base),
  }
  const problems = problemsOf(draft, known)
  const isDateMissing = draft.settings.rotation.from === ''
  return {
    base,
    draft,
    known,
    problems,
    isDateMissing,
    isSound: problems.size === 0 && !isDateMissing,
    /** Number of differences from the saved hours. */
    changes: countChanges(draftOf(base), draft),
    /** True if leaving would lose changes. */
    isTouched,
    /** The displayed place and week. */
    shown,
    show,
    /** Announcement of the last action for screen readers. */
    said,
    input: () => toInput(draft),
    change: (next: Draft, words = '') => {
      setDraft(next)
      if (words !== '') setSaid(words)
    },
    discard: () => setDraft(start),
    reset,
    adoptSaved,
    rebase,
  }
}
export type Editor = ReturnType<typeof useEditor>
