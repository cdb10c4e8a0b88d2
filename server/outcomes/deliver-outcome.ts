import { formatExactMoney } from '#contract/money.ts'
import { ANSWER_WITHIN_MS } from '#contract/outcomes.ts'
import { contestUntil, keptOfNoShow } from '#server/booking/outcome-rules.ts'
import { shownName } from '#server/booking/rules.ts'
import { clinicTime } from '#server/booking/templates.ts'
import type { Services } from '#server/context.ts'
import { sendEmail } from '#server/messages/send-email.ts'
import { type ClaimRow, findClaim, findMarked } from './store.ts'
import { claimDecidedEmail, claimMadeEmail, noShowEmail } from './templates.ts'

function siteOf({ config }: Services) {
  return { site: config.publicUrl, supportEmail: config.supportEmail }
}

/** Tells a patient that they were marked as absent, unless that was taken back since. */
export async function deliverNoShow(
  services: Services,
  errand: { bookingId: string; deliveryId: string },
): Promise<void> {
  const row = await findMarked(services.database.db, errand.bookingId)
  if (row === undefined || row.patient_erased_at !== null) return
  const until = contestUntil(row)
  if (until === null) return
  const kept = keptOfNoShow(row)
  const money = (minor: number) =>
    minor > 0 ? formatExactMoney({ minor, currency: row.currency }) : null
  await sendEmail(services, {
    deliveryId: errand.deliveryId,
    to: row.patient_email,
    userId: row.patient_id,
    secrets: [],
    content: noShowEmail({
      ...siteOf(services),
      firstName: row.patient_first_name,
      visit: { ...row, providerName: shownName(row) },
      kept: money(kept),
      refund: money((row.paid_minor ?? 0) - kept),
      until: clinicTime(until, row),
      isDiscreet: row.discreet === 1,
    }),
  })
}

function told(row: ClaimRow) {
  return { ...row, id: row.visit_id, providerName: shownName(row) }
}

type Errand = { claimId: string; deliveryId: string }

/** Tells a provider that a patient contests having been absent. */
export async function deliverClaimMade(services: Services, errand: Errand): Promise<void> {
  const row = await findClaim(services.database.db, errand.claimId)
  if (row === undefined || row.provider_email === '' || row.state !== 'open') return
  await sendEmail(services, {
    deliveryId: errand.deliveryId,
    to: row.provider_email,
    userId: row.patient_id,
    secrets: [],
    content: claimMadeEmail(told(row), {
      ...siteOf(services),
      firstName: row.first_name,
      says: row.says,
      until: clinicTime(row.created_at + ANSWER_WITHIN_MS, row),
    }),
  })
}

/** Tells both sides what became of a contested visit. */
export async function deliverClaimDecided(services: Services, errand: Errand): Promise<void> {
  const row = await findClaim(services.database.db, errand.claimId)
  if (row === undefined || row.state === 'open') return
  const site = siteOf(services)
  const decision = { ...site, outcome: row.outcome, isSettled: row.state === 'settled' }
  if (row.patient_erased_at === null) {
    await sendEmail(services, {
      deliveryId: errand.deliveryId,
      to: row.patient_email,
      userId: row.patient_id,
      secrets: [],
      content: claimDecidedEmail(told(row), {
        ...decision,
        firstName: row.patient_first_name,
        url: `${site.site}/userProfile`,
      }),
    })
  }
  // A provider who corrected it knows.
  if (row.provider_email === '' || row.state === 'settled') return
  await sendEmail(services, {
    deliveryId: `${errand.deliveryId}-provider`,
    to: row.provider_email,
    userId: row.patient_erased_at === null ? row.patient_id : null,
    secrets: [],
    content: claimDecidedEmail(told(row), {
      ...decision,
      firstName: row.first_name,
      url: `${site.site}/doctor/visits/${row.visit_id}`,
    }),
  })
}
