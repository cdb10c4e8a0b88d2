import { AddBlock } from '#app/features/availability/overview/block-form.tsx'
import { useOpened } from '#app/lib/browser-hooks.ts'
import { minutesOf, wallTime } from '#app/lib/dates/slot-choice.ts'
import { dayOf, formatTime } from '#app/lib/format/dates.ts'
import { visitMoment } from '#app/lib/visit-text.ts'
import { Button, Summary } from '#app/ui/button.tsx'
import { Dialog } from '#app/ui/dialog.tsx'
import type { OutsideCalendar, OutsideDoubt } from '#contract/outside-calendars.ts'

const reasons: Record<OutsideDoubt['reason'], string> = {
  zone: 'The calendar names a time zone we don’t know, so we read this in yours.',
  zone_differs:
    'The calendar describes its time zone in an unusual way, so this may be an hour off.',
  rule: 'We’re not sure how this repeats. Other times of it may not be blocked.',
  date: 'Some of its dates or its end can’t be read and aren’t blocked.',
  entry: 'Part of this is missing or too long to read.',
}

const DAY_MINUTES = 1_440

type Times = { date: string; from: number; to: number }

/** The times of a new block, in the zone of blocks. A block ends on its day; without an end it takes an hour. */
function blockOf({ startsAt, endsAt }: OutsideDoubt, timeZone: string): Times | null {
  if (startsAt === null) return null
  const date = dayOf(startsAt, timeZone)
  const from = minutesOf(wallTime(startsAt, timeZone))
  if (endsAt === null) return { date, from, to: Math.min(from + 60, DAY_MINUTES) }
  const isSameDay = dayOf(endsAt, timeZone) === date
  return { date, from, to: isSameDay ? minutesOf(wallTime(endsAt, timeZone)) : DAY_MINUTES }
}

type DoubtListProps = { calendar: OutsideCalendar; timeZone: string }

/** The entries of a calendar that we are not certain about, by their times, so that these can be blocked. */
export function DoubtList({ calendar, timeZone }: DoubtListProps) {
  const { name, unreadable, doubts } = calendar
  const [times, block, close] = useOpened<Times>()
  if (unreadable === 0) return null
  const more = unreadable - doubts.length
  return (
    <div className="mt-1 text-sm">
      <p className="text-warn">
        {`We’re not certain about ${unreadable === 1 ? '1 entry' : `${unreadable} entries`}.`}
      </p>
      {doubts.length > 0 && (
        <details>
          <Summary>See when, and block the right times</Summary>
          <ul aria-label={`Not certain in ${name}`} className="divide-y divide-line">
            {doubts.map((doubt, no) => {
              const wanted = blockOf(doubt, timeZone)
              const when = momentsOf(doubt, timeZone)
              return (
                <li key={no} className="flex flex-wrap items-center gap-x-4 gap-y-1 py-2">
                  <div className="min-w-0 flex-1 basis-60">
                    <p className="tabular font-medium">{when}</p>
                    <p className="text-muted">{reasons[doubt.reason]}</p>
                  </div>
                  {wanted && (
                    <Button
                      variant="secondary"
                      aria-label={`Block time: ${when}`}
                      onClick={() => block(wanted)}
                    >
                      Block time
                    </Button>
                  )}
                </li>
              )
            })}
          </ul>
          {more > 0 && <p className="text-muted">{`And ${more} more.`}</p>}
        </details>
      )}
      {times && (
        <Dialog isOpen onClose={close} title="Block time">
          <AddBlock start={times} onClose={close} />
        </Dialog>
      )}
    </div>
  )
}

function momentsOf({ startsAt, endsAt }: OutsideDoubt, timeZone: string): string {
  if (startsAt === null) return 'At a time we can’t read'
  const start = visitMoment(startsAt, timeZone)
  if (endsAt === null) return start
  const isSameDay = dayOf(endsAt, timeZone) === dayOf(startsAt, timeZone)
  return `${start} to ${isSameDay ? formatTime(endsAt, timeZone) : visitMoment(endsAt, timeZone)}`
}
