import { fullName, shownName } from '#contract/base/person-names.ts'
import type { ProposedTimes } from '#contract/booking.ts'
import type { Instant } from '#db/columns.ts'
import { REASON_PROPOSED } from '#server/booking/rules.ts'
import {
  clinicTime,
  inboxTexts,
  isDiscreet,
  messageOf,
  placeText,
  policyText,
  type Site,
  visitLink,
} from '#server/booking/templates.ts'
import type { Services } from '#server/context.ts'
import type { OutboxJob } from '#server/kernel/outbox-topics.ts'
import { sendEach } from '#server/messages/send-email.ts'
import type { Block, EmailContent } from '#server/messages/templates.ts'
import { calendarEmailFile } from './calendar-file.ts'
import { findMove, type MoveRow } from './changes-store.ts'
import { emailPatient, emailProvider } from './deliver-confirmation.ts'
import { proposalsOf } from './move-booking.ts'
import { findVisit, type VisitRow } from './visit-store.ts'

/**
 * Emails the patient, with a file that moves the visit in their calendar, and the provider. Skipped if the
 * visit was moved again or cancelled since: a later email covers that.
 */
export async function deliverMove(
  services: Services,
  job: OutboxJob<'booking.moved'>,
): Promise<void> {
  const { config, database, now } = services
  const row = await findVisit(database.db, job.bookingId)
  if (row === undefined) throw new Error('The visit of a move email does not exist.')
  if (row.state !== 'confirmed' || row.sequence !== job.sequence) return
  const { no: bookingNo, sequence } = row
  const move = await findMove(database.db, { bookingNo, sequence })
  if (move === undefined) throw new Error('The move of the visit is not recorded.')
  const facts = { site: config.publicUrl, supportEmail: config.supportEmail, move, now: now() }
  await sendEach(
    () =>
      emailPatient(services, row, {
        topic: 'booking.moved',
        deliveryId: job.deliveryId,
        content: (url) => movedEmail(row, { ...facts, visitUrl: url }),
        files: [calendarEmailFile(row, { config, method: 'REQUEST' })],
      }),
    () =>
      emailProvider(services, row, {
        topic: 'booking.moved',
        deliveryId: `${job.deliveryId}-provider`,
        content: movedNotice(row, facts),
      }),
  )
}

type MoveFacts = Site & { move: MoveRow; now: Instant }

type Opening = (row: VisitRow, reason: string | null) => string

const introText: Record<MoveRow['by_kind'], Opening> = {
  patient: (row, reason) =>
    reason === REASON_PROPOSED
      ? `You’ve chosen a time that ${shownName(row)} proposed.`
      : 'You’ve moved this visit.',
  provider: (row) => `${shownName(row)} has moved this visit, as agreed.`,
  staff: (row, reason) =>
    reason === 'for_provider'
      ? `We’ve moved this visit for ${shownName(row)}.`
      : 'We’ve moved this visit for you, as you asked.',
  system: () => 'Your visit has moved.',
}

function oldTimeRow(
  row: VisitRow,
  { from_at: from, from_zone: zone }: MoveRow,
): [string, string][] {
  if (from === null) return []
  return [['Old time', clinicTime(from, { ...row, time_zone: zone ?? row.time_zone })]]
}

/** Email to the patient about a moved visit: the new time first, then the old one. */
function movedEmail(
  row: VisitRow,
  { supportEmail, visitUrl: url, move, now }: MoveFacts & { visitUrl: string },
): EmailContent<Block> {
  const intro = introText[move.by_kind](row, move.reason)
  return {
    heading: `Your visit to ${shownName(row)} has moved`,
    ...inboxTexts(row, {
      what: 'Moved',
      discreet: isDiscreet(row) ? 'Your visit has moved' : null,
    }),
    blocks: [
      {
        kind: 'paragraph',
        text: `Hello ${row.patient_first_name},\n${intro} There’s nothing to pay. Open the attached file to update your calendar.`,
      },
      {
        kind: 'facts',
        rows: [
          ['New time', clinicTime(row.start_at, row)],
          ...oldTimeRow(row, move),
          ['Who', shownName(row)],
          ['Where', placeText(row)],
          ['If you cancel', policyText(row, now)],
          ['Reference', row.reference],
        ],
      },
      ...(move.by_kind === 'provider' ? messageOf(move.note) : []),
      visitLink(url),
      {
        kind: 'small',
        text: `If the new time doesn’t suit you, use the link above to move or cancel the visit. You don’t need to sign in for that, so don’t pass this email on. If something isn’t right, write to ${supportEmail}.`,
      },
    ],
  }
}

function noticeOf({ by_kind: by, reason }: MoveRow): string {
  const isChosen = by === 'patient' && reason === REASON_PROPOSED
  return isChosen ? 'The patient chose a time you proposed.' : noticeText[by]
}

const noticeText: Record<MoveRow['by_kind'], string> = {
  patient: 'The patient moved this visit.',
  provider: 'You moved this visit. We’ve told the patient.',
  staff: 'We moved this visit.',
  system: 'This visit has moved.',
}

