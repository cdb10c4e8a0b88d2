import { Link } from '@tanstack/react-router'
import { CalendarClock, CalendarX } from 'lucide-react'
import { cx } from '#app/lib/cx.ts'
import { daysBetween } from '#app/lib/dates/calendar-days.ts'
import { serverNow } from '#app/lib/dates/server-clock.ts'
import { choiceParamsOf } from '#app/lib/dates/slot-choice.ts'
import { dayOf, formatRelativeDay, formatTime, zoneLabel } from '#app/lib/format/dates.ts'
import { formatDistance } from '#app/lib/format/places.ts'
import { languageName } from '#app/lib/format/words.ts'
import { ownSearchState, useOwnSearch } from '#app/lib/own-search.ts'
import { buttonClass, TextLink } from '#app/ui/button.tsx'
import type { Region } from '#contract/base/region.ts'
import type { ProviderCard as Card } from '#contract/search.ts'
import {
  DirectionsLink,
  Fees,
  ProviderPhoto,
  Rating,
  VerifiedBadge,
  VisitModes,
} from './provider-facts.tsx'
import { SaveButton } from './save-button.tsx'
import { SlotLink } from './visits/slot-pill.tsx'

type ProviderCardProps = {
  card: Card
  region: Region
  /** Its number in the list, the same as on its map pin. */
  number?: number
  isHighlighted?: boolean
  /** Called with true when the pointer or the focus enters, with false when it leaves. */
  onPoint?: (isPointed: boolean) => void
  isEager?: boolean
  /** The distance is not from the place searched, so the profile must not repeat it. */
  isFromElsewhere?: boolean
}

/** Where the card's links lead: the profile, with the mode that was searched for. */
function useProfileLink({
  card,
  region,
  isFromElsewhere = false,
}: Pick<ProviderCardProps, 'card' | 'region' | 'isFromElsewhere'>) {
  const ownSearch = useOwnSearch()
  return {
    to: '/doctor-profile/$id/$distance',
    params: { id: card.id, distance: isFromElsewhere ? '0' : card.distance.toFixed(1) },
    search: { region, mode: isFromElsewhere ? undefined : ownSearch?.search.mode },
    state: ownSearchState(ownSearch),
  } as const
}

function PinNumber({ number, isHighlighted }: { number: number; isHighlighted: boolean }) {
  return (
    <span
      aria-hidden="true"
      className={cx(
        'tabular hidden h-5 min-w-5 items-center justify-center rounded-full px-1 text-sm leading-none font-semibold text-on-brand lg:inline-flex',
        isHighlighted ? 'bg-accent' : 'bg-brand',
      )}
    >
      {number}
    </span>
  )
}

function Identity(props: ProviderCardProps) {
  const { card, region, number, isHighlighted = false, isEager } = props
  const link = useProfileLink(props)
  return (
    <div className="relative flex gap-3 sm:gap-4 @max-[13rem]:flex-col">
      <ProviderPhoto name={card.name} photo={card.photo} isEager={isEager ?? false} />
      <div className="min-w-0 flex-1 wrap-anywhere">
        <p className="flex flex-wrap items-center justify-between gap-x-3 pr-10 @max-[13rem]:pr-0 text-sm text-muted">
          <span className="inline-flex items-center gap-2">
            {number !== undefined && <PinNumber number={number} isHighlighted={isHighlighted} />}
            <span className="tabular">{formatDistance(card.distance)}</span>
          </span>
          <Rating rating={card.rating} />
        </p>
        <h3 className="pr-10 @max-[13rem]:pr-0 font-display text-xl leading-tight font-medium">
          <Link
            {...link}
            className="rounded-field text-ink decoration-1 underline-offset-[0.2em] hover:text-brand-deep hover:underline"
          >
            {card.name}
          </Link>
        </h3>
        <p className="leading-snug">
          {card.specialty.name}
          <span className="text-muted">
            <span aria-hidden="true"> · </span>
            <span className="sr-only">, speaks </span>
            {card.languages.map(languageName).join(', ')}
          </span>
        </p>
        <p className="leading-none">
          <VerifiedBadge body={card.verified.body} checkedOn={card.verified.on} region={region} />
        </p>
      </div>
      <div className="absolute -top-2 -right-2.5">
        <SaveButton providerId={card.id} name={card.name} />
      </div>
    </div>
  )
}

function Facts({ card }: { card: Card }) {
  return (
    <div className="flex flex-col gap-0.5 text-sm">
      <p className="wrap-anywhere">
        {card.place.name}, {card.place.locality}{' '}
        <span className="whitespace-nowrap">{card.place.postcode}</span>
      </p>
      <p>
        <Fees fee={card.fee} followUpFee={card.followUpFee} />
      </p>
      <div className="flex flex-wrap items-center gap-x-4">
        <p className="inline-flex min-h-6 items-center">
          <DirectionsLink point={card.place} name={card.name} />
        </p>
        <p className="flex flex-wrap gap-x-3 text-muted">
          <VisitModes modes={card.modes} isPlain />
        </p>
      </div>
    </div>
  )
}

/**
 * One provider in a list: who, where, how much, and the next free times. From 42rem the times are columns at
 * the right, so that three cards fit in a window; below that they follow the facts.
 */
