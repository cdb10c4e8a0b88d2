import { shownName } from '#contract/base/person-names.ts'
import { toIso } from '#contract/base/time.ts'
import type { Receipt, ReceiptInput } from '#contract/payments-history.ts'
import { specialtyByNo } from '#db/reference/specialties.ts'
import type { RefundRow } from '#db/tables/payments.ts'
import type { SignedIn } from '#server/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import { listRefundsOfAll } from '#server/payments/refunds/refund-store.ts'
import { receivedAmount, refundedMinor } from '#server/payments/rules.ts'
import { findReceipt, type ReceiptRow } from './staff-store.ts'

function visitOf(row: ReceiptRow): Receipt['visit'] {
  if (row.paid_by !== row.no) return 'none'
  return row.visit_state === 'cancelled' ? 'cancelled' : 'booked'
}

/**
 * When the booking was confirmed with it; for money that booked nothing, or that staff accepted later, when
 * the payment was started.
 */
function paidAt(row: ReceiptRow): number {
  const isBooked = row.paid_by === row.no && row.decided_at === null
  return (isBooked ? row.confirmed_at : null) ?? row.created_at
}

function patientOf(row: ReceiptRow): string | null {
  if (row.patient_erased_at !== null) return null
  return [row.patient_first_name, row.patient_last_name].filter(Boolean).join(' ')
}

function refundsOf(refunds: readonly RefundRow[], currency: string): Receipt['refunds'] {
  return refunds
    .filter(({ state }) => state !== 'failed')
    .map((refund) => {
      const isDone = refund.state === 'done'
      return {
        amount: { minor: refund.amount_minor, currency: refund.currency ?? currency },
        at: toIso(isDone ? refund.updated_at : refund.created_at),
        isDone,
      }
    })
}

/**
 * The receipt of a payment, for its payer and for staff who may see names; staff access is audited.
 * `not_found` for another patient's payment, or one whose money never came in.
 */
export async function readReceipt(ctx: SignedIn, input: ReceiptInput): Promise<Receipt> {
  const isStaff = ctx.viewer.kind === 'staff'
  const { db } = ctx.database
  const patientNo = isStaff ? null : ctx.session.accountNo
  const row = await findReceipt(db, { id: input.paymentId, patientNo })
  if (row === undefined) throw new AppError('not_found')
  const refunds = await listRefundsOfAll(db, [row.no])
  const paid = receivedAmount(row)
  if (isStaff) {
    await ctx.record({ action: 'payment.names_read', entity: row.id, details: { rows: 1 } })
  }
  return {
    paymentId: row.id,
    reference: row.reference,
    patientName: patientOf(row),
    provider: {
      name: shownName(row),
      specialty: specialtyByNo(row.specialty_no).name[row.region],
    },
    place: {
      name: row.place_name,
      address: [row.address, row.locality].filter(Boolean).join(', '),
      postcode: row.postcode,
      latitude: row.latitude,
      longitude: row.longitude,
    },
    region: row.region,
    startsAt: toIso(row.start_at),
    endsAt: toIso(row.end_at),
    timeZone: row.time_zone,
    typeOfVisit: row.visit_type,
    typeName: row.type_name,
    mode: row.mode,
    visit: visitOf(row),
    method: row.gateway,
    paid,
    paidAt: toIso(paidAt(row)),
    refunds: refundsOf(refunds, row.currency),
    left: { minor: paid.minor - refundedMinor(refunds), currency: paid.currency },
  }
}
