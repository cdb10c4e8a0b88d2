import { Zap } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { cx } from '#app/lib/cx.ts'
import { monthOf } from '#app/lib/dates/calendar-days.ts'
import { type Moment, type SlotChoice, slotChoiceOf } from '#app/lib/dates/slot-choice.ts'
import { dayOf, formatRelativeDay, formatTime, zoneLabel } from '#app/lib/format/dates.ts'
import { plural } from '#app/lib/format/words.ts'
import { LoadNotice, Notice } from '#app/ui/notice.tsx'
import { Skeleton } from '#app/ui/page.tsx'
import type { FreeTimes } from '#contract/availability.ts'
import { ChosenDay } from './chosen-day.tsx'
import { type SlotSource, useFirstTimes } from './free-times.ts'
import { OtherDates } from './other-dates.tsx'

/** The choice in the URL: a day, and perhaps a time on it. */
type Chosen = Partial<Record<'date' | 'time', string | undefined>> & Pick<SlotChoice, 'which'>

export type SlotPickerProps = {
  providerId: string
  /** Visit type; the provider's first one when omitted. */
  typeId?: string | undefined
  chosen: Chosen
  /** A day without a time clears the time. */
  onChoose: (chosen: Chosen) => void
  /** The next step, labelled with the choice: "Continue with Thu 19 Feb, 10:30". */
  renderContinue: (choice: SlotChoice, at: Moment) => ReactNode
  /** Said instead when there is no free time at all. */
  whenNothingIsFree: ReactNode
  /** Title above the nearest times when the chosen one is not free, if the reason is known. */
  goneTitle?: string
}

function PickerSkeleton() {
  return (
    <div className="flex flex-col gap-4">
      <p role="status" className="sr-only">
        Loading free times
      </p>
      <Skeleton className="h-13 w-full" />
      <Skeleton className="h-15 w-full rounded-card" />
      <Skeleton className="h-5 w-40" />
      <div className="grid grid-cols-3 gap-2">
        {Array.from({ length: 9 }, (_, at) => (
          <Skeleton key={at} className="h-11" />
        ))}
      </div>
    </div>
  )
}

type FirstAvailableProps = {
  startsAt: string
  /** Name of the place, if the provider has more than one. */
  place: string | undefined
  timeZone: string
  onChoose: (to: SlotChoice) => void
}

/** Button for the earliest free time. */
function FirstAvailable({ startsAt, place, timeZone, onChoose }: FirstAvailableProps) {
  const day = formatRelativeDay(dayOf(startsAt, timeZone), timeZone)
  return (
    <button
      type="button"
      onClick={() => onChoose(slotChoiceOf(startsAt, timeZone))}
      className="flex min-h-13 w-full flex-wrap items-center justify-between gap-x-3 rounded-field border border-accent bg-accent-tint px-4 py-2 text-left text-accent transition-colors duration-150 hover:bg-surface"
    >
      <span className="inline-flex items-center gap-2 font-semibold">
        <Zap aria-hidden="true" className="size-5 max-sm:hidden" />
        First available
      </span>
      <span className="tabular min-w-0 font-semibold wrap-anywhere sm:text-right sm:whitespace-nowrap">
        {day}, {formatTime(startsAt, timeZone)}
        {place !== undefined && (
          <span className="block text-sm font-normal whitespace-normal">{place}</span>
        )}
      </span>
    </button>
  )
}

/** "Times shown in London time (BST)", as on that day: in-person visits are always in the clinic's own time. */
function ZoneLine({ date, timeZone }: { date: string; timeZone: string }) {
  // Clocks change at night, which is over by noon in London.
  const label = zoneLabel(`${date}T12:00:00Z`, timeZone).replace(/, (.+)$/, ' ($1)')
  return <p className="text-sm text-muted">Times shown in {label}</p>
}

/** Choosing a free time: the first one, one of the first days, or any other date. */
export function SlotPicker(props: SlotPickerProps) {
  const { providerId, typeId, chosen, onChoose, renderContinue, whenNothingIsFree, goneTitle } =
    props
  const { times, today } = useFirstTimes({ providerId, typeId })
  const { data, error, refetch } = times
  if (error !== null) {
    return (
      <LoadNotice title="The free times didn’t load" error={error} onRetry={() => void refetch()} />
    )
  }
  if (data === undefined || today === undefined) return <PickerSkeleton />
  const { timeZone, nextFree, days } = data
  const soonest = days[0]?.slots[0]
  const first = soonest?.startsAt ?? nextFree
  if (first === null) {
    return (
      <div className="flex flex-col gap-4">
        {goneTitle !== undefined && <Notice kind="warn" role="status" title={goneTitle} />}
        {whenNothingIsFree}
      </div>
    )
  }
  return (
    <div className="@container flex flex-col gap-4">
      <FirstAvailable
        startsAt={first}
        place={soonest?.place}
        timeZone={timeZone}
        onChoose={onChoose}
      />
      <ChooseDay
        whose={{ providerId, typeId }}
        times={data}
        today={today}
        soonest={first}
        chosen={chosen}
        onChoose={onChoose}
        {...(goneTitle !== undefined && { goneTitle })}
        renderContinue={renderContinue}
      />
      <ZoneLine date={chosen.date ?? dayOf(first, timeZone)} timeZone={timeZone} />
    </div>
  )
}

