import { dateFormat, timeZoneLabel } from '#contract/base/intl.ts'
import { fullName } from '#contract/base/person-names.ts'
import { LossReason } from '#contract/verification.ts'
import { greetingName } from '#server/auth/emails.ts'
import type { Services } from '#server/context.ts'
import { isErasedAddress } from '#server/kernel/email-address.ts'
import type { OutboxJob } from '#server/kernel/outbox-topics.ts'
import { sendEach, sendEmail } from '#server/messages/send-email.ts'
import { findClaim, findRequest } from './evidence-store.ts'
import { findProof } from './registrant/proof-store.ts'
import { findCheck, listUpcomingVisits } from './store.ts'
import {
  acceptedCompanyEmail,
  codeEmail,
  informationRequestEmail,
  offeredEmail,
  refusedCompanyEmail,
  refusedEmail,
  refusedProofEmail,
  statusLostEmail,
  statusLostNotice,
  verifiedEmail,
} from './templates.ts'

/** Emails a provider the decision about them. */
export async function deliverDecision(
  services: Services,
  job: OutboxJob<'verification.decided'>,
): Promise<void> {
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
    topic: 'verification.decided',
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

/** "2 March 2026 at 09:00 (London time)": in the clinic's local time. */
function whenText(instant: number, timeZone: string): string {
  const format = dateFormat('en-GB', {
    timeZone,
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
  })
  return `${format.format(instant)} (${timeZoneLabel(timeZone)})`
}

/** Emails the provider who lost their registration status, and staff with the visits still booked. */
export async function deliverStatusLost(
  services: Services,
  job: OutboxJob<'verification.lost'>,
): Promise<void> {
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
  await sendEach(
    () =>
      sendEmail(services, {
        topic: 'verification.lost',
        deliveryId: job.deliveryId,
        to: check.email,
        userId: check.user_id,
        secrets: [],
        content: statusLostEmail(facts, visits),
      }),
    () =>
      sendEmail(services, {
        topic: 'verification.lost',
        deliveryId: `${job.deliveryId}-staff`,
        to: config.supportEmail,
        // Its record names the provider, and goes with their account.
        userId: check.user_id,
        secrets: [],
        content: statusLostNotice({ ...facts, providerId: check.provider_id }, visits),
      }),
  )
}

/** Emails a provider what staff request from them. */
export async function deliverRequest(
  services: Services,
  job: OutboxJob<'verification.asked'>,
): Promise<void> {
  const { config, database } = services
  const request = await findRequest(database.db, job.requestId)
  // The provider erased their account meanwhile.
  if (request === undefined || isErasedAddress(request.email)) return
  await sendEmail(services, {
    topic: 'verification.asked',
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

/**
 * Emails a provider the decision about their company, unless a later one has replaced it, which has an email
 * of its own.
 */
export async function deliverCompany(
  services: Services,
  job: OutboxJob<'company.decided'>,
): Promise<void> {
  const { config, database } = services
  const claim = await findClaim(database.db, job.claimId)
  if (claim === undefined || isErasedAddress(claim.email)) return
  if (claim.state !== job.decision) return
  const facts = {
    name: claim.first_name,
    company: claim.company_name,
    site: config.publicUrl,
    supportEmail: config.supportEmail,
  }
  await sendEmail(services, {
    topic: 'company.decided',
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

async function load({ config, database }: Services, id: string) {
  const proof = await findProof(database.db, id)
  // The provider erased their account meanwhile.
  if (proof === undefined || isErasedAddress(proof.email)) return null
  return {
    ...proof,
    facts: {
      name: greetingName(proof.first_name),
      body: proof.body,
      number: proof.claimed_number,
      site: config.publicUrl,
      supportEmail: config.supportEmail,
    },
  }
}

/** Emails a provider that a code can be sent to a published address. */
export async function deliverOffered(
  services: Services,
  job: OutboxJob<'proof.offered'>,
): Promise<void> {
  const proof = await load(services, job.proofId)
  if (proof === null || proof.state !== 'waiting') return
  const address = { email: proof.published_email ?? '', source: proof.source ?? '' }
  await sendEmail(services, {
    topic: 'proof.offered',
    deliveryId: job.deliveryId,
    to: proof.email,
    userId: proof.user_id,
    secrets: [],
    content: offeredEmail({ ...proof.facts, ...address }),
  })
}

/** Emails a code to the published address, unless that was replaced since. */
export async function deliverProofCode(
  services: Services,
  job: OutboxJob<'proof.code'>,
): Promise<void> {
  const proof = await load(services, job.proofId)
  if (proof === null || proof.state !== 'waiting' || proof.published_email === null) return
  const code = services.secrets.open('mail', job.secret)
  await sendEmail(services, {
    topic: 'proof.code',
    deliveryId: job.deliveryId,
    to: proof.published_email,
    userId: proof.user_id,
    secrets: [code],
    content: codeEmail({
      ...proof.facts,
      person: greetingName(fullName(proof.first_name, proof.last_name)),
      source: proof.source ?? '',
      code,
    }),
  })
}

/** Emails a provider why staff refused a proof. */
export async function deliverProofRefused(
  services: Services,
  job: OutboxJob<'proof.refused'>,
): Promise<void> {
  const proof = await load(services, job.proofId)
  if (proof === null || proof.state !== 'refused') return
  await sendEmail(services, {
    topic: 'proof.refused',
    deliveryId: job.deliveryId,
    to: proof.email,
    userId: proof.user_id,
    secrets: [],
    content: refusedProofEmail({
      ...proof.facts,
      kind: proof.kind,
      reason: proof.reason ?? '',
    }),
  })
}
