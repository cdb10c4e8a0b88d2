import { useId, useState } from 'react'
import { cx } from '#app/lib/cx.ts'
import { describeFailure } from '#app/lib/errors.ts'
import { formatTime } from '#app/lib/format-time.ts'
import { visitTypeWords } from '#app/lib/visit-words.ts'
import { trpc } from '#app/trpc.ts'
import { Badge } from '#app/ui/badge.tsx'
import { Button } from '#app/ui/button.tsx'
import type { DayVisit } from '#contract/booking.ts'

/** Whether the fee of a follow-up rests on what we know or on what the patient said. */
const basisWords = {
  history: 'Has visited you before',
  self_declared: 'Says they have seen you before',
} as const

/** Why somebody comes: asked of the server only when the provider asks, and noted there. */
function Purpose({ visit }: { visit: DayVisit }) {
  const id = useId()
  const [isOpen, setOpen] = useState(false)
  const ask = trpc.booking.purpose.useMutation()
  const who = visit.patientName ?? 'this visit'
  return (
    <>
      <Button
        variant="secondary"
        aria-expanded={isOpen}
        aria-controls={id}
        isBusy={ask.isPending}
        className="shrink-0"
        onClick={() => {
          if (!isOpen && ask.data === undefined) ask.mutate({ id: visit.id })
          setOpen(!isOpen)
        }}
      >
        {isOpen ? 'Hide purpose' : 'Show purpose'}
        <span className="sr-only"> of {who}</span>
      </Button>
      <div id={id} aria-live="polite" className="basis-full empty:hidden">
        {isOpen && ask.data && (
          <p className="rounded-field bg-sunken px-4 py-3 wrap-anywhere whitespace-pre-line">
            {ask.data.purposeForVisit}
          </p>
        )}
        {isOpen && ask.error && (
          <p className="font-medium text-danger">{describeFailure(ask.error).sentence}</p>
        )}
      </div>
    </>
  )
}

type VisitRowProps = { visit: DayVisit; now: number; hasManyPlaces: boolean }

/** One visit of today: when, who, what for, and whether it is going on. */
export function VisitRow({ visit, now, hasManyPlaces }: VisitRowProps) {
  const { startsAt, endsAt, timeZone, followUpBasis, patientName } = visit
  const isOver = Date.parse(endsAt) <= now
  const isNow = !isOver && Date.parse(startsAt) <= now
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-3 py-4">
      <p className={cx('tabular w-20 shrink-0', isOver ? 'text-muted' : 'font-semibold')}>
        <span className="block text-lg">{formatTime(startsAt, timeZone)}</span>
        <span className="block text-sm font-normal text-muted">
          <span className="sr-only">until </span>
          <span aria-hidden="true">to </span>
          {formatTime(endsAt, timeZone)}
        </span>
      </p>
      <div className="min-w-0 flex-1 basis-48">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <span className={cx('wrap-anywhere', isOver ? 'text-muted' : 'font-semibold')}>
            {patientName ?? 'Name no longer kept'}
          </span>
          {isNow && <Badge tone="accent">Now</Badge>}
          {isOver && <Badge>Over</Badge>}
        </p>
        <p className="text-sm text-muted">
          {visitTypeWords[visit.typeOfVisit]}
          {followUpBasis !== null && ` · ${basisWords[followUpBasis]}`}
          {hasManyPlaces && ` · ${visit.placeName}`}
        </p>
      </div>
      {visit.hasPurpose && <Purpose visit={visit} />}
    </li>
  )
}
