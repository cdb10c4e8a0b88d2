import type { CalendarLinks } from '#contract/booking.ts'
import { toIso } from '#contract/time.ts'
import type { Instant } from '#db/columns.ts'
import { shownName } from '#server/booking/rules.ts'
import { isDiscreet } from '#server/booking/templates.ts'
import type { VisitRow } from './visit-store.ts'

type ShownFields = Pick<
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
 * A visit's title and location in the patient's calendar, which others may see: discreet mode names neither
 * the provider nor the practice. Never contains the purpose.
 */
export function calendarTitle(row: ShownFields): { summary: string; place: string } {
  const names = isDiscreet(row) ? [] : [row.place_name]
  const address = [...names, row.address, row.locality, row.postcode].filter(Boolean).join(', ')
  return {
    summary: isDiscreet(row) ? 'Appointment' : `Visit to ${shownName(row)}`,
    place: row.mode === 'video' ? 'Video visit' : address,
  }
}

/** Lines of the description: the visit type's name, if any and not in discreet mode, and the reference. */
export function calendarDescription(
  row: Pick<VisitRow, 'type_name' | 'patient_discreet' | 'reference'>,
): string[] {
  const type = row.type_name === null || isDiscreet(row) ? [] : [row.type_name]
  return [...type, `Reference: ${row.reference}`]
}

/** `20260303T143000Z`. */
function compactUtc(at: Instant): string {
  return toIso(at).replaceAll(/[-:]|\.\d{3}/g, '')
}

/** URLs that open a prefilled event in web calendars; null for a cancelled visit. */
export function calendarLinks(row: VisitRow): CalendarLinks | null {
  if (row.state === 'cancelled') return null
  const { summary, place } = calendarTitle(row)
  const about = calendarDescription(row).join('\n')
  const google = new URLSearchParams({
    action: 'TEMPLATE',
    text: summary,
    dates: `${compactUtc(row.start_at)}/${compactUtc(row.end_at)}`,
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
    // Outlook shows a plus literally.
    outlook: `https://outlook.live.com/calendar/0/deeplink/compose?${`${outlook}`.replaceAll('+', '%20')}`,
  }
}
