import { type SqlBool, sql } from 'kysely'
import type { HistorySort } from '#contract/payments-history.ts'
import type { HistorySortBy, StaffHistoryState } from '#contract/payments-staff.ts'
import type { Db } from '#db/engine.ts'
import { bookedIn, type HistoryView, type Span } from './history-store.ts'

/** Patients and providers whose names were searched for. */
export type People = { patientNos: number[]; providerNos: number[] }

export type Narrowed = Omit<HistoryView, 'scope'> & {
  span: Span | null
  state: StaffHistoryState
  /** Null is everybody. */
  people: People | null
}

/** Literally as in the index. */
const PAID = sql`(case b.visit_type when 'follow_up' then b.follow_minor else b.first_minor end)`

function narrowed(db: Db, { span, state, people, ...view }: Narrowed) {
  let query = bookedIn(db, { ...view, scope: 'everybody' }, span)
  if (state === 'confirmed' || state === 'cancelled') {
    query = query.where('b.state', '=', sql.lit(state))
  }
  if (state === 'refunded') {
    query = query.where((eb) =>
      eb(
        'b.paid_by',
        'in',
        eb.selectFrom('refunds as r').select('r.payment_no').where('r.state', '<>', 'failed'),
      ),
    )
  }
  if (people === null) return query
  const { patientNos, providerNos } = people
  return query.where((eb) =>
    // Nobody of a name is not everybody: without any, `or` is false.
    eb.or([
      ...(patientNos.length > 0 ? [eb('b.patient_no', 'in', patientNos)] : []),
      ...(providerNos.length > 0 ? [eb('b.provider_no', 'in', providerNos)] : []),
    ]),
  )
}

/** How many bookings the filters leave, counted to no more than `limit`. */
export async function countNarrowed(db: Db, wanted: Narrowed, limit: number): Promise<number> {
  const { count } = await db
    .selectFrom(narrowed(db, wanted).select('b.no').limit(limit).as('b'))
    .select(({ fn }) => fn.countAll<number | string>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

type Order = { sort: HistorySort; sortBy: HistorySortBy; skip: number; limit: number }

function ordered(db: Db, wanted: Narrowed, { sort, sortBy }: Order) {
  const query = narrowed(db, wanted)
  switch (sortBy) {
    case 'amount':
      return query.orderBy(PAID, sort)
    case 'payment_method':
      return query.orderBy('b.payment_method', sort)
    case 'user_name':
      return query
        .innerJoin('accounts as a', 'a.no', 'b.patient_no')
        .where(sql<SqlBool>`a.kind = 'patient'`)
        .orderBy('a.last_name', sort)
        .orderBy('a.first_name', sort)
        .orderBy('a.no', sort)
    case 'doctor_name':
      return query
        .innerJoin('providers as p', 'p.no', 'b.provider_no')
        .orderBy('p.last_name', sort)
        .orderBy('p.first_name', sort)
        .orderBy('p.no', sort)
    case 'date':
      return query
  }
}

/** Numbers of the bookings on a page, in the order asked for; names go by the last one first. */
export async function listNos(db: Db, wanted: Narrowed, order: Order): Promise<number[]> {
  const rows = await ordered(db, wanted, order)
    .select('b.no')
    .orderBy('b.wall_at', order.sort)
    .orderBy('b.no', order.sort)
    .limit(order.limit)
    .offset(order.skip)
    .execute()
  return rows.map(({ no }) => no)
}
