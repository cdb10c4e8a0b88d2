import { calendarEmailFile } from '#server/booking/visits/calendar-file.ts'
import type { Services } from '#server/context.ts'
import { sendEmail } from '#server/messages/send-email.ts'
import type { EmailContent } from '#server/messages/templates.ts'
import { openWhy } from './cancel-why.ts'
import { type DeskEvent, eventOf, openEvent } from './desk-event.ts'
import { type DeskRow, findAnyDesk } from './desk-store.ts'
import { deskBookedEmail, deskCancelledEmail, deskMovedEmail } from './desk-templates.ts'

type Errand = { deskId: string; deliveryId: string }

async function getDesk({ database }: Services, id: string): Promise<DeskRow> {
  const row = await findAnyDesk(database.db, id)
  if (row === undefined) throw new Error('The desk visit of an email is not there.')
  return row
}

type Mail = { deliveryId: string; content: EmailContent; method: 'REQUEST' | 'CANCEL' }

/** Whoever was put in is no account: of what is kept of the email nothing names them. */
async function mail(services: Services, event: DeskEvent, mailing: Mail): Promise<void> {
  const { deliveryId, content, method } = mailing
  const { patient_email: to, patient_name: name } = event
  if (to === '') return
  await sendEmail(services, {
    deliveryId,
    to,
    content,
    secrets: [to, name],
    userId: null,
    files: [calendarEmailFile(event, { config: services.config, method, hasNoAccount: true })],
  })
}

/** Tells whoever was put in with an address, with the visit as a calendar file; not once it was called off. */
export async function deliverDeskBooked(services: Services, errand: Errand): Promise<void> {
  const row = await getDesk(services, errand.deskId)
  if (row.state === 'cancelled') return
  const event = eventOf(services, row)
  const content = deskBookedEmail(event, services.config)
  await mail(services, event, { deliveryId: errand.deliveryId, content, method: 'REQUEST' })
}

/** Tells them that it has moved; not where it was moved again or called off since. */
export async function deliverDeskMoved(
  services: Services,
  errand: Errand & { sequence: number },
): Promise<void> {
  const row = await getDesk(services, errand.deskId)
  if (row.state === 'cancelled' || row.sequence !== errand.sequence) return
  const event = eventOf(services, row)
  const content = deskMovedEmail(event, services.config)
  await mail(services, event, { deliveryId: errand.deliveryId, content, method: 'REQUEST' })
}

/** Tells them that it is called off, with a file that takes it out of their calendar. */
export async function deliverDeskCancelled(
  services: Services,
  errand: Errand & {
    /** What the email says, encrypted, where its provider has left and nothing else is kept. */
    told: string | null
    /** The reason and what was written to them, encrypted; null where none was given. */
    why: string | null
  },
): Promise<void> {
  const event =
    errand.told === null
      ? eventOf(services, await getDesk(services, errand.deskId))
      : openEvent(services, errand.told)
  const why = errand.why === null ? null : openWhy(services, errand.why)
  const content = deskCancelledEmail(event, services.config, why)
  await mail(services, event, { deliveryId: errand.deliveryId, content, method: 'CANCEL' })
}
