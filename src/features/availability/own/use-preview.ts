import { keepPreviousData } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { firstWeekdayOf } from '#app/features/availability/hours/words.ts'
import { addDays, daysBetween, weekdayOf } from '#app/lib/calendar-days.ts'
import { trpc } from '#app/trpc.ts'
import type { Availability, PreviewInput } from '#contract/availability.ts'
import { PREVIEW_DAYS } from '#contract/availability.ts'

/** A value as it was when it last stood still for so many milliseconds. */
export function useSettled<Value>(value: Value, ms = 400): Value {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), ms)
    return () => clearTimeout(timer)
  }, [value, ms])
  return settled
}

/** The days of whole weeks that hold the coming four: from the first day of this one. */
function previewDays(mine: Pick<Availability, 'today' | 'places'>) {
  const lead = (weekdayOf(mine.today) - firstWeekdayOf(mine) + 7) % 7
  const from = addDays(mine.today, -lead)
  const last = addDays(mine.today, PREVIEW_DAYS - 1)
  return { from, days: Math.ceil((daysBetween(from, last) + 1) / 7) * 7 }
}

/** What the coming weeks look like, with a draft as soon as it has stood still; as saved without. */
export function usePreview(mine: Availability, draft?: PreviewInput['draft']) {
  const text = useSettled(JSON.stringify(draft))
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what was written a line above
  const settled = text === undefined ? undefined : (JSON.parse(text) as PreviewInput['draft'])
  return trpc.availability.preview.useQuery(
    { ...previewDays(mine), ...(settled !== undefined && { draft: settled }) },
    { placeholderData: keepPreviousData },
  )
}
