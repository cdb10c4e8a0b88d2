import type { Db } from '#db/engine.ts'
import { firstTimes } from '#server/availability/slots/free-times.ts'
import { confirmationEmail, noticeEmail } from '#server/booking/templates.ts'
import type { Services } from '#server/context.ts'
import { sendEmail } from '#server/messages/send-email.ts'
import { calendarEmailFile } from './calendar-file.ts'
import {
  type CancelledFacts,
  cancelledEmail,
  cancelledNotice,
  providerLeftEmail,
  providerLeftNotice,
} from './cancelled-templates.ts'
import { findCancellation } from './changes-store.ts'
import { openProvider } from './confirm-booking.ts'
import { findMainZone } from './provider-visits-store.ts'
import { linkOwnerOf, visitMac, visitUrl } from './visit-link.ts'
import { findVisit, type VisitRow } from './visit-store.ts'

type DeliveryJob = { bookingId: string; deliveryId: string }

/**
 * Emails the patient, with a calendar file, and the provider. Emails already sent are skipped, so that a
 * retry after a failure between the two does not repeat the first.
 */
export async function deliverConfirmation(services: Services, job: DeliveryJob): Promise<void> {
  const { config, database } = services
  const row = await findVisit(database.db, job.bookingId)
  if (row === undefined) throw new Error('The visit of a confirmation is not there.')
  // Cancelled before the confirmation went out: the cancellation email is enough.
  if (row.state === 'cancelled') return
  const site = { site: config.publicUrl, supportEmail: config.supportEmail }
  const isErased = row.patient_erased_at !== null
  const about = { secrets: [], userId: isErased ? null : row.patient_id }
  const file = calendarEmailFile(row, { config, method: 'REQUEST' })
  const owner = linkOwnerOf(row)
  // Erased accounts have no address any more.
  if (!isErased) {
    await sendEmail(services, {
      ...about,
      secrets: [visitMac(services, owner)],
      deliveryId: job.deliveryId,
      to: row.patient_email,
      content: confirmationEmail(row, {
        ...site,
        now: services.now(),
        visitUrl: visitUrl(services, owner),
      }),
      files: [file],
    })
  }
  if (row.provider_email === '') return
  await sendEmail(services, {
    ...about,
    deliveryId: `${job.deliveryId}-provider`,
    to: row.provider_email,
    content: noticeEmail(row, site),
  })
}

type CancellationJob = {
  bookingId: string
  /** The provider's details from before the erasure, encrypted. */
  leaver: string | null
  deliveryId: string
}

/** Times that an email links to. */
const MOST_LINKED = 3

/**
 * The next free times of a cancelled visit's provider without the cancelled time itself, for its type, and in the
 * zone by which the checkout reads them: that of the main place.
 */
async function nextFree(db: Db, row: VisitRow, now: number): Promise<CancelledFacts['free']> {
  const { provider_no: providerNo, type_no: typeNo, start_at: start } = row
  const next = { typeNo, after: now, limit: MOST_LINKED + 1 }
  const found = await firstTimes(db, providerNo, next)
  if (found === null) return null
  const times = found.times.filter((at) => at !== start).slice(0, MOST_LINKED)
  const timeZone = (await findMainZone(db, providerNo)) ?? row.time_zone
  return { typeId: found.typeId, timeZone, times }
}

function namesIn(row: VisitRow): string[] {
  return [row.first_name, row.patient_first_name, row.patient_last_name].filter(Boolean)
}

/** Emails the patient and the provider that a visit is cancelled, with a file for both calendars. */
export async function deliverCancellation(services: Services, job: CancellationJob): Promise<void> {
  const { config, database } = services
  const found = await findVisit(database.db, job.bookingId)
  if (found === undefined) throw new Error('The visit of a cancellation is not there.')
  const hasLeft = job.leaver !== null
  const row = job.leaver === null ? found : openProvider(services, job.leaver, found)
  const site = { site: config.publicUrl, supportEmail: config.supportEmail }
  const isErased = row.patient_erased_at !== null
  const about = { secrets: [], userId: isErased ? null : row.patient_id }
  const files = [calendarEmailFile(row, { config, method: 'CANCEL' })]
  const owner = linkOwnerOf(row)
  const facts = {
    ...site,
    visitUrl: visitUrl(services, owner),
    cancellation: await findCancellation(database.db, row.no),
    free: await nextFree(database.db, row, services.now()),
  }
  if (!isErased) {
    await sendEmail(services, {
      ...about,
      secrets: [visitMac(services, owner)],
      deliveryId: job.deliveryId,
      to: row.patient_email,
      content: hasLeft ? providerLeftEmail(row, site) : cancelledEmail(row, facts),
      files,
    })
  }
  if (row.provider_email === '') return
  const notice = { deliveryId: `${job.deliveryId}-provider`, to: row.provider_email }
  if (hasLeft) {
    // The stored copy must not identify the recipient or name anyone.
    const secrets = namesIn(row)
    await sendEmail(services, {
      ...notice,
      content: providerLeftNotice(row),
      secrets,
      userId: null,
    })
    return
  }
  await sendEmail(services, { ...about, ...notice, content: cancelledNotice(row, facts), files })
}
