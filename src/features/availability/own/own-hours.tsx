import { keepPreviousData, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useCallback, useState } from 'react'
import { firstWeekdayOf, visitTimes } from '#app/features/availability/hours/hours-format.ts'
import { useDebounced } from '#app/lib/browser-hooks.ts'
import { addDays, daysBetween, weekdayOf } from '#app/lib/dates/calendar-days.ts'
import { describeFailure, type Failure } from '#app/lib/errors.ts'
import { dayOf, formatDay } from '#app/lib/format/dates.ts'
import { plural } from '#app/lib/format/words.ts'
import { DashboardHeading } from '#app/parts/dashboard-frame.tsx'
import { DataBoundary } from '#app/parts/data-boundary.tsx'
import { type QueryUtils, trpc } from '#app/trpc.ts'
import { Button, LinkButton } from '#app/ui/button.tsx'
import { Dialog } from '#app/ui/dialog.tsx'
import { EmptyState, Notice } from '#app/ui/notice.tsx'
import { PendingShapes } from '#app/ui/page.tsx'
import {
  type Availability,
  type ChangeResponse,
  PREVIEW_DAYS,
  type PreviewInput,
  type VisitOutside,
} from '#contract/availability.ts'
import { isDeskId } from '#contract/base/ids.ts'

type HoursPageProps = {
  title: string
  /** Renders the page once the data is loaded. */
  children: (mine: Availability) => ReactNode
}

/** Frame of a page about the provider's own hours: its heading, and its loading and error states. */
export function HoursPage({ title, children }: HoursPageProps) {
  return (
    <DashboardHeading title={title}>
      <DataBoundary
        failed="Your hours didn’t load"
        renderFrame={(state) => <div className="mt-6">{state}</div>}
        pending={<PendingShapes shapes={['h-14', 'h-128']} />}
      >
        <Body>{children}</Body>
      </DataBoundary>
    </DashboardHeading>
  )
}

function Body({ children }: Pick<HoursPageProps, 'children'>) {
  const [mine] = trpc.availability.mine.useSuspenseQuery()
  if (mine.places.length === 0) {
    return (
      <div className="mt-6">
        <EmptyState
          title="First add a place"
          actions={
            <LinkButton to="/doctor/profile" hash="places">
              Add a place
            </LinkButton>
          }
        >
          Hours belong to a place where you see patients.
        </EmptyState>
      </div>
    )
  }
  return <>{children(mine)}</>
}

/** Fetches the saved availability, bypassing the cache. */
export function useNewestMine(): () => Promise<Availability> {
  const utils = trpc.useUtils()
  return () => utils.availability.mine.fetch(undefined, { staleTime: 0 })
}

/** Shown under a form rejected because of a change in another window: reloads, and keeps the typed values. */
export function StaleHelp({ failure }: { failure: Failure | null }) {
  const load = useNewestMine()
  const [isBusy, setBusy] = useState(false)
  const [message, setMessage] = useState<string | null>(null)
  if (failure?.code !== 'changed_meanwhile') return null
  const reload = async () => {
    setBusy(true)
    setMessage(null)
    try {
      await load()
    } catch (error) {
      setMessage(describeFailure(error).sentence)
    }
    setBusy(false)
  }
  return (
    <Notice kind="warn" title="What you typed is still here">
      <p>Load the saved version, check it, then send yours again.</p>
      {message !== null && <p role="alert">{message}</p>}
      <Button variant="secondary" className="mt-3" isBusy={isBusy} onClick={() => void reload()}>
        Load the saved version
      </Button>
    </Notice>
  )
}

type PanelProps = {
  id: string
  title: string
  lead?: ReactNode
  /** At the right of the title. */
  actions?: ReactNode
  children: ReactNode
}