type ChooseDayProps = {
  whose: SlotSource
  times: FreeTimes
  today: string
  soonest: string
  chosen: Chosen
  onChoose: (chosen: Chosen) => void
  renderContinue: SlotPickerProps['renderContinue']
  goneTitle?: string
}

const OTHER = 'other'

/** The days with times as tabs; the last tab opens the calendar. */
function ChooseDay(props: ChooseDayProps) {
  const { whose, times, today, soonest, chosen, onChoose, renderContinue, goneTitle } = props
  const { timeZone } = times
  const id = useId().replaceAll(/[^\w-]/g, '')
  const [isBrowsing, setIsBrowsing] = useState(false)
  const [returns, setReturns] = useState(false)
  const heading = useRef<HTMLHeadingElement>(null)
  const wantsFocus = useRef(false)

  const firstDays = times.days.slice(0, 2)
  const date = chosen.date ?? firstDays[0]?.date
  const isFirstDay = firstDays.some((day) => day.date === date)
  const selected = isBrowsing || !isFirstDay ? OTHER : (date ?? OTHER)
  const showsCalendar = isBrowsing || date === undefined

  useEffect(() => {
    // Checked after every render: the times of the day may still be loading.
    if (!wantsFocus.current || heading.current === null) return
    wantsFocus.current = false
    heading.current.focus()
  })

  const tabs: DayTab[] = [
    ...firstDays.map((day) => ({
      key: day.date,
      label: formatRelativeDay(day.date, timeZone),
      detail: plural(day.slots.length, 'time'),
    })),
    { key: OTHER, label: 'Other', detail: 'dates' },
  ]

  const select = (key: string) => {
    setReturns(false)
    setIsBrowsing(key === OTHER)
    if (key !== OTHER && key !== chosen.date) onChoose({ date: key })
  }

  return (
    <DayTabs id={id} tabs={tabs} selected={selected} onSelect={select}>
      {showsCalendar ? (
        <OtherDates
          whose={whose}
          timeZone={timeZone}
          today={today}
          startMonth={monthOf(date ?? times.nextDay ?? today)}
          chosen={chosen.date}
          takesFocus={returns}
          onChoose={(next) => {
            wantsFocus.current = true
            setIsBrowsing(false)
            onChoose({ date: next })
          }}
        />
      ) : (
        <ChosenDay
          whose={whose}
          times={times}
          today={today}
          date={date}
          chosenTime={chosen.time}
          which={chosen.which}
          soonest={soonest}
          headingRef={heading}
          onChoose={onChoose}
          // The notice disappears together with the pressed button, so focus moves to the heading.
          onChooseInstead={(choice) => {
            wantsFocus.current = true
            setIsBrowsing(false)
            onChoose(choice)
          }}
          renderContinue={renderContinue}
          {...(goneTitle !== undefined && { goneTitle })}
          {...(!isFirstDay && {
            onOtherDate: () => {
              setReturns(true)
              setIsBrowsing(true)
            },
          })}
        />
      )}
    </DayTabs>
  )
}

type DayTab = { key: string; label: string; detail: string }

type DayTabsProps = {
  tabs: readonly DayTab[]
  selected: string
  onSelect: (key: string) => void
  /** Prefix of element ids. */
  id: string
  children: ReactNode
}

const steps: Record<string, number> = { ArrowRight: 1, ArrowLeft: -1 }

/** The first days with times, and "Other dates", as tabs; arrows move and choose at once. */
function DayTabs({ tabs, selected, onSelect, id, children }: DayTabsProps) {
  const list = useRef<HTMLDivElement>(null)

  const move = (event: KeyboardEvent) => {
    const at = tabs.findIndex((tab) => tab.key === selected)
    const step = steps[event.key]
    const ends: Record<string, number> = { Home: 0, End: tabs.length - 1 }
    const to = step === undefined ? ends[event.key] : (at + step + tabs.length) % tabs.length
    const next = to === undefined ? undefined : tabs[to]
    if (next === undefined) return
    event.preventDefault()
    onSelect(next.key)
    list.current?.querySelector<HTMLElement>(`#${id}-tab-${next.key}`)?.focus()
  }

  return (
    <div className="flex flex-col gap-4">
      <div
        ref={list}
        role="tablist"
        aria-label="Day"
        tabIndex={-1}
        onKeyDown={move}
        className="grid auto-cols-fr grid-flow-col gap-1 rounded-card bg-sunken p-1 @max-[13rem]:grid-flow-row @max-[13rem]:grid-cols-2"
      >
        {tabs.map((tab) => (
          <button
            key={tab.key}
            type="button"
            role="tab"
            id={`${id}-tab-${tab.key}`}
            aria-selected={tab.key === selected}
            aria-controls={`${id}-panel`}
            tabIndex={tab.key === selected ? 0 : -1}
            onClick={() => onSelect(tab.key)}
            className={cx(
              'flex min-h-13 flex-col items-center justify-center rounded-field px-1 py-1 leading-tight transition-colors duration-150',
              tab.key === selected
                ? 'bg-surface text-brand-deep shadow-[0_0_0_1px_var(--line)]'
                : 'text-muted hover:text-ink',
            )}
          >
            <span className="font-semibold max-sm:text-sm">{tab.label}</span>
            <span className="tabular text-sm">{tab.detail}</span>
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-tab-${selected}`}>
        {children}
      </div>
    </div>
  )
}
