import { dateFormat } from '#contract/intl.ts'
import { LossReason } from '#contract/verification.ts'
import type { Services } from '#server/context.ts'
import { isErasedAddress } from '#server/kernel/email-address.ts'
import { sendEmail } from '#server/messages/send-email.ts'
import { findClaim, findRequest } from './evidence-store.ts'
import { findCheck, listComingVisits } from './store.ts'
import {
  acceptedCompanyEmail,
  askedEmail,
  lostEmail,
  lostNotice,
  refusedCompanyEmail,
  refusedEmail,
  verifiedEmail,
} from './templates.ts'

type DecisionErrand = { checkId: string; deliveryId: string }

/** Emails a provider the decision about them. */
export async function deliverDecision(services: Services, errand: DecisionErrand): Promise<void> {
  const { config, database } = services
  const check = await findCheck(database.db, errand.checkId)
  // The provider erased their account meanwhile.
  if (check === undefined || isErasedAddress(check.email)) return
  const facts = {
    name: check.first_name,
    body: check.body,
    number: check.claimed_number,
    site: config.publicUrl,
    supportEmail: config.supportEmail,
  }
  await sendEmail(services, {
    deliveryId: errand.deliveryId,
    to: check.email,
    userId: check.user_id,
    secrets: [],
    content:
      check.decision === 'Verified'
        ? verifiedEmail(facts)
        : refusedEmail(facts, check.reason ?? ''),
  })
}

type LostErrand = { checkId: string; deliveryId: string }

/** `2 March 2026, 09:00 (Europe/London)`: in the clinic's local time. */
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

/** Emails the provider who lost their registration status, and staff with the visits still booked. */
export async function deliverLost(services: Services, errand: LostErrand): Promise<void> {
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
    name: check.first_name,
    body: check.body,
    number: check.claimed_number,
    because: LossReason.parse(check.reason),
    statusText: check.status_text ?? '',
    registerName: check.answer_name ?? '',
    site: config.publicUrl,
    supportEmail: config.supportEmail,
  }
  await sendEmail(services, {
    deliveryId: errand.deliveryId,
    to: check.email,
    userId: check.user_id,
    secrets: [],
    content: lostEmail(facts, visits),
  })
  await sendEmail(services, {
    deliveryId: `${errand.deliveryId}-staff`,
    to: config.supportEmail,
    userId: null,
    secrets: [],
    content: lostNotice({ ...facts, providerId: check.provider_id }, visits),
  })
}

/** Emails a provider what staff request from them. */
export async function deliverRequest(
  services: Services,
  errand: { requestId: string; deliveryId: string },
): Promise<void> {
  const { config, database } = services
  const request = await findRequest(database.db, errand.requestId)
  // The provider erased their account meanwhile.
  if (request === undefined || isErasedAddress(request.email)) return
  await sendEmail(services, {
    deliveryId: errand.deliveryId,
    to: request.email,
    userId: request.user_id,
    secrets: [],
    content: askedEmail({
      name: request.first_name,
      body: request.body,
      number: request.membership_number,
      what: request.what,
      about: request.about,
      site: config.publicUrl,
      supportEmail: config.supportEmail,
    }),
  })
}

/** Emails a provider the decision about their company. */
export async function deliverCompany(
  services: Services,
  errand: { claimId: string; deliveryId: string },
): Promise<void> {
  const { config, database } = services
  const claim = await findClaim(database.db, errand.claimId)
  if (claim === undefined || isErasedAddress(claim.email)) return
  const facts = {
    name: claim.first_name,
    company: claim.company_name,
    site: config.publicUrl,
    supportEmail: config.supportEmail,
  }
  await sendEmail(services, {
    deliveryId: errand.deliveryId,
    to: claim.email,
    userId: claim.user_id,
    secrets: [],
    content:
      claim.state === 'accepted'
        ? acceptedCompanyEmail(facts)
        : refusedCompanyEmail(facts, claim.reason ?? ''),
  })
}
