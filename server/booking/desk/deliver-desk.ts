import { withoutLinks } from '#contract/base/links.ts'
import { shownName } from '#contract/base/person-names.ts'
import { cancelReasonLabels } from '#contract/visits.ts'
import { clinicTime, inboxTexts, placeText } from '#server/booking/templates.ts'
import { calendarEmailFile } from '#server/booking/visits/calendar-file.ts'
import type { Services } from '#server/context.ts'
import type { OutboxJob } from '#server/kernel/outbox-topics.ts'
import { sendEmail } from '#server/messages/send-email.ts'
import { stopToken, stopUrl } from '#server/messages/stop-mail.ts'
import type { EmailContent } from '#server/messages/templates.ts'
import { type DeskRow, findAnyDesk } from './desk-store.ts'
import { type DeskEvent, eventOf, openCancelReason, openEvent, type Why } from './sealed-details.ts'

async function getDeskVisit({ database }: Services, id: string): Promise<DeskRow> {
  const row = await findAnyDesk(database.db, id)
  if (row === undefined) throw new Error('The desk visit of an email does not exist.')
  return row
}

type DeskEmail = {
  deliveryId: string
  content: EmailContent
  topic: 'desk.booked' | 'desk.moved' | 'desk.cancelled'
}

/** What a provider has typed, as an address that nobody has confirmed gets it: no program makes links of it. */
function unlinked(event: DeskEvent): DeskEvent {
  return {
    ...event,
    title: event.title && withoutLinks(event.title),
    first_name: withoutLinks(event.first_name),
    last_name: withoutLinks(event.last_name),
    place_name: withoutLinks(event.place_name),
    address: withoutLinks(event.address),
    locality: withoutLinks(event.locality),
    patient_name: withoutLinks(event.patient_name),
  }
}

/** Desk patients have no account, so their name and address are redacted from the stored email. */
async function sendDeskEmail(
  services: Services,
  event: DeskEvent,
  mailing: DeskEmail,
): Promise<void> {
  const { deliveryId, content, topic } = mailing
  const { patient_email: to, patient_name: name } = event
  const method = topic === 'desk.cancelled' ? 'CANCEL' : 'REQUEST'
  if (to === '') return
  await sendEmail(services, {
    deliveryId,
    topic,
    to,
    content,
    secrets: [to, name, stopToken(services, to)],
    userId: null,
    unsubscribe: stopUrl(services, to),
    files: [calendarEmailFile(event, { config: services.config, method, hasNoAccount: true })],
  })
}

/**
 * Emails the patient a new desk visit with its calendar file; skipped without an address or once cancelled.
 */
export async function deliverDeskBooked(
  services: Services,
  job: OutboxJob<'desk.booked'>,
): Promise<void> {
  const row = await getDeskVisit(services, job.deskId)
  if (row.state === 'cancelled') return
  const event = unlinked(eventOf(services, row))
  const content = deskBookedEmail(event, siteOf(services, event))
  const { deliveryId } = job
  await sendDeskEmail(services, event, { deliveryId, content, topic: 'desk.booked' })
}

/** Emails the patient that a desk visit has moved; skipped if it was moved again or cancelled since. */
export async function deliverDeskMoved(
  services: Services,
  job: OutboxJob<'desk.moved'>,
): Promise<void> {
  const row = await getDeskVisit(services, job.deskId)
  if (row.state === 'cancelled' || row.sequence !== job.sequence) return
  const event = unlinked(eventOf(services, row))
  const content = deskMovedEmail(event, siteOf(services, event))
  const { deliveryId } = job
  await sendDeskEmail(services, event, { deliveryId, content, topic: 'desk.moved' })
}

/** Emails the patient that a desk visit is cancelled, with a file that removes it from their calendar. */
export async function deliverDeskCancelled(
  services: Services,
  job: OutboxJob<'desk.cancelled'>,
): Promise<void> {
  const event = unlinked(
    job.told === undefined
      ? eventOf(services, await getDeskVisit(services, job.deskId))
      : openEvent(services, job.told),
  )
  const why = job.why === undefined ? null : openCancelReason(services, job.why)
  const content = deskCancelledEmail(event, siteOf(services, event), why)
  const { deliveryId } = job
  await sendDeskEmail(services, event, { deliveryId, content, topic: 'desk.cancelled' })
}

