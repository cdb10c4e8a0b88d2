import { useNavigate } from '@tanstack/react-router'
import { ChevronLeft, ChevronRight, Plus, Printer } from 'lucide-react'
import { type ReactNode, useCallback, useMemo, useState } from 'react'
import { useMedia, useOpened, WIDE } from '#app/lib/browser-hooks.ts'
import { addDays } from '#app/lib/dates/calendar-days.ts'
import { serverNow } from '#app/lib/dates/server-clock.ts'
import type { Moment } from '#app/lib/dates/slot-choice.ts'
import { formatDay } from '#app/lib/format/dates.ts'
import { DataBoundary } from '#app/parts/data-boundary.tsx'
import { trpc } from '#app/trpc.ts'
import { Button, IconButton, LinkButton } from '#app/ui/button.tsx'
import { Dialog, Sheet } from '#app/ui/dialog.tsx'
import { PillSelect, RadioCards } from '#app/ui/fields.tsx'
import { Card, PendingShapes } from '#app/ui/page.tsx'
import type { WeekPlan } from '#contract/availability.ts'
import type { WeekVisit } from '#contract/booking-provider.ts'
import { Agenda, WeekList } from './agenda.tsx'
import { type CalendarSearch, type CalendarView, daysOf, VIEWS } from './calendar-search.ts'
import type { SelectedSpan } from './layout.ts'
import { clockMinutes, layOut, visitsByDay } from './layout.ts'
import { WeekGrid } from './week-grid.tsx'

/** Refetch interval for a calendar left open. */
const REFRESH_MS = 60_000

/** What can be added to the calendar. */
const addTitles = { visit: 'Add a visit', block: 'Block time' } as const
type Adding = { what: keyof typeof addTitles; start: SelectedSpan; isAsked: boolean }

/** New visits start at a multiple of this many minutes. */
const STEP = 5

/**
 * Default time when none was selected, on the displayed day: noon for a block, nine o'clock for a visit, or
 * now if the day is today, for walk-ins.
 */
function defaultSpan(
  what: Adding['what'],
  { search, today, timeZone }: CalendarProps,
): SelectedSpan {
  const { on = today } = search
  const date = on < today ? today : on
  if (what === 'block') return { date, from: 720, to: 780 }
  const now = Math.ceil(clockMinutes(new Date(serverNow()).toISOString(), timeZone) / STEP) * STEP
  const from = date === today ? Math.min(now, 1_440 - STEP) : 540
  return { date, from, to: Math.min(1_440, from + 60) }
}

/** A visit dropped on another time. */
export type Move = { visitId: string; to: Moment }

type RenderForm = (start: SelectedSpan, close: () => void, isShown: boolean) => ReactNode

export type CalendarProps = {
  search: CalendarSearch
  /** Today at the main place; `timeZone` is that place's zone. */
  today: string
  timeZone: string
  /** Content of the visit drawer, from another feature module. */
  renderVisit: (visitId: string) => ReactNode
  /** The form for a visit by phone or walk-in, from another feature module. */
  renderAdd: RenderForm
  /** The confirmation before moving a visit, from another feature module. */
  renderMove: (move: Move, close: () => void) => ReactNode
  /** The form to block time, from another feature module. */
  renderBlock: RenderForm
}

const viewLabels: Record<CalendarView, string> = {
  week: 'Week',
  day: 'Day',
  agenda: 'Day as list',
  list: 'Week as list',
}

/** A provider's visits, free and blocked times by week or day, as a grid or as a list. */
export function Calendar(props: CalendarProps) {
  const { search, today, timeZone } = props
  const navigate = useNavigate({ from: '/dochome' })
  const isWide = useMedia(WIDE)
  const isPaper = useMedia('print')
  const view = search.view ?? (isWide ? 'week' : 'agenda')
  const on = search.on ?? today
  const [adding, setAdding, stopAdding] = useOpened<Adding>()
  const [move, setMove, stopMoving] = useOpened<Move>()
  const shown = daysOf({ view, on }, timeZone)
  const last = addDays(shown.from, shown.days - 1)
  const change = useCallback(
    (to: Partial<CalendarSearch>, replace = false) =>
      void navigate({
        search: (now) => ({ ...now, visit: undefined, ...to }),
        replace,
        resetScroll: false,
      }),
    [navigate],
  )
  // Stable callbacks, so that the memoized days rerender only when their data changes.
  const open = useCallback((visit: WeekVisit) => change({ visit: visit.id }), [change])
  const openDay = useCallback((date: string) => change({ on: date, view: 'day' }), [change])
  const drop = useCallback(
    ({ id: visitId }: WeekVisit, to: Moment) => setMove({ visitId, to }),
    [setMove],
  )
  const addAt = useCallback(
    (start: SelectedSpan) => setAdding({ what: 'visit', start, isAsked: true }),
    [setAdding],
  )
  const choose = useCallback((date: string) => change({ on: date }, true), [change])
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
          {/* On phones Print is next to the arrows, where there is room for it. */}
          <div className="no-print flex flex-wrap items-center gap-2 max-sm:[&>:first-child]:-order-2 max-sm:[&>:last-child]:-order-1">
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
                  {viewLabels[one]}
                </option>
              ))}
            </PillSelect>
            {(['visit', 'block'] as const).map((what) => (
              <Button
                key={what}
                variant={what === 'visit' ? 'primary' : 'secondary'}
                onClick={() => setAdding({ what, start: defaultSpan(what, props), isAsked: false })}
              >
                <Plus aria-hidden="true" className="size-5" />
                {addTitles[what]}
              </Button>
            ))}
            <IconButton label="Print" onClick={() => print()}>
              <Printer aria-hidden="true" className="size-5" />
            </IconButton>
          </div>
        </div>
        <DataBoundary
          failed="Your calendar didn’t load"
          pending={<PendingShapes shapes={['h-128']} />}
        >
          <Days
            timeZone={timeZone}
            shown={shown}
            view={view}
            on={on}
            isPaper={isPaper}
            onOpen={open}
            onDay={openDay}
            onChoose={choose}
            onFree={addAt}
            onMove={drop}
          />
        </DataBoundary>
      </Card>
      {adding !== null && <AddDialog {...props} adding={adding} onClose={stopAdding} />}
      {move !== null && props.renderMove(move, stopMoving)}
      <VisitDrawer {...props} onClose={() => change({ visit: undefined })} />
    </section>
  )
}

