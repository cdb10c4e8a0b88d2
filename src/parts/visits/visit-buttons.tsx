import { useMutation } from '@tanstack/react-query'
import { CalendarPlus, Video } from 'lucide-react'
import { useState } from 'react'
import { cx } from '#app/lib/cx.ts'
import { serverNow, useWhenReached } from '#app/lib/dates/server-clock.ts'
import { describeFailure } from '#app/lib/errors.ts'
import { saveFile } from '#app/lib/files.ts'
import { twoClocks, visitMoment } from '#app/lib/visit-text.ts'
import { trpc } from '#app/trpc.ts'
import { Button, type ButtonVariant, textLinkClass } from '#app/ui/button.tsx'
import { LoadNotice, Notice } from '#app/ui/notice.tsx'
import type { CalendarFile, Visit } from '#contract/booking.ts'
import { JOIN_AFTER_MS, type VideoTerms } from '#contract/visits-video.ts'

type Joinable = Pick<Visit, 'id' | 'state' | 'mode' | 'startsAt' | 'endsAt' | 'timeZone'>

type JoinVideoProps = {
  visit: Joinable
  /** Shown when there is no link to join; differs for patient and provider. */
  whenMissing: string
  /** The other person's name, for screen readers. */
  who: string
}

/**
 * The button that joins a video visit, or before its time from when it can be joined; nothing for other
 * visits.
 */
export function JoinVideo(props: JoinVideoProps) {
  const { id, mode, state, endsAt } = props.visit
  const isCurrent =
    mode === 'video' && state === 'confirmed' && Date.parse(endsAt) + JOIN_AFTER_MS > serverNow()
  const { data: terms, error, refetch } = trpc.visits.video.useQuery({ id }, { enabled: isCurrent })
  if (!isCurrent) return null
  if (terms === undefined) {
    if (error === null) return null
    return (
      <LoadNotice
        title="The button to join didn’t load"
        error={error}
        onRetry={() => void refetch()}
      />
    )
  }
  return <JoinWindow key={terms.opensAt} {...props} terms={terms} />
}

/** Whether the server's clock has passed an instant; renders again when it does. */
function useIsPast(instant: string): boolean {
  const [isPast, setPast] = useState(() => Date.parse(instant) <= serverNow())
  useWhenReached(isPast ? undefined : instant, () => setPast(true))
  return isPast
}

function JoinWindow(props: JoinVideoProps & { terms: VideoTerms }) {
  const { visit, whenMissing, terms } = props
  const { startsAt, timeZone } = visit
  const isOpen = useIsPast(terms.opensAt)
  const isOver = useIsPast(terms.closesAt)
  const clocks = twoClocks(startsAt, timeZone)
  if (isOver) return null
  return (
    <div className="no-print flex flex-col items-start gap-2">
      {clocks !== null && <p className="tabular font-medium">{clocks}</p>}
      {terms.host === null ? (
        <Notice kind="warn">
          <p>{whenMissing}</p>
        </Notice>
      ) : isOpen ? (
        <JoinButton {...props} host={terms.host} />
      ) : (
        <p className="text-sm text-muted">
          You can join here from {visitMoment(terms.opensAt, timeZone)}.
        </p>
      )}
    </div>
  )
}

function JoinButton({ visit, who, host }: JoinVideoProps & { host: string }) {
  const utils = trpc.useUtils()
  const join = useMutation({
    mutationFn: () => utils.client.visits.join.mutate({ id: visit.id }),
    // In this tab: browsers block windows opened after a response.
    onSuccess: ({ url }) => window.location.assign(url),
  })
  return (
    <>
      <Button size="large" isBusy={join.isPending} onClick={() => join.mutate()}>
        <Video aria-hidden="true" className="size-5" />
        Join video visit<span className="sr-only"> with {who}</span>
      </Button>
      <p className="text-sm text-muted">
        Takes you to <span className="font-medium wrap-anywhere">{host}</span>. We note when you
        join.
      </p>
      {join.error && (
        <p role="alert" className="font-medium text-danger">
          {describeFailure(join.error).sentence}
        </p>
      )}
    </>
  )
}

type CalendarButtonProps = {
  visit: Pick<Visit, 'id' | 'calendarLinks'>
  /** Tells the buttons of a page apart for screen readers: "Dr Amara Okafor, 9 March". */
  what: string
  variant?: ButtonVariant
  /** The file, if loaded already; otherwise it is fetched on press. */
  file?: CalendarFile
  className?: string
}

const calendars = [
  { key: 'google', name: 'Google' },
  { key: 'outlook', name: 'Outlook' },
] as const

/**
 * Adds a visit to a calendar: by a downloaded file, or by a prefilled web calendar event whose URL the server
 * builds.
 */
export function CalendarButton(props: CalendarButtonProps) {
  const { visit, what, variant = 'secondary', file, className } = props
  const { client } = trpc.useUtils()
  const fetching = useMutation({
    mutationFn: () =>
      file === undefined ? client.booking.calendar.query({ id: visit.id }) : Promise.resolve(file),
    onSuccess: ({ fileName, text }) => saveFile(fileName, text, 'text/calendar;charset=utf-8'),
  })
  return (
    <div className={cx('flex flex-wrap items-center gap-x-4 gap-y-1', className)}>
      <Button variant={variant} isBusy={fetching.isPending} onClick={() => fetching.mutate()}>
        {!fetching.isPending && <CalendarPlus aria-hidden="true" className="size-5" />}
        Add to calendar
        <span className="sr-only">: {what}</span>
      </Button>
      {visit.calendarLinks !== null && (
        <ul aria-label="Other calendars" className="no-print order-1 flex flex-wrap gap-x-4">
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
        <p role="alert" className="order-1 basis-full font-medium text-danger">
          {describeFailure(fetching.error).sentence}
        </p>
      )}
    </div>
  )
}