/** Short notice to the provider that a visit has moved. */
function movedNotice(row: VisitRow, { site, move }: Pick<MoveFacts, 'site' | 'move'>) {
  return {
    heading: `Moved: ${clinicTime(row.start_at, row)}`,
    blocks: [
      {
        kind: 'paragraph',
        text: `Hello ${row.first_name},\n${noticeOf(move)} Its old time is open to others again, unless it’s outside your hours or in your time off.`,
      },
      {
        kind: 'facts',
        rows: [
          ['New time', clinicTime(row.start_at, row)],
          ...oldTimeRow(row, move),
          ['Patient', fullName(row.patient_first_name, row.patient_last_name)],
          ['Where', placeText(row)],
          ['Reference', row.reference],
        ],
      },
      { kind: 'link', label: 'Open this visit', url: `${site}/doctor/visits/${row.id}` },
    ],
  } satisfies EmailContent
}

/**
 * Emails the patient the proposed times that are still free. Skipped if the visit has changed since, other
 * times are proposed, or none is left.
 */
export async function deliverProposal(
  services: Services,
  job: OutboxJob<'booking.proposed'>,
): Promise<void> {
  const { config, database, now } = services
  const row = await findVisit(database.db, job.bookingId)
  if (row === undefined) throw new Error('The visit of a proposal email does not exist.')
  if (row.sequence !== job.sequence || row.patient_erased_at !== null) return
  const proposal = (await proposalsOf(database.db, [row.no], now())).get(row.no)
  if (proposal?.at !== job.at) return
  const { publicUrl: site, supportEmail } = config
  await emailPatient(services, row, {
    topic: 'booking.proposed',
    deliveryId: job.deliveryId,
    content: (url) => proposedEmail(row, { site, supportEmail, visitUrl: url, proposal }),
  })
}

/**
 * Emails the provider that the patient keeps the time of a visit. Skipped if the visit has changed since: a
 * later email covers that.
 */
export async function deliverProposalDeclined(
  services: Services,
  job: OutboxJob<'booking.kept'>,
): Promise<void> {
  const { config, database } = services
  const row = await findVisit(database.db, job.bookingId)
  if (row === undefined) throw new Error('The visit of a declined proposal does not exist.')
  if (row.state !== 'confirmed' || row.sequence !== job.sequence) return
  await emailProvider(services, row, {
    topic: 'booking.kept',
    deliveryId: job.deliveryId,
    content: declinedNotice(row, { site: config.publicUrl }),
  })
}

type ProposalFacts = Site & { visitUrl: string; proposal: ProposedTimes }

/** Email to the patient whose provider proposes other times. */
function proposedEmail(
  row: VisitRow,
  { site, supportEmail, visitUrl: url, proposal }: ProposalFacts,
): EmailContent<Block> {
  const { times, note } = proposal
  const isElsewhere = row.mode !== 'video' && times.some(({ place }) => place !== row.place_name)
  return {
    heading: `${shownName(row)} has proposed other times`,
    ...(isDiscreet(row) && { subject: 'Does another time suit you?' }),
    blocks: [
      {
        kind: 'paragraph',
        text: `Hello ${row.patient_first_name},\nYour visit stays as it is unless you choose one of these times. They aren’t held for you, so someone else may book them first.`,
      },
      {
        kind: 'facts',
        rows: [
          ['Your time', clinicTime(row.start_at, row)],
          ...times.map(({ startsAt, timeZone, place }, at): [string, string] => {
            const start = Temporal.Instant.from(startsAt).epochMilliseconds
            const when = clinicTime(start, { ...row, time_zone: timeZone })
            return [`Option ${at + 1}`, isElsewhere ? `${when}, at ${place}` : when]
          }),
          ['Where', placeText(row)],
          ['Reference', row.reference],
        ],
      },
      ...messageOf(note),
      { kind: 'link', label: 'Choose a time or keep yours', url },
      { kind: 'more', label: 'Answer in your account', url: `${site}/userProfile` },
      {
        kind: 'small',
        text: `Choosing one of them is free and doesn’t count as one of your moves. You don’t need to sign in for that, so don’t pass this email on. If something isn’t right, write to ${supportEmail}.`,
      },
    ],
  }
}

/** Short notice to the provider that the patient accepts none of the proposed times. */
function declinedNotice(row: VisitRow, { site }: Pick<Site, 'site'>): EmailContent {
  return {
    heading: `Not moved: ${clinicTime(row.start_at, row)}`,
    blocks: [
      {
        kind: 'paragraph',
        text: `Hello ${row.first_name},\nThe patient has kept the time of this visit and chosen none of the times you proposed.`,
      },
      {
        kind: 'facts',
        rows: [
          ['Time', clinicTime(row.start_at, row)],
          ['Patient', fullName(row.patient_first_name, row.patient_last_name)],
          ['Where', placeText(row)],
          ['Reference', row.reference],
        ],
      },
      { kind: 'link', label: 'Open this visit', url: `${site}/doctor/visits/${row.id}` },
    ],
  }
}
