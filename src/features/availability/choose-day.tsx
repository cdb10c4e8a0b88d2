import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { monthOf } from '#app/lib/calendar-months.ts'
import { cx } from '#app/lib/cx.ts'
import { formatRelativeDay } from '#app/lib/format.ts'
import type { SlotChoice } from '#app/lib/slot-choice.ts'
import type { FreeTimes } from '#contract/availability.ts'
import { ChosenDay } from './chosen-day.tsx'
import { OtherDates } from './other-dates.tsx'
import type { Chosen } from './slot-picker.tsx'
import type { SlotSource } from './use-free-times.ts'

type ChooseDayProps = {
  whose: SlotSource
  times: FreeTimes
  today: string
  soonest: string
  chosen: Chosen
  onChoose: (chosen: Chosen) => void
  renderContinue: (choice: SlotChoice) => ReactNode
  goneTitle?: string
}

const OTHER = 'other'

function timesText(count: number): string {
  return count === 1 ? '1 time' : `${count} times`
}

/** The days with times as tabs; the last tab opens the calendar. */
export function ChooseDay(props: ChooseDayProps) {
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
      detail: timesText(day.slots.length),
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
