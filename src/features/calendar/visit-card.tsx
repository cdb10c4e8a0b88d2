import { cx } from '#app/lib/cx.ts'
import { formatTime } from '#app/lib/format/dates.ts'
import { localTimeText, visitKindText } from '#app/lib/visit-text.ts'
import type { WeekVisit } from '#contract/booking-provider.ts'
import { isMovable } from './drag-rules.ts'
import { placeColour, type RenderedGrid, spanBox, TWO_LINES_PX } from './grid-scale.ts'
import type { Span } from './layout.ts'
import { MOVE_KEY, MoveHandle } from './visit-drag.tsx'

type VisitCardProps = Span & { visit: WeekVisit } & Pick<
    RenderedGrid,
    'hours' | 'minutePx' | 'timeZone' | 'asOf' | 'hasManyPlaces' | 'places' | 'onOpen'
  >

export function VisitCard({
  visit,
  from,
  to,
  hours,
  minutePx,
  places,
  hasManyPlaces,
  timeZone,
  asOf,
  onOpen,
}: VisitCardProps) {
  const { patientName, phone, marking, mode, placeName, startsAt } = visit
  const size = spanBox({ from, to }, { hours, minutePx })
  const isShort = size.height < TWO_LINES_PX
  const isGone = marking.outcome === 'no_show' || marking.outcome === 'not_held'
  const where = mode === 'video' ? 'Video' : hasManyPlaces && placeName
  const facts = [localTimeText(visit, timeZone), visitKindText(visit), where, phone].filter(Boolean)
  const canMove = isMovable(visit, asOf)
  return (
    <li style={size} data-visit={visit.id} className="absolute inset-x-0 p-px">
      <button
        type="button"
        aria-keyshortcuts={canMove ? MOVE_KEY : undefined}
        onClick={() => onOpen(visit)}
        className={cx(
          'flex size-full flex-col overflow-hidden rounded-field border border-l-4 border-line bg-surface px-1.5 text-left text-sm leading-tight',
          'hover:border-brand hover:shadow-float focus-visible:z-20',
          canMove && 'select-none pointer-coarse:pr-7',
          isShort ? 'justify-center' : 'pt-0.5',
          placeColour(places, placeName),
          isGone && 'text-muted line-through',
        )}
      >
        <span className="w-full truncate font-semibold">
          <span className="tabular">{formatTime(startsAt, timeZone)}</span>{' '}
          {patientName ?? 'Name no longer kept'}
          {marking.arrivedAt !== null && marking.outcome === null && (
            <span className="font-normal text-ok"> · arrived</span>
          )}
        </span>
        <span className={cx('w-full truncate text-muted', isShort && 'sr-only')}>
          {facts.join(' · ')}
        </span>
      </button>
      {canMove && <MoveHandle />}
    </li>
  )
}
