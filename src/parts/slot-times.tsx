import { Link } from '@tanstack/react-router'
import { CalendarClock, CalendarX } from 'lucide-react'
import { daysBetween } from '#app/lib/calendar-days.ts'
import { cx } from '#app/lib/cx.ts'
import { dayOf, formatRelativeDay, formatTime, zoneLabel } from '#app/lib/format.ts'
import { ownSearchState, useOwnSearch } from '#app/lib/own-search.ts'
import { choiceOf } from '#app/lib/slot-choice.ts'
import { buttonClass, TextLink } from '#app/ui/button.tsx'
import type { Region } from '#contract/region.ts'
import type { ProviderCard } from '#contract/search.ts'
import { SlotLink } from './slot-pill.tsx'

export type SlotTimesProps = {
  card: Pick<
    ProviderCard,
    'id' | 'mainZone' | 'isOneOfSeveral' | 'name' | 'distance' | 'place' | 'nextFree' | 'days'
  >
  region: Region
  /** Days shown; a card has two at most. */
  dayLimit?: 1 | 2
}

/** Beyond two weeks, a single date says more than a list of times. */
const FAR_DAYS = 14

type DayProps = SlotTimesProps & { day: ProviderCard['days'][number]; isFirst: boolean }

function profileParams(card: SlotTimesProps['card']) {
  return { id: card.id, distance: card.distance.toFixed(1) }
}

function FreeDay({ card, region, day, isFirst }: DayProps) {
  const { timeZone } = card.place
  const state = ownSearchState(useOwnSearch())
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
              to="/doctor-profile/$id/$distance"
              params={profileParams(card)}
              search={{ region, ...choiceOf(slot.startsAt, card.mainZone ?? timeZone) }}
              state={state}
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

function NothingOnline({ card, region }: SlotTimesProps) {
  const state = ownSearchState(useOwnSearch())
  return (
    <p className="flex gap-2">
      <CalendarX aria-hidden="true" className="mt-0.5 size-5 shrink-0 text-muted" />
      <span>
        No online times at the moment.{' '}
        <TextLink
          to="/doctor-profile/$id/$distance"
          params={profileParams(card)}
          search={{ region }}
          state={state}
          hash="contact"
        >
          Ask for a time<span className="sr-only"> with {card.name}</span>
        </TextLink>
      </span>
    </p>
  )
}

function isFar(startsAt: string, timeZone: string): boolean {
  return daysBetween(dayOf(Date.now(), timeZone), dayOf(startsAt, timeZone)) > FAR_DAYS
}

/** The first free time when it is too far off for a list of days, as a link to it. */
function FarAhead({ card, region, nextFree }: SlotTimesProps & { nextFree: string }) {
  const state = ownSearchState(useOwnSearch())
  const { timeZone } = card.place
  const day = formatRelativeDay(dayOf(nextFree, timeZone), timeZone)
  return (
    <Link
      to="/doctor-profile/$id/$distance"
      params={profileParams(card)}
      search={{ region, ...choiceOf(nextFree, card.mainZone ?? timeZone) }}
      state={state}
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
export function SlotTimes({ card, region, dayLimit = 2 }: SlotTimesProps) {
  const state = ownSearchState(useOwnSearch())
  const days = card.days.slice(0, dayLimit)
  const first = days[0]?.slots[0]?.startsAt ?? card.nextFree
  if (first === null) return <NothingOnline card={card} region={region} />
  if (days.length === 0 || isFar(first, card.place.timeZone)) {
    return <FarAhead card={card} region={region} nextFree={first} />
  }
  return (
    <div className="flex h-full flex-col gap-2">
      <ul className="flex flex-col gap-3 @2xl:grid @2xl:grid-cols-2">
        {days.map((day, at) => (
          <FreeDay key={day.date} card={card} region={region} day={day} isFirst={at === 0} />
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
          to="/doctor-profile/$id/$distance"
          params={profileParams(card)}
          search={{ region }}
          state={state}
          hash="times"
          className="inline-flex min-h-6 items-center font-semibold pointer-coarse:min-h-11"
        >
          More times<span className="sr-only"> with {card.name}</span>
        </TextLink>
      </p>
    </div>
  )
}
