import { useNavigate } from '@tanstack/react-router'
import { ChevronLeft, ChevronRight, Plus, Printer } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useMedia, WIDE } from '#app/lib/browser-hooks.ts'
import { addDays } from '#app/lib/calendar-days.ts'
import { formatDay } from '#app/lib/format.ts'
import { serverNow } from '#app/lib/server-clock.ts'
import { DataBoundary } from '#app/parts/data-boundary.tsx'
import { trpc } from '#app/trpc.ts'
import { Button, IconButton, LinkButton } from '#app/ui/button.tsx'
import { Card } from '#app/ui/card.tsx'
import { Dialog, Sheet } from '#app/ui/dialog.tsx'
import { PillSelect } from '#app/ui/pill-select.tsx'
import { RadioCards } from '#app/ui/radio-cards.tsx'
import { PendingShapes } from '#app/ui/skeleton.tsx'
import type { WeekVisit } from '#contract/booking-provider.ts'
import { type CalendarSearch, type CalendarView, daysOf, VIEWS } from './calendar-search.ts'
import { clockMinutes, layOut, type Span } from './layout.ts'
import { WeekGrid } from './week-grid.tsx'
import { WeekList } from './week-list.tsx'

/** A calendar that stands open on a screen is looked at again. */
const EVERY_MINUTE = 60_000

/** A stretch of a day somebody pointed at, and whose hours those are, if anybody's. */
export type Start = Span & { date: string; placeId?: string | null }

/** What can be put into the calendar. */
const added = { visit: 'Add a visit', block: 'Block time' } as const
type Adding = { what: keyof typeof added; start: Start; isAsked: boolean }

/** In steps of so many minutes somebody is put in. */
const STEP = 5

/**
 * Where something is put when nobody pointed anywhere: on the day that is shown, a block at noon, and a
 * visit in the morning or, today, now: whoever walks in stands there.
 */
function usualStart(what: Adding['what'], { search, today, timeZone }: CalendarProps): Start {
  const { on = today } = search
  const date = on < today ? today : on
  if (what === 'block') return { date, from: 720, to: 780 }
  const now = Math.ceil(clockMinutes(serverNow(), timeZone) / STEP) * STEP
  const from = date === today ? Math.min(now, 1_440 - STEP) : 540
  return { date, from, to: Math.min(1_440, from + 60) }
}

export type CalendarProps = {
  search: CalendarSearch
  /** Today at the main place, and its zone. */
  today: string
  timeZone: string
  /** Everything of one visit, in the drawer; from another room. */
  renderVisit: (visitId: string) => ReactNode
  /** The form that puts in a patient who phoned or walked in; from another room. */
  renderAdd: (start: Start, close: () => void) => ReactNode
  /** The form that blocks a stretch of a day; from another room. */
  renderBlock: (start: Start, close: () => void) => ReactNode
}

const viewWords: Record<CalendarView, string> = { week: 'Week', day: 'Day', list: 'List' }

/** A provider's visits, free and blocked times by week, day, or as a list. */
export function Calendar(props: CalendarProps) {
  const { search, today, timeZone } = props
  const navigate = useNavigate({ from: '/dochome' })
  const isWide = useMedia(WIDE)
  const isPaper = useMedia('print')
  const view = search.view ?? (isWide ? 'week' : 'list')
  const on = search.on ?? today
  const [adding, setAdding] = useState<Adding | null>(null)
  const shown = daysOf({ view, on, region: timeZone === 'Europe/London' ? 'uk' : 'usa' })
  const last = addDays(shown.from, shown.days - 1)
  const change = (to: Partial<CalendarSearch>) =>
    void navigate({ search: { ...search, visit: undefined, ...to }, resetScroll: false })
  const step = view === 'day' ? 1 : 7
  const title =
    shown.days === 1
      ? formatDay(shown.from, timeZone, 'long')
      : `${formatDay(shown.from, timeZone)} to ${formatDay(last, timeZone)}`
  return (
    <section aria-labelledby="calendar-title">
      <Card className="print:border-0 print:p-0">
        <div className="mb-4 flex flex-wrap items-center gap-x-4 gap-y-3">
          <h2 id="calendar-title" className="tabular mr-auto text-xl font-semibold">
            <span className="sr-only">Calendar, </span>
            <span aria-live="polite">{title}</span>
          </h2>
          <div className="no-print flex flex-wrap items-center gap-2">
            <div className="flex items-center">
              <IconButton
                label={step === 1 ? 'Day before' : 'Week before'}
                onClick={() => change({ on: addDays(on, -step) })}
              >
                <ChevronLeft aria-hidden="true" className="size-5" />
              </IconButton>
              <Button variant="secondary" onClick={() => change({ on: undefined })}>
                Today
              </Button>
              <IconButton
                label={step === 1 ? 'Day after' : 'Week after'}
                onClick={() => change({ on: addDays(on, step) })}
              >
                <ChevronRight aria-hidden="true" className="size-5" />
              </IconButton>
            </div>
            <PillSelect
              label="View"
              isActive={false}
              value={view}
              onChange={({ target }) =>
                change({ view: VIEWS.find((one) => one === target.value) ?? 'week' })
              }
            >
              {VIEWS.map((one) => (
                <option key={one} value={one}>
                  {viewWords[one]}
                </option>
              ))}
            </PillSelect>
            {(['visit', 'block'] as const).map((what) => (
              <Button
                key={what}
                variant={what === 'visit' ? 'primary' : 'secondary'}
                onClick={() => setAdding({ what, start: usualStart(what, props), isAsked: false })}
              >
                <Plus aria-hidden="true" className="size-5" />
                {added[what]}
              </Button>
            ))}
            <IconButton label="Print" onClick={() => print()}>
              <Printer aria-hidden="true" className="size-5" />
            </IconButton>
          </div>
        </div>
        <DataBoundary
          failed="Your calendar did not load"
          pending={<PendingShapes shapes={['h-128']} />}
        >
          <Days
            {...props}
            shown={shown}
            view={isPaper ? 'list' : view}
            onOpen={(visit) => change({ visit: visit.id })}
            onDay={(date) => change({ on: date, view: 'day' })}
            onFree={(start) => setAdding({ what: 'visit', start, isAsked: true })}
          />
        </DataBoundary>
      </Card>
      {adding !== null && (
        <AddDialog
          {...props}
          adding={adding}
          onChange={setAdding}
          onClose={() => setAdding(null)}
        />
      )}
      <VisitDrawer {...props} onClose={() => change({ visit: undefined })} />
    </section>
  )
}

