import type { ProposedTimes } from '#contract/booking-proposed.ts'
import { shownName } from '#server/booking/rules.ts'
import { clinicTime, isDiscreet, placeText, type Site } from '#server/booking/templates.ts'
import type { Services } from '#server/context.ts'
import { sendEmail } from '#server/messages/send-email.ts'
import type { EmailContent } from '#server/messages/templates.ts'
import { proposalsOf } from './proposals.ts'
import { linkOwnerOf, visitMac, visitUrl } from './visit-link.ts'
import { findVisit, type VisitRow } from './visit-store.ts'

type DeliveryJob = {
  bookingId: string
  /** Sequence of the visit when the times were proposed, and when that was. */
  sequence: number
  at: string
  deliveryId: string
}

/**
 * Emails the patient the proposed times that are still free. Skipped if the visit has changed since, other
 * times are proposed, or none is left.
 */
export async function deliverProposal(services: Services, job: DeliveryJob): Promise<void> {
  const { config, database, now } = services
  const row = await findVisit(database.db, job.bookingId)
  if (row === undefined) throw new Error('The visit of a proposal is not there.')
  if (row.sequence !== job.sequence || row.patient_erased_at !== null) return
  const proposal = (await proposalsOf(database.db, [row.no], now())).get(row.no)
  if (proposal?.at !== job.at) return
  const owner = linkOwnerOf(row)
  await sendEmail(services, {
    secrets: [visitMac(services, owner)],
    userId: row.patient_id,
    deliveryId: job.deliveryId,
    to: row.patient_email,
    content: proposedEmail(row, {
      site: config.publicUrl,
      supportEmail: config.supportEmail,
      visitUrl: visitUrl(services, owner),
      proposal,
    }),
  })
}

/**
 * Emails the provider that the patient keeps the time of a visit. Skipped if the visit has changed since: a
 * later email covers that.
 */
export async function deliverProposalDeclined(
  services: Services,
  job: Omit<DeliveryJob, 'at'>,
): Promise<void> {
  const { config, database } = services
  const row = await findVisit(database.db, job.bookingId)
  if (row === undefined) throw new Error('The visit of a proposal is not there.')
  if (row.state !== 'confirmed' || row.sequence !== job.sequence) return
  if (row.provider_email === '') return
  await sendEmail(services, {
    secrets: [],
    userId: row.patient_erased_at === null ? row.patient_id : null,
    deliveryId: job.deliveryId,
    to: row.provider_email,
    content: declinedNotice(row, { site: config.publicUrl }),
  })
}

type ProposalFacts = Site & { visitUrl: string; proposal: ProposedTimes }

/** Email to the patient whose provider proposes other times. */
function proposedEmail(
  row: VisitRow,
  { site, supportEmail, visitUrl: url, proposal }: ProposalFacts,
): EmailContent {
  const { times, note } = proposal
  const isElsewhere = times.some(({ place }) => place !== row.place_name)
  return {
    heading: `${shownName(row)} asks whether another time suits you`,
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
            return [`Proposed ${at + 1}`, isElsewhere ? `${when}, at ${place}` : when]
          }),
          ...(note === null || note === ''
            ? []
            : [['They wrote', note] satisfies [string, string]]),
          ['Where', placeText(row)],
          ['Reference', row.reference],
        ],
      },
      { kind: 'link', label: 'Choose a time or keep yours', url },
      { kind: 'link', label: 'Answer in your account', url: `${site}/userProfile` },
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
          ['Patient', `${row.patient_first_name} ${row.patient_last_name}`],
          ['Where', placeText(row)],
          ['Reference', row.reference],
        ],
      },
      { kind: 'link', label: 'Open this visit', url: `${site}/doctor/visits/${row.id}` },
    ],
  }
}