/** One part of a page about hours, under its own heading. */
export function Panel({ id, title, lead, actions, children }: PanelProps) {
  return (
    <section
      id={id}
      aria-labelledby={`${id}-title`}
      className="min-w-0 scroll-mt-4 rounded-card border border-line bg-surface p-4 sm:p-6"
    >
      <div className="flex items-start justify-between gap-x-4 gap-y-3 max-sm:flex-col">
        <div className="min-w-0">
          <h2 id={`${id}-title`} tabIndex={-1} className="text-xl font-semibold outline-none">
            {title}
          </h2>
          {lead && <p className="mt-1 max-w-prose text-muted">{lead}</p>}
        </div>
        {actions && <div className="shrink-0">{actions}</div>}
      </div>
      <div className="mt-4 min-w-0">{children}</div>
    </section>
  )
}

/** Queries of other rooms that depend on hours: free times of the day and the calendar, and the profile's steps. */
const DEPENDS_ON_HOURS = new Set([
  'visits.inTimeOff',
  'booking.today',
  'booking.week',
  'profiles.own',
])

/** Stores the response to a change in the cache and invalidates every query that depends on hours. */
function useUpdateMine(): (mine: Availability) => Promise<void> {
  const utils = trpc.useUtils()
  const client = useQueryClient()
  return useCallback(
    async (mine) => {
      utils.availability.mine.setData(undefined, mine)
      await client.invalidateQueries({
        predicate: ({ queryKey: [path] }) =>
          Array.isArray(path) &&
          (path[0] === 'search' ||
            DEPENDS_ON_HOURS.has(path.join('.')) ||
            (path[0] === 'availability' && path[1] !== 'mine')),
      })
    },
    [utils, client],
  )
}

/** Range of whole weeks that contains the coming four, from the first day of this week. */
function previewDays(mine: Pick<Availability, 'today' | 'places'>) {
  const lead = (weekdayOf(mine.today) - firstWeekdayOf(mine) + 7) % 7
  const from = addDays(mine.today, -lead)
  const last = addDays(mine.today, PREVIEW_DAYS - 1)
  return { from, days: Math.ceil((daysBetween(from, last) + 1) / 7) * 7 }
}

/**
 * For loaders: prefetches the saved availability, and then the preview, whose first day depends on it. The editor
 * of a provider who never saved hours previews a typical week instead.
 */
export async function prefetchHours(
  { availability }: QueryUtils,
  { isEditor = false } = {},
): Promise<void> {
  try {
    const mine = await availability.mine.fetch()
    const isPreviewed = mine.places.length > 0 && !(isEditor && mine.version === 0)
    if (isPreviewed) void availability.preview.prefetch(previewDays(mine))
  } catch {
    // The page finds the error in the cache and shows it.
  }
}

/** Preview of the coming weeks, with the debounced draft if there is one, else as saved. */
export function usePreview(mine: Availability, draft?: PreviewInput['draft']) {
  const text = useDebounced(JSON.stringify(draft), 400)
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- serialized one line above
  const settled = text === undefined ? undefined : (JSON.parse(text) as PreviewInput['draft'])
  return trpc.availability.preview.useQuery(
    { ...previewDays(mine), ...(settled !== undefined && { draft: settled }) },
    { placeholderData: keepPreviousData },
  )
}

/** One mutation; `confirmed` holds ids of visits that stay booked despite it. */
type SendChange = (confirmed: string[]) => Promise<ChangeResponse>

/** `cancel` saves as `keep` does, and goes on to cancelling. */
type Decision = 'keep' | 'cancel' | 'back'

type OpenQuestion = { visits: readonly VisitOutside[]; answer: (wish: Decision) => void }

/**
 * Sends a change. If booked visits would fall outside the hours, it lists them and asks. `saved: false` means
 * that the user declined and nothing was changed. Render `question` somewhere. With `onCancelVisits` the
 * dialog also offers to cancel them; it is called with their ids once the change is saved, so that their
 * times are not offered again.
 */