type AddDialogProps = Pick<CalendarProps, 'renderAdd' | 'renderBlock'> & {
  adding: Adding
  onChange: (adding: Adding) => void
  onClose: () => void
}

/** Puts a visit or a block where somebody pointed; which of the two is asked where that is not known. */
function AddDialog({ adding, onChange, onClose, ...props }: AddDialogProps) {
  const { what, start, isAsked } = adding
  return (
    <Dialog isOpen onClose={onClose} title={added[what]}>
      <div className="flex flex-col gap-6">
        {isAsked && (
          <RadioCards
            name="adding"
            legend="What to put there"
            isLegendHidden
            isCompact
            choices={[
              { value: 'visit', label: 'Visit' },
              { value: 'block', label: 'Blocked time' },
            ]}
            value={what}
            onChange={(value: Adding['what']) => onChange({ ...adding, what: value })}
          />
        )}
        {what === 'visit' ? props.renderAdd(start, onClose) : props.renderBlock(start, onClose)}
      </div>
    </Dialog>
  )
}

type DaysProps = CalendarProps & {
  shown: { from: string; days: number }
  view: CalendarView
  onOpen: (visit: WeekVisit) => void
  onDay: (date: string) => void
  onFree: (start: Start) => void
}

function Days({ shown, view, timeZone, ...props }: DaysProps) {
  const [[plan, week]] = trpc.useSuspenseQueries((query) => [
    query.availability.week(shown, { refetchInterval: EVERY_MINUTE }),
    query.booking.week(shown, { refetchInterval: EVERY_MINUTE }),
  ])
  const laid = layOut(plan, week)
  const places = [...new Set(week.visits.map(({ placeName }) => placeName))].toSorted()
  const more = {
    ...props,
    ...laid,
    timeZone,
    hasManyPlaces: week.hasManyPlaces,
    now: clockMinutes(week.now, timeZone),
    places,
  }
  return view === 'list' ? <WeekList {...more} /> : <WeekGrid {...more} />
}

/** One visit beside the calendar, with everything that can be done with it. */
function VisitDrawer({ search, renderVisit, onClose }: CalendarProps & { onClose: () => void }) {
  const utils = trpc.useUtils()
  if (search.visit === undefined) return null
  const close = () => {
    onClose()
    // Whatever was done with it shows where it stands.
    void utils.booking.week.invalidate()
    void utils.booking.today.invalidate()
    void utils.availability.week.invalidate()
  }
  return (
    <Sheet
      isOpen
      onClose={close}
      title="Visit"
      footer={
        <LinkButton
          to="/doctor/visits/$visitId"
          params={{ visitId: search.visit }}
          variant="secondary"
        >
          Open as a page
        </LinkButton>
      }
    >
      <DataBoundary
        failed="This visit did not load"
        pending={<PendingShapes shapes={['h-20', 'h-72', 'h-48']} />}
      >
        {renderVisit(search.visit)}
      </DataBoundary>
    </Sheet>
  )
}
