import { Clock } from 'lucide-react'
import { type ReactNode, type Ref, useState } from 'react'
import { cx } from '#app/lib/cx.ts'
import { addDays } from '#app/lib/dates/calendar-days.ts'
import { serverNow, useTimeLeft, useWhenReached } from '#app/lib/dates/server-clock.ts'
import {
  bookingPath,
  choiceOfParams,
  formatChoice,
  mainZoneOf,
  nearestTimes,
  parseBookingPath,
  type RequestedTime,
  type SlotChoice,
  slotChoiceOf,
  slotTimeOf,
  zoneOfChoice,
} from '#app/lib/dates/slot-choice.ts'
import { describeFailure } from '#app/lib/errors.ts'
import {
  dayOf,
  formatCountdown,
  formatDay,
  formatRelativeDay,
  formatTime,
  zoneLabel,
} from '#app/lib/format/dates.ts'
import { useSignedInUser } from '#app/lib/session.ts'
import { DataBoundary } from '#app/parts/data-boundary.tsx'
import { ProviderPhoto } from '#app/parts/provider-facts.tsx'
import { trpc } from '#app/trpc.ts'
import { LoadNotice, Notice } from '#app/ui/notice.tsx'
import { LiveRegion, PendingShapes, Skeleton } from '#app/ui/page.tsx'
import type { VisitorHold } from '#contract/booking.ts'
import { needsRobotCheck, RobotCheck } from './robot-check.tsx'
import { SlotPill } from './slot-pill.tsx'
import { usePlaceOfChoice } from './use-place-of-time.ts'

/** The time held for a visitor in this browser, if any; not fetched once signed in. */
export function useVisitorHold(): { hold: VisitorHold | null; isKnown: boolean } {
  const utils = trpc.useUtils()
  const isSignedIn = useSignedInUser() !== null
  const { data, isFetched } = trpc.booking.visitorHold.useQuery(
    {},
    // Another tab may have chosen another time.
    { enabled: !isSignedIn, staleTime: 0, refetchOnWindowFocus: 'always' },
  )
  useWhenReached(data?.holdUntil, () => utils.booking.visitorHold.setData({}, null))
  return { hold: data ?? null, isKnown: isFetched }
}

/** Where to go after sign-in: the checkout of the held time, unless `next` has nothing to do with it. */
export function useNextWithHold(next: string | undefined): string | undefined {
  const { hold } = useVisitorHold()
  const isFree = next === undefined || parseBookingPath(next) !== null
  return hold !== null && isFree ? bookingPath(hold) : next
}

type ProviderLineProps = {
  name: string
  photo: string | null
  when: string
  zone: string
  where: string
}

function ProviderLine({ name, photo, when, zone, where }: ProviderLineProps) {
  return (
    <div className="flex items-center gap-4 p-4">
      <ProviderPhoto name={name} photo={photo} size="small" isEager />
      <div className="min-w-0">
        <p className="font-display text-lg leading-tight font-medium">{name}</p>
        <p className="tabular font-semibold">{when}</p>
        <p className="text-sm text-muted">{zone}</p>
        {where !== '' && <p className="mt-1 text-sm">{where}</p>}
      </div>
    </div>
  )
}

const cardClass = 'overflow-hidden rounded-card border border-line bg-surface'

/** Who, when and where, with the time that is left to sign in. */
export function HeldForVisitor({ hold }: { hold: VisitorHold }) {
  const { provider, place, startsAt, timeZone } = hold
  return (
    <section aria-label="Your appointment" className={cardClass}>
      <HoldStrip holdUntil={hold.holdUntil} hint="After that others can book it." />
      <ProviderLine
        name={provider.name}
        photo={provider.photo}
        when={`${formatDay(dayOf(startsAt, timeZone), timeZone, 'long')}, ${formatTime(startsAt, timeZone)}`}
        zone={zoneLabel(startsAt, timeZone)}
        where={
          (hold.typeName === null ? '' : `${hold.typeName} · `) +
          (hold.mode === 'video'
            ? 'Video visit'
            : `${place.name}, ${place.address} ${place.postcode}`)
        }
      />
    </section>
  )
}