type AddDialogProps = Pick<CalendarProps, 'renderAdd' | 'renderBlock'> & {
  adding: Adding
  onClose: () => void
}

/** Adds a visit or a block at the selected time; asks which of the two if that is open. */
function AddDialog({ adding, onClose, ...props }: AddDialogProps) {
  const { start, isAsked } = adding
  const [what, setWhat] = useState(adding.what)
  // A form once opened stays, so that a look at the other loses nothing.
  const [opened, setOpened] = useState<readonly Adding['what'][]>([what])
  const forms = { visit: props.renderAdd, block: props.renderBlock }
  return (
    <Dialog isOpen onClose={onClose} title={addTitles[what]}>
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
            onChange={(value: Adding['what']) => {
              setWhat(value)
              if (!opened.includes(value)) setOpened([...opened, value])
            }}
          />
        )}
        {opened.map((one) => (
          <div key={one} hidden={one !== what}>
            {forms[one](start, onClose, one === what)}
          </div>
        ))}
      </div>
    </Dialog>
  )
}

type DaysProps = Pick<CalendarProps, 'timeZone'> & {
  shown: { from: string; days: number }
  view: CalendarView
  /** The displayed day. */
  on: string
  isPaper: boolean
  onOpen: (visit: WeekVisit) => void
  onDay: (date: string) => void
  /** Switches to another day in the same view. */
  onChoose: (date: string) => void
  onFree: (start: SelectedSpan) => void
  onMove: (visit: WeekVisit, to: Moment) => void
}

function Days({ shown, view, on, isPaper, timeZone, ...handlers }: DaysProps) {
  const [[plan, week]] = trpc.useSuspenseQueries((query) => [
    query.availability.week(shown, { refetchInterval: REFRESH_MS }),
    query.booking.week(shown, { refetchInterval: REFRESH_MS }),
  ])
  const isAgenda = view === 'agenda'
  const { visits } = week
  const laid = useMemo(() => {
    const byDay = visitsByDay(visits, timeZone)
    return {
      ...(isAgenda ? layOutDay(plan, on, byDay) : layOut(plan, { visits })),
      places: [...new Set(visits.map(({ placeName }) => placeName))].toSorted(),
      counts: new Map(plan.days.map(({ date }) => [date, byDay.get(date)?.length ?? 0])),
    }
  }, [plan, visits, timeZone, isAgenda, on])
  const more = {
    ...handlers,
    ...laid,
    timeZone,
    hasManyPlaces: week.hasManyPlaces,
    now: clockMinutes(week.now, timeZone),
    asOf: week.now,
  }
  if (isAgenda) return <Agenda {...more} on={on} today={plan.today} />
  return view === 'list' || isPaper ? <WeekList {...more} /> : <WeekGrid {...more} />
}

/** Lays out one day of a loaded week. */
function layOutDay(plan: WeekPlan, on: string, byDay: ReturnType<typeof visitsByDay>) {
  const days = plan.days.filter(({ date }) => date === on)
  return layOut({ ...plan, days }, { visits: byDay.get(on) ?? [] })
}

/** Drawer with one visit and its actions. */
function VisitDrawer({ search, renderVisit, onClose }: CalendarProps & { onClose: () => void }) {
  const utils = trpc.useUtils()
  if (search.visit === undefined) return null
  const close = () => {
    onClose()
    // Shows any change to the visit in the calendar.
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
        failed="This visit didn’t load"
        pending={<PendingShapes shapes={['h-20', 'h-72', 'h-48']} />}
      >
        {renderVisit(search.visit)}
      </DataBoundary>
    </Sheet>
  )
}
