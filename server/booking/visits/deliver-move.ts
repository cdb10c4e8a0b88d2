import type { Instant } from '#db/columns.ts'
import { REASON_PROPOSED, shownName } from '#server/booking/rules.ts'
import {
  clinicTime,
  isDiscreet,
  placeText,
  policyText,
  type Site,
  visitButton,
} from '#server/booking/templates.ts'
import type { Services } from '#server/context.ts'
import { sendEmail } from '#server/messages/send-email.ts'
import type { EmailContent } from '#server/messages/templates.ts'
import { calendarEmailFile } from './calendar-file.ts'
import { findMove, type MoveRow } from './changes-store.ts'
import { linkOwnerOf, visitMac, visitUrl } from './visit-link.ts'
import { findVisit, type VisitRow } from './visit-store.ts'

type DeliveryJob = {
  bookingId: string
  /** Sequence of the visit right after the move. */
  sequence: number
  deliveryId: string
}

/**
 * Emails the patient, with a file that moves the visit in their calendar, and the provider. Skipped if the
 * visit was moved again or cancelled since: a later email covers that.
 */
export async function deliverMove(services: Services, job: DeliveryJob): Promise<void> {
  const { config, database, now } = services
  const row = await findVisit(database.db, job.bookingId)
  if (row === undefined) throw new Error('The visit of a move is not there.')
  if (row.state !== 'confirmed' || row.sequence !== job.sequence) return
  const { no: bookingNo, sequence } = row
  const move = await findMove(database.db, { bookingNo, sequence })
  if (move === undefined) throw new Error('The move of a visit is not written down.')
  const facts = { site: config.publicUrl, supportEmail: config.supportEmail, move, now: now() }
  const isErased = row.patient_erased_at !== null
  const about = { secrets: [], userId: isErased ? null : row.patient_id }
  const owner = linkOwnerOf(row)
  if (!isErased) {
    await sendEmail(services, {
      ...about,
      secrets: [visitMac(services, owner)],
      deliveryId: job.deliveryId,
      to: row.patient_email,
      content: movedEmail(row, { ...facts, visitUrl: visitUrl(services, owner) }),
      files: [calendarEmailFile(row, { config, method: 'REQUEST' })],
    })
  }
  if (row.provider_email === '') return
  await sendEmail(services, {
    ...about,
    deliveryId: `${job.deliveryId}-provider`,
    to: row.provider_email,
    content: movedNotice(row, facts),
  })
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

function oldTimeRow(row: VisitRow, { from_at: from }: MoveRow): [string, string][] {
  return from === null ? [] : [['Was', clinicTime(from, row)]]
}

/** Email to the patient about a moved visit: the new time first, then the old one. */
function movedEmail(
  row: VisitRow,
  { supportEmail, visitUrl: url, move, now }: MoveFacts & { visitUrl: string },
): EmailContent {
  const intro = introText[move.by_kind](row, move.reason)
  return {
    heading: `Your visit to ${shownName(row)} has moved`,
    ...(isDiscreet(row) && { subject: 'Your visit has moved' }),
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
          ...(move.by_kind === 'provider' && move.note
            ? [['They wrote', move.note] satisfies [string, string]]
            : []),
          ['If you cancel', policyText(row, now)],
          ['Reference', row.reference],
        ],
      },
      visitButton(url),
      {
        kind: 'small',
        text: `If the new time doesn’t suit you, use the button above to move or cancel the visit. You don’t need to sign in for that, so don’t pass this email on. If something isn’t right, write to ${supportEmail}.`,
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
        text: `Hello ${row.first_name},\n${noticeOf(move)} Its old time is open to others again.`,
      },
      {
        kind: 'facts',
        rows: [
          ['New time', clinicTime(row.start_at, row)],
          ...oldTimeRow(row, move),
          ['Patient', `${row.patient_first_name} ${row.patient_last_name}`],
          ['Where', placeText(row)],
          ['Reference', row.reference],
        ],
      },
      { kind: 'link', label: 'Open this visit', url: `${site}/doctor/visits/${row.id}` },
    ],
  } satisfies EmailContent
}