type NotHeldProps = {
  wanted: RequestedTime
  /** The hold expired on this very page. */
  isOver: boolean
  onHeld: (hold: VisitorHold) => void
}

/** The time is no longer held: offers other free times, each held as soon as it is chosen. */
function NotHeld({ wanted, isOver, onHeld }: NotHeldProps) {
  const utils = trpc.useUtils()
  const [profile] = trpc.search.provider.useSuspenseQuery({ id: wanted.providerId })
  const createHold = trpc.booking.holdAsVisitor.useMutation({
    onSuccess: (hold) => {
      utils.booking.visitorHold.setData({}, hold)
      onHeld(hold)
    },
    onSettled: () => utils.availability.freeTimes.invalidate(),
  })
  const [sought, setSought] = useState<SlotChoice | null>(null)
  const timeZone = mainZoneOf(profile)
  const choice = choiceOfParams(wanted.choice, timeZone)
  const where = usePlaceOfChoice(profile, choice)
  const { providerId, distance, typeId, mode } = wanted
  const choose = (chosen: SlotChoice, captchaValue?: string) => {
    setSought(chosen)
    createHold.mutate({
      providerId,
      ...slotTimeOf(chosen),
      ...(distance !== null && { distance }),
      typeId,
      mode,
      ...(captchaValue !== undefined && { captchaValue }),
    })
  }
  const failure = createHold.error === null ? null : describeFailure(createHold.error)
  return (
    <section aria-label="Your appointment" className={cardClass}>
      <ProviderLine
        name={profile.name}
        photo={profile.photo}
        when={`${formatDay(choice.date, timeZone, 'long')}, ${formatChoice(choice, timeZone)}`}
        zone={zoneOfChoice(choice, timeZone)}
        where={where ?? ''}
      />
      <div className="flex flex-col gap-4 border-t border-line p-4">
        <Notice
          kind="warn"
          role="status"
          title={isOver ? 'Your hold has ended' : 'This time isn’t held for you'}
        >
          <p>Choose a time below and we’ll hold it for 15 minutes while you carry on here.</p>
        </Notice>
        <NearestFree
          providerId={providerId}
          typeId={typeId}
          wanted={choice}
          timeZone={timeZone}
          onChoose={(time) => choose(time)}
          level={3}
        />
        {needsRobotCheck(failure) && sought !== null && (
          <RobotCheck failure={failure} onSolved={(value) => choose(sought, value)} />
        )}
        {failure !== null && !needsRobotCheck(failure) && (
          <p role="alert" className="font-medium text-danger">
            {failure.sentence}
          </p>
        )}
      </div>
    </section>
  )
}

type VisitorHoldCardProps = {
  /** The page to go to after signing in. */
  next: string | undefined
  /** Called with the new page after sign-in when another time is chosen. */
  onNext: (next: string) => void
}

/**
 * The appointment someone is signing in or registering for, and how long it is held; other free times once it
 * has expired. Nothing for users who are not booking.
 */
export function VisitorHoldCard({ next, onNext }: VisitorHoldCardProps) {
  const { hold, isKnown } = useVisitorHold()
  // The last hold seen here, to name the time that expired even if `next` does not.
  const [seen, setSeen] = useState<VisitorHold | null>(null)
  if (hold !== null && hold !== seen) setSeen(hold)
  const wanted = parseBookingPath(seen === null ? next : bookingPath(seen))
  if (hold !== null) return <HeldForVisitor hold={hold} />
  if (wanted === null) return null
  const pending = <PendingShapes shapes={['h-36 rounded-card']} />
  if (!isKnown) return pending
  return (
    <DataBoundary failed="Your appointment didn’t load" pending={pending}>
      <NotHeld
        wanted={wanted}
        isOver={seen !== null}
        onHeld={(held) => onNext(bookingPath(held))}
      />
    </DataBoundary>
  )
}

const MINUTE = 60_000
/** Below this, the strip warns that time is short and changes colour. */
const SHORT_MS = 2 * MINUTE

/** Announcements worth interrupting a screen reader for; each stays the same until the next. */
const spokenTime = [
  { below: MINUTE, words: 'Held for you for less than a minute.' },
  { below: SHORT_MS, words: 'Held for you for 2 more minutes.' },
  { below: 5 * MINUTE, words: 'Held for you for 5 more minutes.' },
] as const

