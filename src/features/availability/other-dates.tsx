import { ChevronLeft, ChevronRight } from 'lucide-react'
import { useId, useState } from 'react'
import { addMonths, monthOf } from '#app/lib/calendar-months.ts'
import { describeFailure } from '#app/lib/errors.ts'
import { formatDay } from '#app/lib/format.ts'
import { Button } from '#app/ui/button.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { dateFormat } from '#contract/intl.ts'
import { MonthGrid } from './month-grid.tsx'
import { useMonthTimes, type Whose } from './use-free-times.ts'

type OtherDatesProps = {
  whose: Whose
  timeZone: string
  /** Today in the clinic's calendar. */
  today: string
  startMonth: string
  chosen: string | undefined
  takesFocus: boolean
  onChoose: (date: string) => void
}

function monthName(month: string): string {
  return dateFormat('en-GB', {
    timeZone: 'UTC',
    month: 'long',
    year: 'numeric',
  }).format(new Date(`${month}-15T12:00:00Z`))
}

function GridSkeleton() {
  return (
    <div className="grid grid-cols-7 gap-1">
      <p role="status" className="sr-only">
        Loading the month
      </p>
      {Array.from({ length: 35 }, (_, at) => (
        <Skeleton key={at} className="h-11" />
      ))}
    </div>
  )
}

const arrow =
  'inline-flex size-11 items-center justify-center rounded-field text-brand-deep hover:bg-tint disabled:text-field disabled:hover:bg-transparent'

/** "Other dates": a month at a time, as far as there are free times. */
export function OtherDates(props: OtherDatesProps) {
  const { whose, timeZone, today, startMonth, chosen, onChoose } = props
  const id = useId()
  const [month, setMonth] = useState(startMonth)
  const [isMoved, setIsMoved] = useState(props.takesFocus)
  const { data, error, refetch } = useMonthTimes(whose, month, today)
  const hasEarlier = month > monthOf(today)
  const hasLater = data === undefined || data.nextDay !== null

  const turn = (months: 1 | -1, fromKeyboard: boolean) => {
    if (months === 1 ? !hasLater : !hasEarlier) return
    setIsMoved(fromKeyboard)
    setMonth(addMonths(month, months))
  }

  /** The pressed button disappears, so the new days take the focus. */
  const leave = () => setIsMoved(true)

  return (
    <div className="flex flex-col gap-2">
      <div className="flex items-center justify-between">
        <button
          type="button"
          aria-label="Previous month"
          disabled={!hasEarlier}
          onClick={() => turn(-1, false)}
          className={arrow}
        >
          <ChevronLeft aria-hidden="true" className="size-5" />
        </button>
        <h3 id={id} tabIndex={-1} aria-live="polite" className="font-semibold">
          {monthName(month)}
        </h3>
        <button
          type="button"
          aria-label="Next month"
          disabled={!hasLater}
          onClick={() => turn(1, false)}
          className={arrow}
        >
          <ChevronRight aria-hidden="true" className="size-5" />
        </button>
      </div>
      {error !== null ? (
        <Notice kind="danger" role="alert">
          <p>{describeFailure(error).sentence}</p>
          <Button
            variant="secondary"
            className="mt-3"
            onClick={() => {
              leave()
              void refetch()
            }}
          >
            Try again
          </Button>
        </Notice>
      ) : data === undefined ? (
        <GridSkeleton />
      ) : (
        <>
          <MonthGrid
            key={month}
            month={month}
            days={data.days}
            timeZone={timeZone}
            firstWeekday={timeZone === 'Europe/London' ? 1 : 7}
            chosen={chosen}
            labelledBy={id}
            takesFocus={isMoved}
            onChoose={onChoose}
            onMonth={(months) => turn(months, true)}
          />
          {data.days.length === 0 && (
            <p className="flex flex-wrap items-center gap-3">
              No free times in {monthName(month)}.
              {data.nextDay !== null && (
                <Button
                  variant="secondary"
                  onClick={() => {
                    leave()
                    setMonth(monthOf(data.nextDay ?? month))
                  }}
                >
                  Next free {formatDay(data.nextDay, timeZone)}
                </Button>
              )}
            </p>
          )}
        </>
      )}
    </div>
  )
}
