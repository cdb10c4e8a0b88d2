import type { PaymentDetail, StaffPayment, StaffPaymentInput } from '#contract/payments-staff.ts'
import { staffRefusal } from '#contract/staff.ts'
import { toIso } from '#contract/time.ts'
import { stateName } from '#contract/us-states.ts'
import type { RefundRow } from '#db/tables/payments.ts'
import type { AsStaff, Context } from '#server/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import {
  receivedAmount,
  refundableOf,
  refundedMinor,
} from '#server/payments/refunds/refund-rules.ts'
import type { Payment } from '#server/payments/store.ts'
import {
  findStaffVisit,
  listChangesOf,
  listEmailsAbout,
  listEventsOf,
  listPaymentsOf,
  listRefundsOfAll,
  listStaffNames,
  type StaffVisit,
} from './staff-store.ts'
import { type Facts, timelineOf, withoutPeople } from './timeline-rules.ts'

async function readFacts({ database: { db } }: Context, visit: StaffVisit): Promise<Facts> {
  const payments = await listPaymentsOf(db, visit.no)
  const refunds = await listRefundsOfAll(
    db,
    payments.map(({ no }) => no),
  )
  const named = [
    ...payments.flatMap((one) => [one.gw_session, one.gw_payment]),
    ...refunds.map((one) => one.gw_refund),
  ]
  const changes = await listChangesOf(db, visit.no)
  const people = [
    ...changes.map((one) => one.by_id),
    ...refunds.flatMap((one) => [one.actor_id, one.dealt_by]),
    ...payments.map((one) => one.decided_by),
  ]
  const known = (ids: (string | null)[]) => [...new Set(ids.filter((id) => id !== null))]
  const [events, emails, staff] = await Promise.all([
    listEventsOf(db, known(named)),
    listEmailsAbout(db, visit),
    listStaffNames(db, known(people)),
  ])
  return { visit, payments, refunds, events, emails, changes, staff }
}

function detailOf(payment: Payment, all: readonly RefundRow[]): PaymentDetail {
  const refunds = all.filter((one) => one.payment_no === payment.no)
  const taken = receivedAmount(payment)
  return {
    id: payment.id,
    gateway: payment.gateway,
    state: payment.state,
    amount: { minor: payment.amount_minor, currency: payment.currency },
    taken: payment.taken_minor === null ? null : taken,
    refunded: { minor: refundedMinor(refunds), currency: taken.currency },
    refundable: refundableOf(payment, refunds),
    session: payment.gw_session,
    reference: payment.gw_payment,
    startedAt: toIso(payment.created_at),
  }
}

function namesOf(visit: StaffVisit) {
  const user = [visit.user_first_name, visit.user_last_name].filter(Boolean).join(' ')
  const doctor = [visit.title, visit.first_name, visit.last_name].filter(Boolean).join(' ')
  const isErased = visit.user_erased_at !== null
  return { user_name: isErased || user === '' ? null : user, doctor_name: doctor || null }
}

/** One visit and its payments as far as the viewer may see them. */
export async function readStaffPayment(ctx: AsStaff, id: string): Promise<StaffPayment> {
  const visit = await findStaffVisit(ctx.database.db, id)
  if (visit === undefined) throw new AppError('not_found')
  const facts = await readFacts(ctx, visit)
  const mayName = staffRefusal('seeNames', ctx.viewer.role) === null
  const timeline = timelineOf(facts)
  return {
    id: visit.id,
    reference: visit.reference,
    ...(mayName ? namesOf(visit) : { user_name: null, doctor_name: null }),
    doctor_region: visit.region,
    state: visit.state,
    startsAt: toIso(visit.start_at),
    endsAt: toIso(visit.end_at),
    timeZone: visit.time_zone,
    typeOfVisit: visit.visit_type,
    typeName: visit.type_name,
    mode: visit.mode,
    patientState: mayName ? stateName(visit.patient_state) : null,
    isComing: visit.state === 'confirmed' && visit.start_at > ctx.now(),
    payments: facts.payments.map((payment) => detailOf(payment, facts.refunds)),
    timeline: mayName ? timeline : withoutPeople(timeline),
  }
}

/**
 * One visit and everything that happened to its money; an audit entry says who read whose. Excludes the
 * reason for the visit.
 */
export async function staffPayment(ctx: AsStaff, input: StaffPaymentInput): Promise<StaffPayment> {
  const payment = await readStaffPayment(ctx, input.id)
  if (payment.user_name !== null) {
    await ctx.record({ action: 'payment.names_read', entity: payment.id, details: { rows: 1 } })
  }
  return payment
}
