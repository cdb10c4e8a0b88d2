import { useState } from 'react'
import { describeFailure } from '#app/lib/errors.ts'
import { dayOf, formatDay, formatTime, zoneLabel } from '#app/lib/format.ts'
import { useWhenReached } from '#app/lib/server-clock.ts'
import { useSignedInUser } from '#app/lib/session.ts'
import { formatWallTime, type SlotChoice } from '#app/lib/slot-choice.ts'
import { bookingPath, parseBookingPath, type RequestedTime } from '#app/lib/visitor-booking.ts'
import { trpc } from '#app/trpc.ts'
import { Notice } from '#app/ui/notice.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import type { VisitorHold } from '#contract/booking.ts'
import type { ProviderProfile } from '#contract/search.ts'
import { HoldStrip } from './hold-strip.tsx'
import { NearestFree } from './nearest-free.tsx'
import { ProviderPhoto } from './provider-photo.tsx'
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
  profile: ProviderProfile
  /** The hold expired on this very page. */
  isOver: boolean
  onHeld: (hold: VisitorHold) => void
}

/** The time is no longer held: offers other free times, each held as soon as it is chosen. */
function NotHeld({ wanted, profile, isOver, onHeld }: NotHeldProps) {
  const utils = trpc.useUtils()
  const createHold = trpc.booking.holdAsVisitor.useMutation({
    onSuccess: (hold) => {
      utils.booking.visitorHold.setData({}, hold)
      onHeld(hold)
    },
    onSettled: () => utils.availability.freeTimes.invalidate(),
  })
  const timeZone = profile.places[0]?.timeZone ?? 'Europe/London'
  const where = usePlaceOfChoice(profile, wanted.choice)
  const { choice, providerId, distance, typeId, mode } = wanted
  const choose = (chosen: SlotChoice) =>
    createHold.mutate({
      providerId,
      ...chosen,
      ...(distance !== null && { distance }),
      typeId,
      mode,
    })
  return (
    <section aria-label="Your appointment" className={cardClass}>
      <ProviderLine
        name={profile.name}
        photo={profile.photo}
        when={`${formatDay(choice.date, timeZone, 'long')}, ${formatWallTime(choice.time, timeZone)}`}
        zone={zoneLabel(`${choice.date}T12:00:00Z`, timeZone)}
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
          onChoose={choose}
          level={3}
        />
        {createHold.error && (
          <p role="alert" className="font-medium text-danger">
            {describeFailure(createHold.error).sentence}
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
  const { data: profile } = trpc.search.provider.useQuery(
    { id: wanted?.providerId ?? '' },
    { enabled: wanted !== null && hold === null && isKnown },
  )
  if (hold !== null) return <HeldForVisitor hold={hold} />
  if (wanted === null) return null
  if (profile === undefined) return <Skeleton className="h-36 w-full rounded-card" />
  return (
    <NotHeld
      wanted={wanted}
      profile={profile}
      isOver={seen !== null}
      onHeld={(held) => onNext(bookingPath(held))}
    />
  )
}
