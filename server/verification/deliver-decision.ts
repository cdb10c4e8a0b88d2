import type { Services } from '#server/context.ts'
import { isErasedAddress } from '#server/kernel/erased.ts'
import { sendLetter } from '#server/messages/send-letter.ts'
import { findCheck } from './store.ts'
import { refusedLetter, verifiedLetter } from './templates.ts'

type Errand = { checkId: string; deliveryId: string }

/** Mails a provider what staff decided about them. */
export async function deliverDecision(services: Services, errand: Errand): Promise<void> {
  const { config, database } = services
  const check = await findCheck(database.db, errand.checkId)
  // The provider erased their account meanwhile.
  if (check === undefined || isErasedAddress(check.email)) return
  const facts = {
    name: `${check.first_name} ${check.last_name}`,
    body: check.body,
    number: check.claimed_number,
    site: config.publicUrl,
    supportEmail: config.supportEmail,
  }
  await sendLetter(services, {
    deliveryId: errand.deliveryId,
    to: check.email,
    userId: check.user_id,
    secrets: [],
    letter:
      check.decision === 'Verified'
        ? verifiedLetter(facts)
        : refusedLetter(facts, check.reason ?? ''),
  })
}
