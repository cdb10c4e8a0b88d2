import type { Services } from '#server/context.ts'
import { isErasedAddress } from '#server/kernel/erased.ts'
import { sendLetter } from '#server/messages/send-letter.ts'
import { findClaim, findRequest } from './evidence-store.ts'
import { acceptedCompanyLetter, askedLetter, refusedCompanyLetter } from './staff-templates.ts'

/** Mails a provider what staff ask them for. */
export async function deliverRequest(
  services: Services,
  errand: { requestId: string; deliveryId: string },
): Promise<void> {
  const { config, database } = services
  const request = await findRequest(database.db, errand.requestId)
  // The provider erased their account meanwhile.
  if (request === undefined || isErasedAddress(request.email)) return
  await sendLetter(services, {
    deliveryId: errand.deliveryId,
    to: request.email,
    userId: request.user_id,
    secrets: [],
    letter: askedLetter({
      name: `${request.first_name} ${request.last_name}`,
      body: request.body,
      number: request.membership_number,
      what: request.what,
      site: config.publicUrl,
      supportEmail: config.supportEmail,
    }),
  })
}

/** Mails a provider what staff decided about their company. */
export async function deliverCompany(
  services: Services,
  errand: { claimId: string; deliveryId: string },
): Promise<void> {
  const { config, database } = services
  const claim = await findClaim(database.db, errand.claimId)
  if (claim === undefined || isErasedAddress(claim.email)) return
  const facts = {
    name: `${claim.first_name} ${claim.last_name}`,
    company: claim.company_name,
    site: config.publicUrl,
    supportEmail: config.supportEmail,
  }
  await sendLetter(services, {
    deliveryId: errand.deliveryId,
    to: claim.email,
    userId: claim.user_id,
    secrets: [],
    letter:
      claim.state === 'accepted'
        ? acceptedCompanyLetter(facts)
        : refusedCompanyLetter(facts, claim.reason ?? ''),
  })
}
