import type { Services } from '#server/context.ts'
import { sendEmail } from '#server/messages/send-email.ts'
import { proposalsOf } from './proposals.ts'
import { keptNotice, proposedEmail } from './proposed-templates.ts'
import { linkOwnerOf, visitMac, visitUrl } from './visit-link.ts'
import { findVisit } from './visit-store.ts'

type Errand = {
  bookingId: string
  /** Of the visit when the times were proposed, and when that was. */
  sequence: number
  at: string
  deliveryId: string
}

/**
 * Tells the patient which times their provider proposes, as far as they are free by now. Says nothing
 * where the visit has changed since, other times are proposed, or all are gone.
 */
export async function deliverProposal(services: Services, errand: Errand): Promise<void> {
  const { config, database, now } = services
  const row = await findVisit(database.db, errand.bookingId)
  if (row === undefined) throw new Error('The visit of a proposal is not there.')
  if (row.sequence !== errand.sequence || row.patient_erased_at !== null) return
  const proposal = (await proposalsOf(database.db, [row.no], now())).get(row.no)
  if (proposal?.at !== errand.at) return
  const owner = linkOwnerOf(row)
  await sendEmail(services, {
    secrets: [visitMac(services, owner)],
    userId: row.patient_id,
    deliveryId: errand.deliveryId,
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
 * Tells the provider that the patient keeps the time of a visit. Says nothing where the visit has changed
 * since: the email about that says what there is to say.
 */
export async function deliverKept(services: Services, errand: Omit<Errand, 'at'>): Promise<void> {
  const { config, database } = services
  const row = await findVisit(database.db, errand.bookingId)
  if (row === undefined) throw new Error('The visit of a proposal is not there.')
  if (row.state !== 'confirmed' || row.sequence !== errand.sequence) return
  if (row.provider_email === '') return
  await sendEmail(services, {
    secrets: [],
    userId: row.patient_erased_at === null ? row.patient_id : null,
    deliveryId: errand.deliveryId,
    to: row.provider_email,
    content: keptNotice(row, { site: config.publicUrl }),
  })
}
