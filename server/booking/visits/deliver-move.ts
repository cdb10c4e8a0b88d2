import type { Services } from '#server/context.ts'
import { sendEmail } from '#server/messages/send-email.ts'
import { calendarEmailFile } from './calendar-file.ts'
import { movedEmail, movedNotice } from './moved-templates.ts'
import { findMove } from './moves-store.ts'
import { linkOwnerOf, visitMac, visitUrl } from './visit-link.ts'
import { findVisit } from './visit-store.ts'

type Errand = {
  bookingId: string
  /** Of the visit right after the move. */
  sequence: number
  deliveryId: string
}

/**
 * Tells the patient, with a file that moves the visit in their calendar, and the provider. Says nothing
 * where the visit was moved again or cancelled since: the email about that says all there is to say.
 */
export async function deliverMove(services: Services, errand: Errand): Promise<void> {
  const { config, database, now } = services
  const row = await findVisit(database.db, errand.bookingId)
  if (row === undefined) throw new Error('The visit of a move is not there.')
  if (row.state !== 'confirmed' || row.sequence !== errand.sequence) return
  const { no: bookingNo, sequence } = row
  const move = await findMove(database.db, { bookingNo, sequence })
  if (move === undefined) throw new Error('The move of a visit is not written down.')
  const told = { site: config.publicUrl, supportEmail: config.supportEmail, move, now: now() }
  const isErased = row.patient_erased_at !== null
  const about = { secrets: [], userId: isErased ? null : row.patient_id }
  const owner = linkOwnerOf(row)
  if (!isErased) {
    await sendEmail(services, {
      ...about,
      secrets: [visitMac(services, owner)],
      deliveryId: errand.deliveryId,
      to: row.patient_email,
      content: movedEmail(row, { ...told, visitUrl: visitUrl(services, owner) }),
      files: [calendarEmailFile(row, { config, method: 'REQUEST' })],
    })
  }
  if (row.provider_email === '') return
  await sendEmail(services, {
    ...about,
    deliveryId: `${errand.deliveryId}-provider`,
    to: row.provider_email,
    content: movedNotice(row, told),
  })
}
