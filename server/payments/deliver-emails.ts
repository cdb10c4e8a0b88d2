import { formatExactMoney } from '#contract/base/money.ts'
import { shownName } from '#contract/base/person-names.ts'
import type { Db } from '#db/engine.ts'
import { clinicTime } from '#server/booking/templates.ts'
import type { Services } from '#server/context.ts'
import { isErasedAddress } from '#server/kernel/email-address.ts'
import type { OutboxJob } from '#server/kernel/outbox-topics.ts'
import { sendEmail } from '#server/messages/send-email.ts'
import type { EmailContent } from '#server/messages/templates.ts'
import { listReported } from '#server/payments/reconciliation/reconciliation-store.ts'
import { findRefund } from './refunds/refund-store.ts'
import { findByPublicId, getPayer, getVisitOf } from './store.ts'
import {
  alertEmail,
  differencesEmail,
  notChargedEmail,
  type PaidVisit,
  refundEmail,
} from './templates.ts'

type ToPayer = {
  topic: 'payment.refunded' | 'payment.not_taken'
  patientNo: number
  deliveryId: string
  content: (firstName: string) => EmailContent
}

/** Emails the payer, unless they erased their account. */
async function emailPayer(services: Services, email: ToPayer): Promise<void> {
  const payer = await getPayer(services.database.db, email.patientNo)
  if (payer.erased_at !== null) return
  await sendEmail(services, {
    topic: email.topic,
    deliveryId: email.deliveryId,
    to: payer.email,
    userId: payer.id,
    secrets: [],
    content: email.content(payer.first_name),
  })
}

/** The visit as emails about its payment name it. */
async function visitOf(db: Db, bookingNo: number): Promise<PaidVisit> {
  const row = await getVisitOf(db, bookingNo)
  return {
    when: clinicTime(row.start_at, row),
    providerName: isErasedAddress(row.provider_email) ? null : shownName(row),
    reference: row.reference,
  }
}

/** Emails the patient that their refund is on its way, unless they erased their account. */
export async function deliverRefundEmails(
  services: Services,
  { refundId, deliveryId }: OutboxJob<'payment.refunded'>,
): Promise<void> {
  const { db } = services.database
  const refund = await findRefund(db, refundId)
  if (refund === undefined) throw new Error('The refund of an email does not exist.')
  const visit = await visitOf(db, refund.booking_no)
  await emailPayer(services, {
    topic: 'payment.refunded',
    patientNo: refund.patient_no,
    deliveryId,
    content: (firstName) =>
      refundEmail({
        firstName,
        amount: formatExactMoney({ minor: refund.amount_minor, currency: refund.currency }),
        via: refund.gateway,
        reason: refund.payment_reason === 'refunded' ? 'rest' : refund.reason,
        visit,
        receipt: `${services.config.publicUrl}/receipt/${refund.payment_id}`,
        supportEmail: services.config.supportEmail,
      }),
  })
}

/** Emails the patient that a wallet payment was not taken, unless they erased their account. */
export async function deliverNotCharged(
  services: Services,
  { paymentId, deliveryId }: OutboxJob<'payment.not_taken'>,
): Promise<void> {
  const { db } = services.database
  const payment = await findByPublicId(db, paymentId)
  if (payment === undefined) throw new Error('The payment of an email does not exist.')
  const visit = await visitOf(db, payment.booking_no)
  const isDeclined = payment.reason === 'declined'
  const { publicUrl: site, supportEmail } = services.config
  await emailPayer(services, {
    topic: 'payment.not_taken',
    patientNo: payment.patient_no,
    deliveryId,
    content: (firstName) => notChargedEmail({ firstName, isDeclined, visit, site, supportEmail }),
  })
}

/** Emails staff about a payment that needs attention. */
export async function deliverAlertEmails(
  services: Services,
  alert: OutboxJob<'payment.alert'>,
): Promise<void> {
  await sendEmail(services, {
    topic: 'payment.alert',
    deliveryId: alert.deliveryId,
    to: services.config.supportEmail,
    userId: null,
    secrets: [],
    content: alertEmail({ ...alert, site: services.config.publicUrl }),
  })
}

/** Emails staff the differences that the daily comparison found. */
export async function deliverDifferences(
  services: Services,
  { toldAt, deliveryId }: OutboxJob<'payment.differences'>,
): Promise<void> {
  const reported = await listReported(services.database.db, toldAt)
  await sendEmail(services, {
    topic: 'payment.differences',
    deliveryId,
    to: services.config.supportEmail,
    userId: null,
    secrets: [],
    content: differencesEmail(
      reported.map(({ kind, gateway, object, payment_id, amount_minor, currency, details }) => ({
        kind,
        gateway,
        object,
        paymentId: payment_id,
        details,
        // Money without a payment of ours may be in a currency without minor units.
        amount: `${(amount_minor / 100).toFixed(2)} ${currency}`,
      })),
      services.config.publicUrl,
    ),
  })
}