function leftText(left: number, hint: string | undefined): string {
  const words = spokenTime.find(({ below }) => left <= below)?.words
  if (words === undefined) return ''
  return hint === undefined ? words : `${words} ${hint}`
}

type HoldStripProps = {
  holdUntil: string
  /** Announced to screen readers until time is short. */
  announce?: string | undefined
  /** Announced after the remaining minutes. */
  hint?: string | undefined
  /** Actions at the end of the strip. */
  children?: ReactNode
  className?: string | undefined
  /** The countdown, which can take focus. */
  timerRef?: Ref<HTMLParagraphElement>
}

/** "Held for you 9:42". Announced when there are 5, 2 and 1 minutes left. */
export function HoldStrip(props: HoldStripProps) {
  const { holdUntil, announce, hint, children, className, timerRef } = props
  const left = useTimeLeft(holdUntil)
  const isShort = left <= SHORT_MS
  return (
    <div
      className={cx(
        'flex min-h-11 flex-wrap items-center gap-x-3 px-4 py-1 transition-colors duration-200',
        isShort ? 'bg-accent-tint text-accent' : 'bg-tint text-brand-deep',
        className,
      )}
    >
      <Clock aria-hidden="true" className="size-5 shrink-0" />
      <p
        ref={timerRef}
        role="timer"
        aria-live="off"
        tabIndex={-1}
        className="font-medium outline-none"
      >
        Held for you <span className="tabular font-semibold">{formatCountdown(left)}</span>
      </p>
      {children}
      <LiveRegion text={announce !== undefined && !isShort ? announce : leftText(left, hint)} />
    </div>
  )
}

/** Days searched before the wanted one, so that the evening before counts as near. */
const DAYS_BEFORE = 3

type NearestFreeProps = {
  providerId: string
  /** The visit type; the first one if omitted. */
  typeId?: string | undefined
  wanted: SlotChoice
  timeZone: string
  onChoose: (choice: SlotChoice) => void
  /** Heading level; 2 if omitted, which is for pages with centred text. */
  level?: 2 | 3
}

/** The three free times closest to one that is not available. */
export function NearestFree({
  providerId,
  typeId,
  wanted,
  timeZone,
  onChoose,
  level = 2,
}: NearestFreeProps) {
  const Heading = `h${level}` as const
  const today = dayOf(serverNow(), timeZone)
  const start = addDays(wanted.date, -DAYS_BEFORE)
  const from = start < today ? today : start
  const { data, error, refetch } = trpc.availability.freeTimes.useQuery({
    providerId,
    from,
    ...(typeId !== undefined && { typeId }),
  })
  if (data === undefined) {
    if (error === null) return <Skeleton className="h-32 w-full" />
    return (
      <LoadNotice
        title="The nearest free times didn’t load"
        error={error}
        onRetry={() => void refetch()}
      />
    )
  }
  const near = nearestTimes(data.days, wanted, timeZone)
  const placeOf = new Map(
    data.days.flatMap((day) => day.slots.map((slot) => [slot.startsAt, slot.place] as const)),
  )
  const [first] = near
  if (first === undefined) return null
  return (
    <section aria-labelledby="nearest" className={cx(level === 2 && 'mx-auto')}>
      <Heading id="nearest" className={cx('font-semibold', level === 2 && 'text-xl')}>
        The nearest free times
      </Heading>
      <ul className="mt-3 flex flex-col gap-2">
        {near.map((startsAt) => {
          const choice = slotChoiceOf(startsAt, timeZone)
          const where = placeOf.get(startsAt)
          return (
            <li key={startsAt} className="flex items-center gap-3">
              <SlotPill
                startsAt={startsAt}
                timeZone={timeZone}
                isSelected={false}
                onClick={() => onChoose(choice)}
              />
              <span>
                <span aria-hidden="true">{formatRelativeDay(choice.date, timeZone)}</span>
                {where !== undefined && <span className="block text-sm text-muted">{where}</span>}
              </span>
            </li>
          )
        })}
      </ul>
      <p className="mt-2 text-sm text-muted">{zoneLabel(first, timeZone)}</p>
    </section>
  )
}
