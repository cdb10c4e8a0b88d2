import { useMutation } from '@tanstack/react-query'
import { Check, type LucideIcon, UserCheck, UserX } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { describeFailure } from '#app/lib/errors.ts'
import { formatTime } from '#app/lib/format/dates.ts'
import { trpc } from '#app/trpc.ts'
import { Button } from '#app/ui/button.tsx'
import { Badge } from '#app/ui/notice.tsx'
import { isDeskId } from '#contract/base/ids.ts'
import { DeskMark } from '#contract/booking-desk.ts'
import type { DayVisit } from '#contract/booking-provider.ts'
import type { Mark, Marking } from '#contract/outcomes.ts'

/** Marks that take one tap; a mark that moves money needs confirmation on the visit's page. */
export const QUICK_MARKS: readonly Mark[] = ['arrived', 'completed', 'no_show', 'none']

/** Marks offered in today's list: once an outcome is set only Undo, to keep the list short. */
export function marksOfRow({ outcome }: Marking): readonly Mark[] {
  return outcome === null ? QUICK_MARKS : ['none']
}

const markLabels: Record<Mark, string> = {
  arrived: 'Arrived',
  completed: 'Completed',
  no_show: 'No-show',
  not_held: 'Didn’t take place',
  none: 'Undo',
}

const icons: Record<Mark, LucideIcon | null> = {
  arrived: UserCheck,
  completed: Check,
  no_show: UserX,
  not_held: null,
  none: null,
}

/** "3 visits: 1 arrived, 1 completed, 1 no-show". */
export function dayCountsText(visits: readonly DayVisit[]): string {
  const count = (name: string, isOne: (marking: Marking) => boolean): string[] => {
    const many = visits.filter(({ marking }) => isOne(marking)).length
    return many === 0 ? [] : [`${many} ${name}`]
  }
  const parts = [
    ...count('arrived', ({ outcome, arrivedAt }) => outcome === null && arrivedAt !== null),
    ...count('completed', ({ outcome }) => outcome === 'completed'),
    ...count('no-show', ({ outcome }) => outcome === 'no_show'),
    ...count('didn’t take place', ({ outcome }) => outcome === 'not_held'),
  ]
  return parts.length === 0 ? 'Nobody marked yet' : parts.join(', ')
}

/** Refetches the day, the calendar and the payments, which show how visits are marked. */
export function useInvalidateMarks(): () => Promise<void> {
  const { booking, payments } = trpc.useUtils()
  return async () => {
    await Promise.all([
      booking.today.invalidate(),
      booking.week.invalidate(),
      payments.invalidate(),
    ])
  }
}

type MarkBadgeProps = { marking: Marking; timeZone: string }

/** Badge of a visit's mark; nothing if there is none. */
export function MarkBadge({ marking: { outcome, arrivedAt }, timeZone }: MarkBadgeProps) {
  if (outcome === 'completed') return <Badge tone="ok">Completed</Badge>
  if (outcome === 'no_show') return <Badge tone="accent">No-show</Badge>
  if (outcome === 'not_held') return <Badge>Didn’t take place</Badge>
  if (arrivedAt === null) return null
  return <Badge tone="accent">Arrived {formatTime(arrivedAt, timeZone)}</Badge>
}

const ALONE_BELOW =
  'max-sm:only:min-w-11 max-sm:only:justify-start max-sm:only:px-0 ' +
  '@max-xl:only:min-w-11 @max-xl:only:justify-start @max-xl:only:px-0'

type MarkButtonsProps = {
  visitId: string
  /** Distinguishes the buttons from others on the page for screen readers. */
  who: string
  marking: Marking
  /** Marks offered here, if they are allowed. */
  among: readonly Mark[]
  onMarked: (marking: Marking) => void | Promise<void>
}

/** One-tap buttons for the marks a provider may set now. */
export function MarkButtons({ visitId, who, marking, among, onMarked }: MarkButtonsProps) {
  const { client } = trpc.useUtils()
  const mark = useMutation({
    mutationFn: (one: Mark) => {
      if (!isDeskId(visitId)) return client.outcomes.mark.mutate({ id: visitId, mark: one })
      return client.booking.markDesk.mutate({ id: visitId, mark: DeskMark.parse(one) })
    },
    onSuccess: onMarked,
  })
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    // The button that was pressed is gone.
    if (mark.isSuccess && document.activeElement === document.body)
      box.current?.querySelector('button')?.focus()
  }, [mark.isSuccess])
  const offered = marking.can.filter((one) => among.includes(one))
  if (offered.length === 0) return null
  return (
    <div ref={box} className="no-print flex flex-wrap items-center gap-2">
      {offered.map((one) => {
        const Icon = icons[one]
        return (
          <Button
            key={one}
            variant={one === 'none' ? 'quiet' : 'secondary'}
            isBusy={mark.isPending && mark.variables === one}
            // The pressed one keeps the focus.
            disabled={mark.isPending && mark.variables !== one}
            // Alone below the text of its row, its word lines up with it.
            className={one === 'none' ? ALONE_BELOW : ''}
            onClick={() => mark.mutate(one)}
          >
            {Icon && <Icon aria-hidden="true" className="size-5" />}
            {markLabels[one]}
            <span className="sr-only">: {who}</span>
          </Button>
        )
      })}
      {mark.error && (
        <p role="alert" className="basis-full font-medium text-danger">
          {describeFailure(mark.error).sentence}
        </p>
      )}
    </div>
  )
}
