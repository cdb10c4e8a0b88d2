import { useMutation } from '@tanstack/react-query'
import { CalendarPlus } from 'lucide-react'
import { describeFailure } from '#app/lib/errors.ts'
import { saveFile } from '#app/lib/files.ts'
import { trpc } from '#app/trpc.ts'
import { Button, type ButtonVariant, textLinkClass } from '#app/ui/button.tsx'
import type { CalendarFile, Visit } from '#contract/booking.ts'

type CalendarButtonProps = {
  visit: Pick<Visit, 'id' | 'calendarLinks'>
  /** Tells the buttons of a page apart for screen readers: "Dr Amara Okafor, 9 March". */
  what: string
  variant?: ButtonVariant
  /** The file, if loaded already; otherwise it is fetched on press. */
  file?: CalendarFile
}

const calendars = [
  { key: 'google', name: 'Google' },
  { key: 'outlook', name: 'Outlook' },
] as const

/**
 * Adds a visit to a calendar: by a downloaded file, or by a prefilled web calendar event whose URL the server
 * builds.
 */
export function CalendarButton({ visit, what, variant = 'secondary', file }: CalendarButtonProps) {
  const { client } = trpc.useUtils()
  const fetching = useMutation({
    mutationFn: () =>
      file === undefined ? client.booking.calendar.query({ id: visit.id }) : Promise.resolve(file),
    onSuccess: ({ fileName, text }) => saveFile(fileName, text, 'text/calendar;charset=utf-8'),
  })
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
      <Button variant={variant} isBusy={fetching.isPending} onClick={() => fetching.mutate()}>
        {!fetching.isPending && <CalendarPlus aria-hidden="true" className="size-5" />}
        Add to calendar
        <span className="sr-only">: {what}</span>
      </Button>
      {visit.calendarLinks !== null && (
        <ul aria-label="Other calendars" className="no-print flex flex-wrap gap-x-4">
          {calendars.map(({ key, name }) => (
            <li key={key}>
              <a
                href={visit.calendarLinks?.[key]}
                target="_blank"
                rel="noopener noreferrer"
                className={`${textLinkClass} inline-flex min-h-11 items-center`}
              >
                {name}
                <span className="sr-only"> calendar, opens in a new tab: {what}</span>
              </a>
            </li>
          ))}
        </ul>
      )}
      {fetching.error && (
        <p role="alert" className="basis-full font-medium text-danger">
          {describeFailure(fetching.error).sentence}
        </p>
      )}
    </div>
  )
}
