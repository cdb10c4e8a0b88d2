import { cancelReasonWords } from '#contract/visits.ts'
import { shownName } from '#server/booking/rules.ts'
import { clinicTime, placeText, type Site } from '#server/booking/templates.ts'
import { calendarEmailFile } from '#server/booking/visits/calendar-file.ts'
import type { Services } from '#server/context.ts'
import { sendEmail } from '#server/messages/send-email.ts'
import type { EmailContent } from '#server/messages/templates.ts'
import { type DeskEvent, eventOf, openEvent } from './desk-event.ts'
import { type DeskRow, findAnyDesk } from './desk-store.ts'
import { openWhy, type Why } from './sealed-details.ts'

type Errand = { deskId: string; deliveryId: string }

async function getDesk({ database }: Services, id: string): Promise<DeskRow> {
  const row = await findAnyDesk(database.db, id)
  if (row === undefined) throw new Error('The desk visit of an email is not there.')
  return row
}

type Mail = { deliveryId: string; content: EmailContent; method: 'REQUEST' | 'CANCEL' }

/** Desk patients have no account, so their name and address are redacted from the stored email. */
async function mail(services: Services, event: DeskEvent, mailing: Mail): Promise<void> {
  const { deliveryId, content, method } = mailing
  const { patient_email: to, patient_name: name } = event
  if (to === '') return
  await sendEmail(services, {
    deliveryId,
    to,
    content,
    secrets: [to, name],
    userId: null,
    files: [calendarEmailFile(event, { config: services.config, method, hasNoAccount: true })],
  })
}

/**
 * Emails the patient a new desk visit with its calendar file; skipped without an address or once cancelled.
 */
export async function deliverDeskBooked(services: Services, errand: Errand): Promise<void> {
  const row = await getDesk(services, errand.deskId)
  if (row.state === 'cancelled') return
  const event = eventOf(services, row)
  const content = deskBookedEmail(event, services.config)
  await mail(services, event, { deliveryId: errand.deliveryId, content, method: 'REQUEST' })
}

/** Emails the patient that a desk visit has moved; skipped if it was moved again or cancelled since. */
export async function deliverDeskMoved(
  services: Services,
  errand: Errand & { sequence: number },
): Promise<void> {
  const row = await getDesk(services, errand.deskId)
  if (row.state === 'cancelled' || row.sequence !== errand.sequence) return
  const event = eventOf(services, row)
  const content = deskMovedEmail(event, services.config)
  await mail(services, event, { deliveryId: errand.deliveryId, content, method: 'REQUEST' })
}

/** Emails the patient that a desk visit is cancelled, with a file that removes it from their calendar. */
export async function deliverDeskCancelled(
  services: Services,
  errand: Errand & {
    /** The email's facts, encrypted, when the provider's account was erased and the row is blanked. */
    told: string | null
    /** The reason and the provider's note, encrypted; null where neither was given. */
    why: string | null
  },
): Promise<void> {
  const event =
    errand.told === null
      ? eventOf(services, await getDesk(services, errand.deskId))
      : openEvent(services, errand.told)
  const why = errand.why === null ? null : openWhy(services, errand.why)
  const content = deskCancelledEmail(event, services.config, why)
  await mail(services, event, { deliveryId: errand.deliveryId, content, method: 'CANCEL' })
}

type Facts = [string, string][]

/** The patient cannot sign in to a desk visit or open it by a link: only the practice can change it. */
function howToChange({ place_phone: phone }: DeskEvent): string {
  const whom = phone === null ? 'contact the practice' : `call the practice on ${phone}`
  return `To move or cancel this visit, ${whom}. Nothing was paid for it through Apposite.`
}

function whyYou(event: DeskEvent, { supportEmail }: Pick<Site, 'supportEmail'>): string {
  return `You’re getting this email because ${shownName(event)} was given your address for this visit. If you don’t know about it, write to ${supportEmail}.`
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

/** Email about a new desk visit; leaves out the provider's note. */
function deskBookedEmail(event: DeskEvent, site: Pick<Site, 'supportEmail'>): EmailContent {
  const how = event.kind === 'phone' ? 'by phone' : 'at the practice'
  return email(event, site, {
    heading: `Your visit to ${shownName(event)} is booked`,
    said: `You booked this visit ${how}. Open the attached file to add it to your calendar.`,
    rows: [['When', clinicTime(event.start_at, event)], ...placeFacts(event)],
    change: true,
  })
}

/** Email about a moved desk visit: the new time first, then the old one. */
function deskMovedEmail(event: DeskEvent, site: Pick<Site, 'supportEmail'>): EmailContent {
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

/** Email about a cancelled desk visit, with the reason if one was given. */
function deskCancelledEmail(
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
