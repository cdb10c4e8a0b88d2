import { plural, sayList } from '#app/features/availability/hours/words.ts'
import { dayOf, formatDay, formatTime } from '#app/lib/format.ts'
import { TextLink } from '#app/ui/button.tsx'
import { Notice } from '#app/ui/notice.tsx'
import type { Availability } from '#contract/availability.ts'
import type { Clash } from '#contract/outside-calendars.ts'

type ClashListProps = { clashes: readonly Clash[]; places: Availability['places'] }

/** Booked visits at times when the provider is busy elsewhere: they stay, and somebody has to see to them. */
export function ClashList({ clashes, places }: ClashListProps) {
  const title = `${plural(clashes.length, 'booked visit')} at a time when you’re busy`
  return (
    <Notice kind="warn" title={title}>
      <p>They stay booked. Move or cancel them, or change your other calendar.</p>
      <ul className="mt-2 flex flex-col divide-y divide-line">
        {clashes.map(({ id, patient, startsAt, endsAt, timeZone, placeId, with: names }) => (
          <li key={id} className="py-2.5">
            <p className="tabular">
              <TextLink to="/doctor/visits/$visitId" params={{ visitId: id }}>
                {formatDay(dayOf(startsAt, timeZone), timeZone, 'long')},{' '}
                {formatTime(startsAt, timeZone)} to {formatTime(endsAt, timeZone)}
              </TextLink>
            </p>
            <p className="wrap-anywhere text-muted">
              {[
                patient,
                places.length > 1 && places.find((one) => one.id === placeId)?.name,
                `clashes with ${sayList(names)}`,
              ]
                .filter(Boolean)
                .join(' · ')}
            </p>
          </li>
        ))}
      </ul>
    </Notice>
  )
}
