import { referenceOf } from '#contract/ids.ts'
import { wallClock } from '#db/columns.ts'
import type { VisitChangeRow } from '#db/tables/booking.ts'
import type { MadeProvider } from '#tests/harness/people.ts'
import type { TestApp } from '#tests/harness/test-app.ts'

/** Who cancelled a visit. By default it was cancelled a moment ago with a full refund. */
export type CancelledBy = {
  by: VisitChangeRow['by_kind']
  /** Epoch milliseconds. */
  at?: number
  reason?: string
  keptMinor?: number
}

export type Booked = {
  patientNo: number
  /** ISO instant. */
  startsAt: string
  timeZone?: string
  region?: 'uk' | 'usa'
  method?: 'stripe' | 'paypal'
  minor?: number
  minutes?: number
  isFollowUp?: boolean
  mode?: 'in_person' | 'video'
  /** Two-letter US state the patient said they would be in. */
  patientState?: string
  state?: 'held' | 'confirmed' | 'cancelled'
  /** Who cancelled it; sets `state` to `cancelled`. */
  cancelled?: CancelledBy
  /** Marked as missed a moment ago. */
  isMissed?: boolean
  /** Who joined it by video, and when, in epoch milliseconds. */
  joins?: { by: 'patient' | 'provider'; at: number }[]
  /** The patient's objection to being marked as missed. */
  contested?: string
}

/** Inserts a visit at any time, past ones included, which cannot be booked. Returns its number and id. */
export async function writeBooked(testApp: TestApp, provider: MadeProvider, booked: Booked) {
  const { services, database } = testApp
  const { patientNo, region = 'uk', method = 'stripe', minor = 6_000 } = booked
  const { state = booked.cancelled === undefined ? 'confirmed' : 'cancelled' } = booked
  const { mode = 'in_person' } = booked
  const { minutes = 30, timeZone = region === 'uk' ? 'Europe/London' : 'America/New_York' } = booked
  const startAt = Date.parse(booked.startsAt)
  const at = services.now()
  const currency = region === 'uk' ? ('GBP' as const) : ('USD' as const)
  const type = booked.isFollowUp === true ? ('follow_up' as const) : ('first_visit' as const)
  const basis = booked.isFollowUp === true ? ('self_declared' as const) : null
  const id = services.newId('apt')
  const row = await database.db
    .insertInto('bookings')
    .values({
      id,
      reference: referenceOf(id),
      patient_no: patientNo,
      provider_no: provider.no,
      place_no: provider.placeNos[0] ?? 0,
      region,
      start_at: startAt,
      end_at: startAt + minutes * 60_000,
      time_zone: timeZone,
      wall_at: wallClock(startAt, timeZone),
      state: 'held',
      hold_until: at,
      pay_by: at,
      renewed: 0,
      visit_type: type,
      follow_up_basis: basis,
      mode,
      patient_state: booked.patientState ?? null,
      payment_method: method,
      purpose: 'A cough that will not go away',
      code_at: at,
      first_minor: minor,
      follow_minor: minor,
      currency,
      free_cancel_hours: 24,
      late_cancel_percent: 50,
      no_show_percent: 100,
      distance: null,
      paid_by: null,
      sequence: 0,
      created_at: at,
      confirmed_at: null,
      closed_at: null,
    })
    .returning(['no', 'id'])
    .executeTakeFirstOrThrow()
  if (state === 'held') return { ...row, paymentNo: null }
  const payment = await database.db
    .insertInto('payments')
    .values({
      id: services.newId('pay'),
      booking_no: row.no,
      patient_no: patientNo,
      gateway: method,
      state: 'paid',
      amount_minor: minor,
      currency,
      visit_type: type,
      follow_up_basis: basis,
      expires_at: at,
      gw_session: null,
      gw_payment: null,
      client_secret: null,
      reason: null,
      checked_at: at,
      created_at: at,
      updated_at: at,
    })
    .returning('no')
    .executeTakeFirstOrThrow()
  await database.db
    .updateTable('bookings')
    .set({
      state,
      paid_by: payment.no,
      confirmed_at: at,
      ...(booked.isMissed === true && { outcome: 'no_show' as const, outcome_at: at }),
    })
    .where('no', '=', row.no)
    .execute()
  if (booked.cancelled !== undefined) await writeCancelled(testApp, row.no, booked)
  await writeJoins(testApp, row.no, booked)
  if (booked.contested !== undefined) await writeClaim(testApp, row.no, booked.contested)
  return { ...row, paymentNo: payment.no }
}

async function writeCancelled(
  { services, database }: TestApp,
  bookingNo: number,
  { cancelled, startsAt, minor = 6_000 }: Booked,
) {
  const { by = 'patient', at = services.now(), reason = null, keptMinor = 0 } = cancelled ?? {}
  await database.db
    .insertInto('visit_changes')
    .values({
      booking_no: bookingNo,
      at,
      what: 'cancelled',
      by_kind: by,
      by_id: null,
      sequence: 1,
      from_at: Date.parse(startsAt),
      to_at: null,
      reason,
      note: null,
      refund_minor: minor - keptMinor,
      kept_minor: keptMinor,
    })
    .execute()
}

async function writeJoins({ database }: TestApp, bookingNo: number, { joins = [] }: Booked) {
  for (const { by, at } of joins) {
    await database.db
      .insertInto('visit_joins')
      .values({ booking_no: bookingNo, at, by_kind: by, by_id: '', host: 'video.example' })
      .execute()
  }
}

async function writeClaim({ services, database }: TestApp, bookingNo: number, words: string) {
  await database.db
    .insertInto('outcome_claims')
    .values({
      id: services.newId('clm'),
      booking_no: bookingNo,
      says: 'was_there',
      words: services.secrets.seal('claim', words),
      state: 'open',
      answer: null,
      answered_at: null,
      created_at: services.now(),
      decided_at: null,
      decided_by: null,
      note: null,
    })
    .execute()
}
