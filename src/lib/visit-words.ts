import type { VisitFacts, VisitType } from '#contract/booking.ts'
import { formatTime, zoneLabel } from './format-time.ts'

/** What each kind of visit is called beside its fee. */
export const visitTypeWords: Record<VisitType, string> = {
  first_visit: 'First visit',
  follow_up: 'Follow-up',
}

type Times = Pick<VisitFacts, 'startsAt' | 'endsAt' | 'timeZone'>

/** "10:30 to 11:00", on the clinic's own clock. */
export function visitHours({ startsAt, endsAt, timeZone }: Times): string {
  return `${formatTime(startsAt, timeZone)} to ${formatTime(endsAt, timeZone)}`
}

/** "London time, GMT": visits in person are never shown in the reader's own zone. */
export function visitZone({ startsAt, timeZone }: Times): string {
  return zoneLabel(startsAt, timeZone)
}
