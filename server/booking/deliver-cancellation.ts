import type { Services } from '#server/context.ts'
import { sendLetter } from '#server/messages/send-letter.ts'
import { calendarName, calendarText } from './calendar-file.ts'
import { cancelledLetter, cancelledNotice } from './templates.ts'
import { findVisit } from './visit-store.ts'

type Errand = { bookingId: string; deliveryId: string }

/** Tells the patient and the provider that a visit is called off, with a file for both calendars. */
export async function deliverCancellation(services: Services, errand: Errand): Promise<void> {
  const { config, database } = services
  const row = await findVisit(database.db, errand.bookingId)
  if (row === undefined) throw new Error('The visit of a cancellation is not there.')
  const site = { site: config.publicUrl, supportEmail: config.supportEmail }
  const isErased = row.patient_erased_at !== null
  const about = { secrets: [], userId: isErased ? null : row.patient_id }
  const files = [
    {
      name: calendarName(row),
      type: 'text/calendar; charset=utf-8; method=CANCEL',
      text: calendarText(row, { site: config.publicUrl, method: 'CANCEL' }),
    },
  ]
  if (!isErased) {
    await sendLetter(services, {
      ...about,
      deliveryId: errand.deliveryId,
      to: row.patient_email,
      letter: cancelledLetter(row, site),
      files,
    })
  }
  if (row.provider_email === '') return
  await sendLetter(services, {
    ...about,
    deliveryId: `${errand.deliveryId}-provider`,
    to: row.provider_email,
    letter: cancelledNotice(row, site),
    files,
  })
}
