import type { Visit } from '#contract/booking.ts'
import { dateFormat } from '#contract/intl.ts'
import { regionFacts } from '#contract/region.ts'
import { clinicTime } from '#server/booking/templates.ts'
import type { Block, EmailContent } from '#server/messages/templates.ts'

type ReminderFacts = {
  firstName: string
  /** Keeps the provider's name out of the subject. */
  isDiscreet: boolean
  /** Turns reminders off. */
  unsubscribe: string
  site: string
  supportEmail: string
}

function instantOf({ startsAt }: Visit): number {
  return Temporal.Instant.from(startsAt).epochMilliseconds
}

/** "Tuesday 3 March" on the clock of the clinic. */
function dayText(visit: Visit): string {
  const { timeZone, region } = visit
  const day = dateFormat(regionFacts[region].locale, {
    timeZone,
    weekday: 'long',
    day: 'numeric',
    month: 'long',
  }).format(instantOf(visit))
  return region === 'uk' ? day.replace(',', '') : day
}

function factsOf(visit: Visit): Block {
  const { provider, place, region, timeZone } = visit
  const where = [place.name, place.address, place.postcode].filter(Boolean).join(', ')
  return {
    kind: 'facts',
    rows: [
      ['When', clinicTime(instantOf(visit), { region, time_zone: timeZone })],
      ['Who', provider.name],
      ['Where', where],
      ...(provider.phone === null ? [] : [['Phone', provider.phone] satisfies [string, string]]),
      ['Reference', visit.reference],
    ],
  }
}

/** Reminds a patient of the visits of one day; there is at least one. What they are for stays out of it. */
export function reminderEmail(visits: readonly Visit[], facts: ReminderFacts): EmailContent {
  const { firstName, isDiscreet, unsubscribe, site, supportEmail } = facts
  const [first] = visits
  if (first === undefined) throw new Error('A reminder is of one visit at least.')
  const day = dayText(first)
  const isOne = visits.length === 1
  const what = isOne ? 'your visit' : `your ${visits.length} visits`
  const heading = isOne
    ? `Reminder: your visit to ${first.provider.name} on ${day}`
    : `Reminder: ${what} on ${day}`
  return {
    heading,
    ...(isDiscreet && { subject: `Reminder: ${what} on ${day}` }),
    blocks: [
      {
        kind: 'paragraph',
        text: `Hello ${firstName},\nThis is a reminder of ${what} on ${day}. Times are in local time at the practice.`,
      },
      ...visits.map(factsOf),
      { kind: 'link', label: 'See your visits', url: `${site}/userProfile` },
      {
        kind: 'small',
        text: `If you can’t come, cancel in your account as soon as you can, or write to ${supportEmail}.`,
      },
      {
        kind: 'small',
        text: `Choose which reminders you get in your account: ${site}/userProfile?section=reminders\nTurn them off without signing in: ${unsubscribe}`,
      },
    ],
  }
}
