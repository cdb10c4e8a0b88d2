import type { CalendarLinks } from '#contract/booking.ts'
import { toIso } from '#contract/time.ts'
import type { Instant } from '#db/columns.ts'
import { shownName } from '#server/booking/rules.ts'
import { isDiscreet } from '#server/booking/templates.ts'
import type { VisitRow } from './visit-store.ts'

type Shown = Pick<
  VisitRow,
  | 'mode'
  | 'title'
  | 'first_name'
  | 'last_name'
  | 'place_name'
  | 'address'
  | 'locality'
  | 'postcode'
  | 'patient_discreet'
>

/**
 * What a patient's calendar says of a visit, which others may see over their shoulder: discreetly it
 * names neither the provider nor the practice. Never what the visit is for.
 */
export function shownIn(row: Shown): { summary: string; place: string } {
  const names = isDiscreet(row) ? [] : [row.place_name]
  const address = [...names, row.address, row.locality, row.postcode].filter(Boolean).join(', ')
  return {
    summary: isDiscreet(row) ? 'Appointment' : `Visit to ${shownName(row)}`,
    place: row.mode === 'video' ? 'Video visit' : address,
  }
}

/** What stands below: the type of the visit where it has a name to tell, not discreetly, and the reference. */
export function aboutIn(
  row: Pick<VisitRow, 'type_name' | 'patient_discreet' | 'reference'>,
): string[] {
  const type = row.type_name === null || isDiscreet(row) ? [] : [row.type_name]
  return [...type, `Reference: ${row.reference}`]
}

/** `20260303T143000Z`. */
function compact(at: Instant): string {
  return toIso(at).replaceAll(/[-:]|\.\d{3}/g, '')
}

/** Addresses that open a filled-in event in calendars on the web; null for a visit that is called off. */
export function calendarLinks(row: VisitRow): CalendarLinks | null {
  if (row.state === 'cancelled') return null
  const { summary, place } = shownIn(row)
  const about = aboutIn(row).join('\n')
  const google = new URLSearchParams({
    action: 'TEMPLATE',
    text: summary,
    dates: `${compact(row.start_at)}/${compact(row.end_at)}`,
    ctz: row.time_zone,
    location: place,
    details: about,
  })
  const outlook = new URLSearchParams({
    path: '/calendar/action/compose',
    rru: 'addevent',
    subject: summary,
    startdt: toIso(row.start_at),
    enddt: toIso(row.end_at),
    location: place,
    body: about,
  })
  return {
    google: `https://calendar.google.com/calendar/render?${google}`,
    // Outlook takes a plus for a plus.
    outlook: `https://outlook.live.com/calendar/0/deeplink/compose?${`${outlook}`.replaceAll('+', '%20')}`,
  }
}
