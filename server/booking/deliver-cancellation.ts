import type { Services } from '#server/context.ts'
import { sendLetter } from '#server/messages/send-letter.ts'
import { calendarName, calendarText } from './calendar-file.ts'
import { leaverLetter, leaverNotice } from './leaver-templates.ts'
import { openProvider } from './seal-provider.ts'
import { cancelledLetter, cancelledNotice } from './templates.ts'
import { findVisit, type VisitRow } from './visit-store.ts'

type Errand = {
  bookingId: string
  /** Its provider as they were before they erased their account, encrypted. */
  leaver: string | null
  deliveryId: string
}

function namesIn(row: VisitRow): string[] {
  return [row.first_name, row.patient_first_name, row.patient_last_name].filter(Boolean)
}

/** Tells the patient and the provider that a visit is called off, with a file for both calendars. */
export async function deliverCancellation(services: Services, errand: Errand): Promise<void> {
  const { config, database } = services
  const found = await findVisit(database.db, errand.bookingId)
  if (found === undefined) throw new Error('The visit of a cancellation is not there.')
  const hasLeft = errand.leaver !== null
  const row = errand.leaver === null ? found : openProvider(services, errand.leaver, found)
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
      letter: hasLeft ? leaverLetter(row, site) : cancelledLetter(row, site),
      files,
    })
  }
  if (row.provider_email === '') return
  const notice = { deliveryId: `${errand.deliveryId}-provider`, to: row.provider_email }
  if (hasLeft) {
    // Nothing that is kept of it may lead back to whom it went to, or name anybody.
    const secrets = namesIn(row)
    await sendLetter(services, { ...notice, letter: leaverNotice(row), secrets, userId: null })
    return
  }
  await sendLetter(services, { ...about, ...notice, letter: cancelledNotice(row, site), files })
}
