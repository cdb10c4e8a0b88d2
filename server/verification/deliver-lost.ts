import { dateFormat } from '#contract/intl.ts'
import { LossReason } from '#contract/verification.ts'
import type { Services } from '#server/context.ts'
import { isErasedAddress } from '#server/kernel/erased.ts'
import { sendLetter } from '#server/messages/send-letter.ts'
import { findCheck, listComingVisits } from './store.ts'
import { lostLetter, lostNotice } from './templates.ts'

type Errand = { checkId: string; deliveryId: string }

/** `2 March 2026, 09:00 Europe/London`: the clinic's own time. */
function whenText(instant: number, timeZone: string): string {
  const format = dateFormat('en-GB', {
    timeZone,
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
  })
  return `${format.format(instant)} (${timeZone})`
}

/** Mails the provider who lost their standing, and staff with the visits that are still booked. */
export async function deliverLost(services: Services, errand: Errand): Promise<void> {
  const { config, database } = services
  const check = await findCheck(database.db, errand.checkId)
  // The provider erased their account meanwhile.
  if (check === undefined || isErasedAddress(check.email)) return
  const coming = await listComingVisits(database.db, check.provider_no, services.now())
  const visits = coming.map((visit) => ({
    reference: visit.id,
    when: whenText(visit.start_at, visit.time_zone),
  }))
  const facts = {
    name: `${check.first_name} ${check.last_name}`,
    body: check.body,
    number: check.claimed_number,
    because: LossReason.parse(check.reason),
    statusText: check.status_text ?? '',
    registerName: check.answer_name ?? '',
    site: config.publicUrl,
    supportEmail: config.supportEmail,
  }
  await sendLetter(services, {
    deliveryId: errand.deliveryId,
    to: check.email,
    userId: check.user_id,
    secrets: [],
    letter: lostLetter(facts, visits),
  })
  await sendLetter(services, {
    deliveryId: `${errand.deliveryId}-staff`,
    to: config.supportEmail,
    userId: null,
    secrets: [],
    letter: lostNotice({ ...facts, providerId: check.provider_id }, visits),
  })
}