export function useConfirmedChange(
  places: Availability['places'],
  onCancelVisits?: (ids: string[]) => void,
): {
  send: (act: SendChange) => Promise<ChangeResponse>
  question: ReactNode
} {
  const updateMine = useUpdateMine()
  const [openQuestion, setOpenQuestion] = useState<OpenQuestion | null>(null)
  const ask = async (visits: readonly VisitOutside[]) => {
    const decision = await new Promise<Decision>((resolve) => {
      setOpenQuestion({ visits, answer: resolve })
    })
    setOpenQuestion(null)
    return decision
  }
  const send = async (act: SendChange, confirmed: string[] = []): Promise<ChangeResponse> => {
    const answer = await act(confirmed)
    if (!answer.saved) {
      const wish = await ask(answer.conflicts)
      if (wish === 'back') return answer
      const ids = answer.conflicts.map(({ id }) => id)
      const sent = await send(act, ids)
      if (sent.saved && wish === 'cancel') onCancelVisits?.(ids)
      return sent
    }
    await updateMine(answer.mine)
    return answer
  }
  return {
    send: (act) => send(act),
    question: openQuestion && (
      <ConflictDialog
        visits={openQuestion.visits}
        places={places}
        onKeep={() => openQuestion.answer('keep')}
        onCancelVisits={onCancelVisits && (() => openQuestion.answer('cancel'))}
        onClose={() => openQuestion.answer('back')}
      />
    ),
  }
}

type Places = Availability['places']

/** Booked visits, earliest first: when, who and where. */
export function VisitList({ visits, places }: { visits: readonly VisitOutside[]; places: Places }) {
  return (
    <ul className="flex flex-col divide-y divide-line">
      {visits.map(({ id, patient, placeId, ...times }) => (
        <li key={id} className="py-2.5">
          <p className="tabular font-semibold">
            <time dateTime={times.startsAt}>
              {formatDay(dayOf(times.startsAt, times.timeZone), times.timeZone, 'long')},{' '}
              {visitTimes(times, { places })}
            </time>
          </p>
          <p className="wrap-anywhere text-muted">
            {patient}
            {places.length > 1 && `, ${places.find((one) => one.id === placeId)?.name ?? ''}`}
          </p>
        </li>
      ))}
    </ul>
  )
}

type ConflictDialogProps = {
  visits: readonly VisitOutside[]
  places: Places
  onKeep: () => void
  /** Saves and continues with cancelling; omitted for permanent changes of hours. */
  onCancelVisits?: (() => void) | undefined
  onClose: () => void
}

/** Asks before a change leaves booked visits outside the hours. */
function ConflictDialog(props: ConflictDialogProps) {
  const { visits, places, onKeep, onCancelVisits, onClose } = props
  const isOne = visits.length === 1
  const isPaid = visits.some(({ id }) => !isDeskId(id))
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={`${plural(visits.length, 'booked visit')} outside these hours`}
      footer={
        <>
          <Button onClick={onKeep}>
            {isOne ? 'Save and keep the visit' : 'Save and keep the visits'}
          </Button>
          {onCancelVisits !== undefined && (
            <Button variant="secondary" onClick={onCancelVisits}>
              {isOne ? 'Save and cancel the visit' : 'Save and cancel visits'}
            </Button>
          )}
          <Button variant={onCancelVisits === undefined ? 'secondary' : 'quiet'} onClick={onClose}>
            Go back
          </Button>
        </>
      }
    >
      <p className="mb-2">
        {isOne ? 'It stays booked' : 'They stay booked'}, and you are expected to see{' '}
        {isOne ? 'this patient' : 'these patients'}
        {onCancelVisits === undefined
          ? '. No new visits are offered there.'
          : `, unless you cancel ${isOne ? 'it' : 'them'}${isPaid ? ' with a full refund' : ''}. No new visits are offered there.`}
      </p>
      <VisitList visits={visits} places={places} />
    </Dialog>
  )
}
