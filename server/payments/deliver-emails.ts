import { formatExactMoney } from '#contract/money.ts'
import type { Services } from '#server/context.ts'
import { sendEmail } from '#server/messages/send-email.ts'
import { listTold } from '#server/payments/books/compare-store.ts'
import { findRefund } from '#server/payments/refunds/refund-store.ts'
import { findByPublicId, getPayer, getReference } from './store.ts'
import { alertEmail, differencesEmail, notTakenEmail, refundEmail } from './templates.ts'

/** Mails the patient that their money is on its way back, unless they erased their account. */
export async function deliverRefundEmails(
  services: Services,
  { refundId, deliveryId }: { refundId: string; deliveryId: string },
): Promise<void> {
  const { db } = services.database
  const refund = await findRefund(db, refundId)
  if (refund === undefined) throw new Error('The refund of an email is not there.')
  const payer = await getPayer(db, refund.patient_no)
  if (payer.erased_at !== null) return
  await sendEmail(services, {
    deliveryId,
    to: payer.email,
    userId: payer.id,
    secrets: [],
    content: refundEmail({
      firstName: payer.first_name,
      amount: formatExactMoney({ minor: refund.amount_minor, currency: refund.currency }),
      via: refund.gateway,
      reason: refund.reason,
      reference: refund.reference,
      supportEmail: services.config.supportEmail,
    }),
  })
}

/** Tells the patient that a wallet payment was not taken after all, unless they erased their account. */
export async function deliverNotTaken(
  services: Services,
  { paymentId, deliveryId }: { paymentId: string; deliveryId: string },
): Promise<void> {
  const { db } = services.database
  const payment = await findByPublicId(db, paymentId)
  if (payment === undefined) throw new Error('The payment of an email is not there.')
  const payer = await getPayer(db, payment.patient_no)
  if (payer.erased_at !== null) return
  await sendEmail(services, {
    deliveryId,
    to: payer.email,
    userId: payer.id,
    secrets: [],
    content: notTakenEmail({
      firstName: payer.first_name,
      reference: await getReference(db, payment.booking_no),
      site: services.config.publicUrl,
      supportEmail: services.config.supportEmail,
    }),
  })
}

/** Mails staff about a payment that needs a person. */
export async function deliverAlertEmails(
  services: Services,
  alert: { paymentId: string; what: 'mismatch' | 'refund_failed'; deliveryId: string },
): Promise<void> {
  await sendEmail(services, {
    deliveryId: alert.deliveryId,
    to: services.config.supportEmail,
    userId: null,
    secrets: [],
    content: alertEmail(alert),
  })
}

/** Mails staff what the daily comparison laid aside. */
export async function deliverDifferences(
  services: Services,
  { toldAt, deliveryId }: { toldAt: number; deliveryId: string },
): Promise<void> {
  const told = await listTold(services.database.db, toldAt)
  await sendEmail(services, {
    deliveryId,
    to: services.config.supportEmail,
    userId: null,
    secrets: [],
    content: differencesEmail(
      told.map(({ kind, gateway, object, payment_id, amount_minor, currency, details }) => ({
        kind,
        gateway,
        object,
        paymentId: payment_id,
        details,
        // Money nobody asked for may be of a currency without pence.
        amount: `${(amount_minor / 100).toFixed(2)} ${currency}`,
      })),
    ),
  })
}
