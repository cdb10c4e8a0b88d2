import type { Visit, VisitFacts } from '#contract/booking.ts'
import { toIso } from '#contract/time.ts'
import { specialtyByNo } from '#db/reference/specialties.ts'
import { priceOf, shownName } from './rules.ts'
import type { VisitRow } from './visit-store.ts'

/** Who is visited, where and when. */
export function factsOf(row: VisitRow): VisitFacts {
  return {
    id: row.id,
    provider: {
      id: row.provider_id,
      name: shownName(row),
      specialty: specialtyByNo(row.specialty_no).name[row.region],
      photo: row.photo,
      phone: row.place_phone ?? row.provider_phone,
    },
    region: row.region,
    place: {
      name: row.place_name,
      address: [row.address, row.locality].filter(Boolean).join(', '),
      postcode: row.postcode,
      latitude: row.latitude,
      longitude: row.longitude,
    },
    startsAt: toIso(row.start_at),
    endsAt: toIso(row.end_at),
    timeZone: row.time_zone,
    distance: row.distance,
    cancellation: { freeHours: row.free_cancel_hours, latePercent: row.late_cancel_percent },
  }
}

/** A visit as its patient sees it. */
export function visitOf(row: VisitRow): Visit {
  const price = priceOf(row, row.visit_type)
  return {
    ...factsOf(row),
    state: row.state === 'cancelled' ? 'cancelled' : 'confirmed',
    typeOfVisit: row.visit_type,
    purposeForVisit: row.purpose,
    // What was paid; the price of a row is frozen, so this is the price of that day as well.
    fee: { minor: row.paid_minor ?? price.minor, currency: price.currency },
    paymentMethod: row.payment_method,
    bookedAt: toIso(row.confirmed_at ?? row.created_at),
  }
}