export function ProviderCard(props: ProviderCardProps) {
  const { card, isHighlighted = false, onPoint } = props
  return (
    <article
      onPointerEnter={() => onPoint?.(true)}
      onPointerLeave={() => onPoint?.(false)}
      onFocusCapture={() => onPoint?.(true)}
      onBlurCapture={() => onPoint?.(false)}
      className={cx(
        '@container rounded-card border bg-surface px-4 py-3.5 transition-colors duration-150',
        isHighlighted ? 'border-accent' : 'border-line',
      )}
    >
      <div className="flex flex-col gap-3 @2xl:flex-row @2xl:gap-5">
        <div className="flex min-w-0 flex-1 flex-col gap-2">
          <Identity {...props} />
          <Facts card={card} />
        </div>
        <div className="border-t border-line pt-3 @2xl:w-76 @2xl:shrink-0 @2xl:border-t-0 @2xl:border-l @2xl:pt-0 @2xl:pl-5">
          <SlotTimes {...props} />
        </div>
      </div>
    </article>
  )
}

type SlotTimesProps = Pick<ProviderCardProps, 'card' | 'region' | 'isFromElsewhere'>

/** Beyond two weeks, a single date says more than a list of times. */
const FAR_DAYS = 14

type DayProps = SlotTimesProps & { day: Card['days'][number]; isFirst: boolean }

function FreeDay(props: DayProps) {
  const { card, region, day, isFirst } = props
  const { timeZone } = card.place
  const link = useProfileLink(props)
  return (
    <li className="grid content-start items-start gap-x-4 gap-y-1.5 @md:grid-cols-[6.5rem_minmax(0,1fr)] @2xl:grid-cols-1">
      <p
        className={cx(
          'font-semibold @md:py-2.5 @2xl:py-0 @2xl:leading-snug',
          isFirst && 'text-accent',
        )}
      >
        <span className="sr-only">Free times </span>
        {formatRelativeDay(day.date, timeZone)}
      </p>
      <ul className="grid max-w-md grid-cols-4 gap-1.5 @max-[13rem]:grid-cols-2 @md:gap-2 @2xl:grid-cols-2 @2xl:gap-1.5">
        {day.slots.map((slot, at) => (
          <li key={slot.startsAt}>
            <SlotLink
              {...link}
              search={{
                ...link.search,
                ...choiceParamsOf(slot.startsAt, card.mainZone ?? timeZone),
              }}
              startsAt={slot.startsAt}
              timeZone={timeZone}
              isSoonest={isFirst && at === 0}
              className={cx(
                'w-full min-w-0! px-1!',
                region === 'usa' && '@max-md:text-sm! @2xl:text-sm!',
              )}
            />
          </li>
        ))}
      </ul>
    </li>
  )
}

function NothingOnline(props: SlotTimesProps) {
  const { card } = props
  const link = useProfileLink(props)
  return (
    <p className="flex gap-2">
      <CalendarX aria-hidden="true" className="mt-0.5 size-5 shrink-0 text-muted" />
      <span>
        No online times at the moment.{' '}
        <TextLink {...link} hash="contact">
          Ask for a time<span className="sr-only"> with {card.name}</span>
        </TextLink>
      </span>
    </p>
  )
}

function isFar(startsAt: string, timeZone: string): boolean {
  return daysBetween(dayOf(serverNow(), timeZone), dayOf(startsAt, timeZone)) > FAR_DAYS
}

/** The first free time when it is too far off for a list of days, as a link to it. */
function FarAhead(props: SlotTimesProps & { nextFree: string }) {
  const { card, nextFree } = props
  const link = useProfileLink(props)
  const { timeZone } = card.place
  const day = formatRelativeDay(dayOf(nextFree, timeZone), timeZone)
  return (
    <Link
      {...link}
      search={{ ...link.search, ...choiceParamsOf(nextFree, card.mainZone ?? timeZone) }}
      className={buttonClass('secondary')}
    >
      <CalendarClock aria-hidden="true" className="size-5" />
      Next free {day}, {formatTime(nextFree, timeZone)}
      {card.isOneOfSeveral && <span className="font-normal">at {card.place.name}</span>}
      <span className="sr-only"> with {card.name}</span>
    </Link>
  )
}

/** The next free times of a result: links into the profile with that time chosen. */
function SlotTimes(props: SlotTimesProps) {
  const { card } = props
  const link = useProfileLink(props)
  const days = card.days.slice(0, 2)
  const first = days[0]?.slots[0]?.startsAt ?? card.nextFree
  if (first === null) return <NothingOnline {...props} />
  if (days.length === 0 || isFar(first, card.place.timeZone)) {
    return <FarAhead {...props} nextFree={first} />
  }
  return (
    <div className="flex h-full flex-col gap-2">
      <ul className="flex flex-col gap-3 @2xl:grid @2xl:grid-cols-2">
        {days.map((day, at) => (
          <FreeDay key={day.date} {...props} day={day} isFirst={at === 0} />
        ))}
      </ul>
      <p className="mt-auto flex flex-wrap items-center justify-between gap-x-4 gap-y-1 text-sm">
        <span className="min-w-0 text-muted">
          {card.isOneOfSeveral && (
            <span className="block font-medium text-ink wrap-anywhere">At {card.place.name}</span>
          )}
          {zoneLabel(first, card.place.timeZone)}
        </span>
        <TextLink
          {...link}
          hash="times"
          className="inline-flex min-h-6 items-center font-semibold pointer-coarse:min-h-11"
        >
          More times<span className="sr-only"> with {card.name}</span>
        </TextLink>
      </p>
    </div>
  )
}
