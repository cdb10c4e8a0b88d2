import type { ErrorCode } from '#contract/base/errors.ts'
import { MAX_PAGE } from '#contract/base/paging.ts'
import { staffRefusal } from '#contract/base/staff.ts'
import { toIso } from '#contract/base/time.ts'
import { stateName } from '#contract/base/us-states.ts'
import type {
  PaymentDetail,
  StaffHistoryInput,
  StaffPayment,
  StaffPaymentInput,
} from '#contract/payments.ts'
import {
  HISTORY_PAGE_SIZE,
  type HistoryPage,
  type HistoryRow,
  type HistorySheet,
  PRINT_MAX,
} from '#contract/payments-history.ts'
import type { Db } from '#db/engine.ts'
import type { RefundRow } from '#db/tables/payments.ts'
import type { AsStaff, Context } from '#server/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import { listRefundsOfAll } from '#server/payments/refunds/refund-store.ts'
import { receivedAmount, refundableOf, refundedMinor } from '#server/payments/rules.ts'
import type { Payment } from '#server/payments/store.ts'
import { listHistory, type Part, readAllRows, rowOf } from './history.ts'
import {
  countFiltered,
  findByEmail,
  findPeople,
  type HistoryCriteria,
  listNos,
  type MatchingPeople,
} from './history-filter-store.ts'
import { countOf, monthsOf, NO_NAMES, namesOf, pagesOf, wallSpan } from './history-rules.ts'
import { countByMonth, listRows } from './history-store.ts'
import {
  findStaffVisit,
  listChangesOf,
  listEmailsAbout,
  listEventsOf,
  listPaymentsOf,
  listStaffNames,
  type StaffVisit,
} from './staff-store.ts'
import { type Facts, timelineOf, withoutPeople } from './timeline-rules.ts'

/** Rows on all pages that can be requested; nothing beyond is counted. */
const MAX_ROWS = MAX_PAGE * HISTORY_PAGE_SIZE

const EMPTY_PAGE = { current_page: 1, total_pages: 0, total: 0 } as const

type Filters = Omit<StaffHistoryInput, 'page'>

/** People who match the name or the email; with both, those who match both. */
async function peopleOf(db: Db, { name, email }: Filters): Promise<MatchingPeople | null> {
  const words = name?.split(/\s+/).filter(Boolean) ?? []
  const named = words.length === 0 ? null : await findPeople(db, words)
  if (email === undefined) return named
  const addressed = await findByEmail(db, email)
  if (named === null) return addressed
  return {
    patientNos: addressed.patientNos.filter((no) => named.patientNos.includes(no)),
    providerNos: addressed.providerNos.filter((no) => named.providerNos.includes(no)),
  }
}

/** The filters as a query; null for a year out of range. */
async function historyCriteria(db: Db, input: Filters) {
  const months = monthsOf(input)
  if (months === 'none') return null
  const narrowed: HistoryCriteria = {
    method: input.payment_method === 'all' ? null : input.payment_method,
    region: input.region === 'all' ? null : input.region,
    span: months === null ? null : wallSpan(months),
    state: input.state,
    people: await peopleOf(db, input),
    reference: input.reference ?? null,
    gateway: input.gateway ?? null,
  }
  return { months, narrowed }
}

type Wanted = NonNullable<Awaited<ReturnType<typeof historyCriteria>>>

async function count(db: Db, { months, narrowed }: Wanted): Promise<number> {
  const { state, people, reference, gateway } = narrowed
  const isSearched = reference !== null || gateway !== null || people !== null
  if (isSearched || state === 'cancelled' || state === 'refunded') {
    return countFiltered(db, narrowed, MAX_ROWS)
  }
  const view = { ...narrowed, scope: 'everybody' as const, months, sort: 'asc' as const }
  const all = countOf(await countByMonth(db, { ...view, byMethod: false }))
  if (state === 'all') return all
  // Few are cancelled: those are counted instead of all the others.
  return all - (await countFiltered(db, { ...narrowed, state: 'cancelled' }, all))
}

/**
 * Rows of everybody's history with any filter, in any order. Never reads further than the last page that can
 * be requested.
 */