type Facts = [string, string][]

/** The patient cannot sign in to a desk visit or open it by a link: only the practice can change it. */
function changeText({ place_phone: phone }: DeskEvent): string {
  const whom = phone === null ? 'contact the practice' : `call the practice on ${phone}`
  return `To move or cancel this visit, ${whom}. Nothing was paid for it through Apposite.`
}

type DeskSite = { stopUrl: string }

function siteOf(services: Services, { patient_email: to }: DeskEvent): DeskSite {
  return { stopUrl: to === '' ? '' : stopUrl(services, to) }
}

function recipientText(event: DeskEvent): string {
  return `You’re getting this email because ${shownName(event)} was given your address for this visit.`
}

const placeFacts = (event: DeskEvent): Facts => [
  ['Who', shownName(event)],
  ['Where', placeText(event)],
  ...(event.place_phone === null
    ? []
    : [['Practice phone', event.place_phone] as [string, string]]),
  ['Reference', event.reference],
]

type EmailParts = {
  what: 'Booked' | 'Moved' | 'Cancelled'
  heading: string
  intro: string
  rows: Facts
  change: boolean
}

function deskEmail(event: DeskEvent, site: DeskSite, parts: EmailParts): EmailContent {
  const { what, heading, intro, rows, change } = parts
  return {
    heading,
    ...inboxTexts(event, { what, discreet: null }),
    blocks: [
      { kind: 'paragraph', text: `Hello ${event.patient_name},\n${intro}` },
      { kind: 'facts', rows },
      ...(change ? [{ kind: 'paragraph' as const, text: changeText(event) }] : []),
      { kind: 'small', text: recipientText(event) },
      { kind: 'more', label: 'This isn’t me: stop these emails', url: site.stopUrl },
    ],
  }
}

/** Email about a new desk visit; leaves out the provider's note. */
function deskBookedEmail(event: DeskEvent, site: DeskSite): EmailContent {
  const how = event.kind === 'phone' ? 'by phone' : 'at the practice'
  return deskEmail(event, site, {
    what: 'Booked',
    heading: `Your visit to ${shownName(event)} is booked`,
    intro: `You booked this visit ${how}. Open the attached file to add it to your calendar.`,
    rows: [['When', clinicTime(event.start_at, event)], ...placeFacts(event)],
    change: true,
  })
}

/** Email about a moved desk visit: the new time first, then the old one. */
function deskMovedEmail(event: DeskEvent, site: DeskSite): EmailContent {
  const { moved_from: from, moved_from_zone: zone } = event
  const before = { ...event, time_zone: zone ?? event.time_zone }
  return deskEmail(event, site, {
    what: 'Moved',
    heading: `Your visit to ${shownName(event)} has moved`,
    intro: 'The practice has moved this visit. Open the attached file to update your calendar.',
    rows: [
      ['New time', clinicTime(event.start_at, event)],
      ...(from === null ? [] : [['Old time', clinicTime(from, before)] as [string, string]]),
      ...placeFacts(event),
    ],
    change: true,
  })
}

/**
 * Email about a cancelled desk visit, with the reason if one was given; without the provider's note, because nobody has
 * confirmed the address.
 */
function deskCancelledEmail(event: DeskEvent, site: DeskSite, why: Why | null): EmailContent {
  return deskEmail(event, site, {
    what: 'Cancelled',
    heading: `Your visit to ${shownName(event)} is cancelled`,
    intro:
      'The practice has cancelled this visit. Nothing was paid for it through Apposite. Open the attached file to remove it from your calendar.',
    rows: [
      ['When', clinicTime(event.start_at, event)],
      ...(why === null ? [] : ([['Reason', cancelReasonLabels[why.reason]]] satisfies Facts)),
      ...placeFacts(event),
    ],
    change: false,
  })
}
