import { dateFormat } from '#contract/intl.ts'
import { LossReason } from '#contract/verification.ts'
import type { Services } from '#server/context.ts'
import { isErasedAddress } from '#server/kernel/email-address.ts'
import { sendEmail } from '#server/messages/send-email.ts'
import { findClaim, findRequest } from './evidence-store.ts'
import { findCheck, listUpcomingVisits } from './store.ts'
import {
  acceptedCompanyEmail,
  informationRequestEmail,
  refusedCompanyEmail,
  refusedEmail,
  statusLostEmail,
  statusLostNotice,
  verifiedEmail,
} from './templates.ts'

type DecisionJob = { checkId: string; deliveryId: string }

/** Emails a provider the decision about them. */
export async function deliverDecision(services: Services, job: DecisionJob): Promise<void> {
  const { config, database } = services
  const check = await findCheck(database.db, job.checkId)
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
    deliveryId: job.deliveryId,
    to: check.email,
    userId: check.user_id,
    secrets: [],
    content:
      check.decision === 'Verified'
        ? verifiedEmail(facts)
        : refusedEmail(facts, check.reason ?? ''),
  })
}

type LostJob = { checkId: string; deliveryId: string }

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
export async function deliverStatusLost(services: Services, job: LostJob): Promise<void> {
  const { config, database } = services
  const check = await findCheck(database.db, job.checkId)
  // The provider erased their account meanwhile.
  if (check === undefined || isErasedAddress(check.email)) return
  const upcoming = await listUpcomingVisits(database.db, check.provider_no, services.now())
  const visits = upcoming.map((visit) => ({
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
    deliveryId: job.deliveryId,
    to: check.email,
    userId: check.user_id,
    secrets: [],
    content: statusLostEmail(facts, visits),
  })
  await sendEmail(services, {
    deliveryId: `${job.deliveryId}-staff`,
    to: config.supportEmail,
    userId: null,
    secrets: [],
    content: statusLostNotice({ ...facts, providerId: check.provider_id }, visits),
  })
}

/** Emails a provider what staff request from them. */
export async function deliverRequest(
  services: Services,
  job: { requestId: string; deliveryId: string },
): Promise<void> {
  const { config, database } = services
  const request = await findRequest(database.db, job.requestId)
  // The provider erased their account meanwhile.
  if (request === undefined || isErasedAddress(request.email)) return
  await sendEmail(services, {
    deliveryId: job.deliveryId,
    to: request.email,
    userId: request.user_id,
    secrets: [],
    content: informationRequestEmail({
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
  job: { claimId: string; deliveryId: string },
): Promise<void> {
  const { config, database } = services
  const claim = await findClaim(database.db, job.claimId)
  if (claim === undefined || isErasedAddress(claim.email)) return
  const facts = {
    name: claim.first_name,
    company: claim.company_name,
    site: config.publicUrl,
    supportEmail: config.supportEmail,
  }
  await sendEmail(services, {
    deliveryId: job.deliveryId,
    to: claim.email,
    userId: claim.user_id,
    secrets: [],
    content:
      claim.state === 'accepted'
        ? acceptedCompanyEmail(facts)
        : refusedCompanyEmail(facts, claim.reason ?? ''),
  })
}
