import { readVisitIn } from '#server/booking/visits/read-visit.ts'
import { visitMac, visitUrl } from '#server/booking/visits/visit-link.ts'
import type { Services } from '#server/context.ts'
import { sendEmail } from '#server/messages/send-email.ts'
import { isOfUse } from './rules.ts'
import { type BatchRow, listBatch } from './store.ts'
import { type Reminded, reminderEmail } from './templates.ts'
import { unsubscribeToken, unsubscribeUrl } from './unsubscribe.ts'

/** Whether a reminder still holds: much may have happened since it was written. */
function holds(row: BatchRow, now: number): boolean {
  if (row.erased_at !== null || row.state !== 'confirmed') return false
  if (row.start_at !== row.told_start || row.start_at <= now) return false
  if ((row[row.kind] ?? 1) === 0) return false
  return isOfUse({ kind: row.kind, startAt: row.start_at, dueAt: row.due_at }, now)
}

/**
 * Emails a patient about the visits of one day that they still have and still want to be reminded of;
 * sends nothing when there is none.
 */
export async function deliverReminder(
  services: Services,
  errand: { batch: string; deliveryId: string },
): Promise<void> {
  const { config, database, now } = services
  const rows = (await listBatch(database.db, errand.batch)).filter((row) => holds(row, now()))
  const [first] = rows
  if (first === undefined) return
  const linkOf = (row: BatchRow) => {
    return { visitId: row.booking_id, userId: row.user_id, email: row.email }
  }
  const found = await Promise.all(
    rows.map(async (row) => {
      const visit = await readVisitIn(database.db, row.booking_id, now())
      return visit === null ? null : { ...visit, url: visitUrl(services, linkOf(row)) }
    }),
  )
  const visits = found.filter((visit): visit is Reminded => visit !== null)
  const macs = rows.map((row) => visitMac(services, linkOf(row)))
  const owner = { id: first.user_id, email: first.email }
  await sendEmail(services, {
    deliveryId: errand.deliveryId,
    to: first.email,
    userId: first.user_id,
    secrets: [unsubscribeToken(services, owner), ...macs],
    unsubscribe: unsubscribeUrl(services, owner),
    content: reminderEmail(visits, {
      firstName: first.first_name,
      isDiscreet: first.discreet === 1,
      unsubscribe: unsubscribeUrl(services, owner),
      site: config.publicUrl,
      supportEmail: config.supportEmail,
    }),
  })
}
