import { type VisitRef } from '#contract/booking.ts'
import { MAX_OTHER_VISITS, type ProviderVisit } from '#contract/booking-provider.ts'
import { toIso } from '#contract/time.ts'
import { stateName } from '#contract/us-states.ts'
import { wallClock } from '#db/columns.ts'
import { markingOf } from '#server/booking/outcome-rules.ts'
import { ageOn, priceOf } from '#server/booking/rules.ts'
import type { Context } from '#server/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import { ownProvider } from '#server/profiles/own-profile.ts'
import { movesOf } from './move-booking.ts'
import { declinedAt, proposalsLeft, proposalsOf } from './proposals.ts'
import {
  countOthers,
  findProviderVisit,
  listOthers,
  type ProviderVisitRow,
} from './provider-visits-store.ts'

function patientOf(row: ProviderVisitRow, today: string): ProviderVisit['patient'] {
  if (row.patient_erased_at !== null) return null
  return {
    name: [row.patient_first_name, row.patient_last_name].filter(Boolean).join(' '),
    email: row.patient_email,
    phone: row.patient_phone === '' ? null : row.patient_phone,
    age: row.date_of_birth === null ? null : ageOn(row.date_of_birth, today),
  }
}

function paymentOf(row: ProviderVisitRow): Pick<ProviderVisit, 'paid' | 'refunded' | 'refundable'> {
  const { currency, minor } = priceOf(row, row.visit_type)
  // Postgres returns integer sums as text.
  const refunded = Number(row.refunded_minor ?? 0)
  const paid = row.paid_minor ?? minor
  const left = Math.max(0, (row.taken_minor ?? paid) - refunded)
  return {
    refundable: { minor: left, currency },
    paid: { minor: paid, currency },
    refunded: refunded === 0 ? null : { minor: refunded, currency },
  }
}

/**
 * One of the viewer's visits, past or upcoming: the patient with contact details, their other visits here,
 * and the payment. The access is audited. `not_found` for visits of others and for bookings that never became
 * a visit.
 */
export async function readProviderVisit(ctx: Context, { id }: VisitRef): Promise<ProviderVisit> {
  const { db } = ctx.database
  const { no: providerNo } = await ownProvider(ctx, db)
  const row = await findProviderVisit(db, { id, providerNo })
  if (row === undefined) throw new AppError('not_found')
  const now = ctx.now()
  const patient = patientOf(row, toIso(wallClock(now, row.time_zone)).slice(0, 10))
  const same = { providerNo, patientNo: row.patient_no, exceptNo: row.no }
  // The visits of an erased patient are not linked to each other.
  const others = patient === null ? [] : await listOthers(db, same, MAX_OTHER_VISITS)
  const otherCount = patient === null ? 0 : await countOthers(db, same)
  await ctx.record({ action: 'visit.opened', entity: id })
  return {
    id: row.id,
    reference: row.reference,
    now: toIso(now),
    state: row.state === 'cancelled' ? 'cancelled' : 'confirmed',
    startsAt: toIso(row.start_at),
    endsAt: toIso(row.end_at),
    timeZone: row.time_zone,
    place: {
      name: row.place_name,
      address: [row.address, row.locality].filter(Boolean).join(', '),
      postcode: row.postcode,
    },
    mode: row.mode,
    patientState: stateName(row.patient_state),
    typeOfVisit: row.visit_type,
    typeName: row.type_name,
    followUpBasis: row.follow_up_basis,
    hasPurpose: row.purpose !== '',
    patient,
    others: others.map((one) => ({
      id: one.id,
      startsAt: toIso(one.start_at),
      timeZone: one.time_zone,
      state: one.state === 'cancelled' ? 'cancelled' : 'confirmed',
      typeOfVisit: one.visit_type,
      typeName: one.type_name,
    })),
    otherCount,
    ...paymentOf(row),
    marking: markingOf(row, now),
    paymentMethod: row.payment_method,
    bookedAt: toIso(row.confirmed_at ?? row.created_at),
    moves: (await movesOf(db, [row.no])).get(row.no) ?? [],
    proposed: (await proposalsOf(db, [row.no], now)).get(row.no) ?? null,
    proposalsLeft: await proposalsLeft(db, row.no),
    kept: await declinedAt(db, row.no),
  }
}
