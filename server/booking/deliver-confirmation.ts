import type { Services } from '#server/context.ts'
import { sendLetter } from '#server/messages/send-letter.ts'
import { calendarName, calendarText } from './calendar-file.ts'
import { confirmationLetter, noticeLetter } from './templates.ts'
import { findVisit } from './visit-store.ts'

type Errand = { bookingId: string; deliveryId: string }

/**
 * Tells the patient, with the visit as a calendar file, and the provider. What was mailed before is
 * not mailed again, so that a failure between the two does not repeat the first.
 */
export async function deliverConfirmation(services: Services, errand: Errand): Promise<void> {
  const { config, database } = services
  const row = await findVisit(database.db, errand.bookingId)
  if (row === undefined) throw new Error('The visit of a confirmation is not there.')
  // Called off before anybody was told: the email about that says all there is to say.
  if (row.state === 'cancelled') return
  const site = { site: config.publicUrl, supportEmail: config.supportEmail }
  const isErased = row.patient_erased_at !== null
  const about = { secrets: [], userId: isErased ? null : row.patient_id }
  const file = {
    name: calendarName(row),
    type: 'text/calendar; charset=utf-8; method=PUBLISH',
    text: calendarText(row, { site: config.publicUrl }),
  }
  // Whoever erased their account meanwhile has no address any more.
  if (!isErased) {
    await sendLetter(services, {
      ...about,
      deliveryId: errand.deliveryId,
      to: row.patient_email,
      letter: confirmationLetter(row, site),
      files: [file],
    })
  }
  if (row.provider_email === '') return
  await sendLetter(services, {
    ...about,
    deliveryId: `${errand.deliveryId}-provider`,
    to: row.provider_email,
    letter: noticeLetter(row, site),
  })
}
