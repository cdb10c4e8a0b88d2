import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { monthOf } from '#app/lib/calendar-months.ts'
import { formatRelativeDay } from '#app/lib/format.ts'
import type { SlotChoice } from '#app/lib/slot-choice.ts'
import type { FreeTimes } from '#contract/availability.ts'
import { ChosenDay } from './chosen-day.tsx'
import { type DayTab, DayTabs } from './day-tabs.tsx'
import { OtherDates } from './other-dates.tsx'
import type { Chosen } from './slot-picker.tsx'
import type { Whose } from './use-free-times.ts'

type ChooseDayProps = {
  whose: Whose
  times: FreeTimes
  today: string
  soonest: string
  chosen: Chosen
  onChoose: (chosen: Chosen) => void
  renderContinue: (choice: SlotChoice) => ReactNode
  goneTitle?: string
}

const OTHER = 'other'

function timesWord(count: number): string {
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
    // Looked at after every render: the times of the day may still be on their way.
    if (!wantsFocus.current || heading.current === null) return
    wantsFocus.current = false
    heading.current.focus()
  })

  const tabs: DayTab[] = [
    ...firstDays.map((day) => ({
      key: day.date,
      label: formatRelativeDay(day.date, timeZone),
      detail: timesWord(day.slots.length),
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
          // The notice goes, and with it the time in it that was pressed.
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
