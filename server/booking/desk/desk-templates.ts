import { cancelReasonWords } from '#contract/visits.ts'
import { shownName } from '#server/booking/rules.ts'
import { clinicTime, placeText, type Site } from '#server/booking/templates.ts'
import type { EmailContent } from '#server/messages/templates.ts'
import type { Why } from './cancel-why.ts'
import type { DeskEvent } from './desk-event.ts'

type Facts = [string, string][]

/** Nobody signs in to such a visit and no link opens it: the practice changes it. */
function howToChange({ place_phone: phone }: DeskEvent): string {
  const whom = phone === null ? 'contact the practice' : `call the practice on ${phone}`
  return `To move or cancel this visit, ${whom}. Nothing was paid for it through Apposite.`
}

function whyYou(event: DeskEvent, { supportEmail }: Pick<Site, 'supportEmail'>): string {
  return `We email you because ${shownName(event)} was given your address for this visit. If you don’t know about it, write to ${supportEmail}.`
}

const placeFacts = (event: DeskEvent): Facts => [
  ['Who', shownName(event)],
  ['Where', placeText(event)],
  ...(event.place_phone === null
    ? []
    : [['Practice phone', event.place_phone] as [string, string]]),
  ['Reference', event.reference],
]

type Saying = { heading: string; said: string; rows: Facts; change: boolean }

function email(event: DeskEvent, site: Pick<Site, 'supportEmail'>, saying: Saying): EmailContent {
  const { heading, said, rows, change } = saying
  return {
    heading,
    blocks: [
      { kind: 'paragraph', text: `Hello ${event.patient_name},\n${said}` },
      { kind: 'facts', rows },
      ...(change ? [{ kind: 'paragraph' as const, text: howToChange(event) }] : []),
      { kind: 'small', text: whyYou(event, site) },
    ],
  }
}

/** That a visit was put in. What was noted about it stays out of email. */
export function deskBookedEmail(event: DeskEvent, site: Pick<Site, 'supportEmail'>): EmailContent {
  const how = event.kind === 'phone' ? 'by phone' : 'at the practice'
  return email(event, site, {
    heading: `Your visit to ${shownName(event)} is booked`,
    said: `You booked this visit ${how}. Open the attached file to add it to your calendar.`,
    rows: [['When', clinicTime(event.start_at, event)], ...placeFacts(event)],
    change: true,
  })
}

/** That it has moved: the new time first, then the old one. */
export function deskMovedEmail(event: DeskEvent, site: Pick<Site, 'supportEmail'>): EmailContent {
  const { moved_from: from } = event
  return email(event, site, {
    heading: `Your visit to ${shownName(event)} has moved`,
    said: 'The practice has moved this visit. Open the attached file to update your calendar.',
    rows: [
      ['New time', clinicTime(event.start_at, event)],
      ...(from === null ? [] : [['Was', clinicTime(from, event)] as [string, string]]),
      ...placeFacts(event),
    ],
    change: true,
  })
}

function whyFacts({ reason, note }: Why): Facts {
  return [
    ['Reason', cancelReasonWords[reason]],
    ...(note ? [['They wrote', note] as [string, string]] : []),
  ]
}

/** That it is called off, and why, where a reason was given. */
export function deskCancelledEmail(
  event: DeskEvent,
  site: Pick<Site, 'supportEmail'>,
  why: Why | null,
): EmailContent {
  return email(event, site, {
    heading: `Your visit to ${shownName(event)} is cancelled`,
    said: 'The practice has cancelled this visit. Nothing was paid for it through Apposite. Open the attached file to remove it from your calendar.',
    rows: [
      ['Was', clinicTime(event.start_at, event)],
      ...(why === null ? [] : whyFacts(why)),
      ...placeFacts(event),
    ],
    change: false,
  })
}