async function listFiltered(db: Db, input: StaffHistoryInput): Promise<HistoryPage> {
  const { page, sort, sort_by: sortBy } = input
  const wanted = await historyCriteria(db, input)
  if (wanted === null) return { appointments: [], ...EMPTY_PAGE, current_page: page }
  const total = await count(db, wanted)
  const skip = (page - 1) * HISTORY_PAGE_SIZE
  const nos =
    skip < total
      ? await listNos(db, wanted.narrowed, { sort, sortBy, skip, limit: HISTORY_PAGE_SIZE })
      : []
  const appointments = (await listRows(db, nos)).map(rowOf)
  return { appointments, current_page: page, total_pages: pagesOf(total), total }
}

/** A page of everybody's booked appointments, with all names: the caller authorizes. */
export async function listAllHistory(
  ctx: Pick<Context, 'database'>,
  input: StaffHistoryInput,
): Promise<HistoryPage> {
  const { sort_by: by, region, state } = input
  const isSearched = [input.name, input.email, input.reference, input.gateway].some(Boolean)
  const isCounted = state === 'all' && !isSearched
  if (!isCounted || (by !== 'date' && by !== 'payment_method')) {
    return listFiltered(ctx.database.db, input)
  }
  return listHistory(ctx, 'everybody', {
    ...input,
    region: region === 'all' ? null : region,
    byMethod: by === 'payment_method',
  })
}

/** Number of rows that match the filters, counted up to `most`. */
export async function countMatching(db: Db, input: Filters, max: number): Promise<number> {
  const wanted = await historyCriteria(db, input)
  return wanted === null ? 0 : countFiltered(db, wanted.narrowed, max)
}

/** Rows that match the filters, from `skip` on, with all names: the caller authorizes. */
export async function listMatching(
  db: Db,
  input: Filters,
  { skip, limit }: Part,
): Promise<HistoryRow[]> {
  const wanted = await historyCriteria(db, input)
  if (wanted === null) return []
  const { sort, sort_by: sortBy } = input
  return (
    await listRows(db, await listNos(db, wanted.narrowed, { sort, sortBy, skip, limit }))
  ).map(rowOf)
}

function withoutNames<Page extends HistorySheet | HistoryPage>(page: Page): Page {
  return { ...page, appointments: page.appointments.map((row) => ({ ...row, ...NO_NAMES })) }
}

/** Replaces a sort by name for viewers who may not see names: the order would reveal them. */
function withoutNameOrder<Input extends Filters>(input: Input): Input {
  const isByName = input.sort_by === 'user_name' || input.sort_by === 'doctor_name'
  return isByName ? { ...input, sort_by: 'date' } : input
}

/** Rejects a search by name or email for viewers who may not see names. */
function assertNoNameSearch({ name, email }: Filters, refusal: ErrorCode): void {
  if (name !== undefined || email !== undefined) throw new AppError(refusal)
}

/**
 * A page of everybody's booked appointments for staff. Editors and authors see no names and may not search
 * for any. For the others, each page read is one entry in the audit log.
 */
export async function staffHistory(ctx: AsStaff, input: StaffHistoryInput): Promise<HistoryPage> {
  const refusal = staffRefusal('seeNames', ctx.viewer.role)
  if (refusal !== null) {
    assertNoNameSearch(input, refusal)
    return withoutNames(await listAllHistory(ctx, withoutNameOrder(input)))
  }
  const page = await listAllHistory(ctx, input)
  const rows = page.appointments.length
  if (rows > 0) {
    await ctx.record({ action: 'payment.names_read', details: { rows, page: input.page } })
  }
  return page
}

/**
 * Everything that matches the filters, for printing: up to `PRINT_MAX` rows, with names only where the pages
 * show them. One audit entry gives the number of rows.
 */
export async function printHistory(ctx: AsStaff, input: Filters): Promise<HistorySheet> {
  const { db } = ctx.database
  const refusal = staffRefusal('seeNames', ctx.viewer.role)
  if (refusal !== null) assertNoNameSearch(input, refusal)
  const filters = refusal === null ? input : withoutNameOrder(input)
  const { rows, isCut } = await readAllRows((part) => listMatching(db, filters, part), PRINT_MAX)
  const sheet = { appointments: rows, isCut }
  if (refusal !== null) return withoutNames(sheet)
  await ctx.record({ action: 'payment.history_printed', details: { rows: rows.length } })
  return sheet
}

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
    ...(mayName ? namesOf(visit) : NO_NAMES),
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
