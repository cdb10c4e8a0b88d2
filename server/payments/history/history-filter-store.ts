import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { storedSpellings } from '#contract/base/person-names.ts'
import type { StaffHistoryState } from '#contract/payments.ts'
import type { HistorySort, HistorySortBy } from '#contract/payments-history.ts'
import type { Db } from '#db/engine.ts'
import { isPostgres } from '#db/run-sql.ts'
import type { HistoryView, Span } from './history-store.ts'

/** Patients and providers that match a name or email search. */
export type MatchingPeople = { patientNos: number[]; providerNos: number[] }

export type HistoryCriteria = Omit<HistoryView, 'scope'> & {
  span: Span | null
  state: StaffHistoryState
  /** Null for everyone. */
  people: MatchingPeople | null
  /** Null is any. */
  reference: string | null
  /** The gateway's id of a session, order, intent or capture; null for any. */
  gateway: string | null
}

const REFUNDED = sql<SqlBool>`b.paid_by in (
  select r.payment_no from refunds r where r.state <> 'failed')`

function isOneOf(column: 'b.patient_no' | 'b.provider_no', nos: readonly number[]) {
  // No match must not read as no filter.
  return nos.length === 0
    ? sql<SqlBool>`1 = 0`
    : sql<SqlBool>`${sql.ref(column)} in (${sql.join(nos)})`
}

/** Names both gateways, so that the indexes on (gateway, id) are used. */
function hasGatewayId(id: string) {
  const named = (column: 'gw_session' | 'gw_payment') =>
    sql`select p.booking_no from payments p
      where p.gateway in ('stripe', 'paypal') and ${sql.ref(`p.${column}`)} = ${id}`
  return sql<SqlBool>`b.no in (${named('gw_session')} union ${named('gw_payment')})`
}

/** The filters as a condition on `bookings as b`. */
function conditions(criteria: HistoryCriteria): RawBuilder<SqlBool> {
  const { method, region, span, state, people, reference, gateway } = criteria
  // Must match the index condition literally, or Postgres would not use the index.
  const all = [sql<SqlBool>`b.state in ('confirmed', 'cancelled')`]
  if (reference !== null) all.push(sql`b.reference = ${reference}`)
  if (gateway !== null) all.push(hasGatewayId(gateway))
  if (method !== null) all.push(sql`b.payment_method = ${method}`)
  if (region !== null) all.push(sql`b.region = ${region}`)
  if (span !== null) all.push(sql`b.wall_at >= ${span.from} and b.wall_at < ${span.to}`)
  if (state === 'confirmed' || state === 'cancelled') all.push(sql`b.state = ${sql.lit(state)}`)
  if (state === 'refunded') all.push(REFUNDED)
  if (people !== null) {
    const { patientNos, providerNos } = people
    const [patients, providers] = [
      isOneOf('b.patient_no', patientNos),
      isOneOf('b.provider_no', providerNos),
    ]
    all.push(sql`(${patients} or ${providers})`)
  }
  return sql`${sql.join(all, sql` and `)}`
}

/** Number of bookings that match the filters, counted up to `limit`. */
export async function countFiltered(
  db: Db,
  criteria: HistoryCriteria,
  limit: number,
): Promise<number> {
  const { count } = await db
    .selectFrom(
      db
        .selectFrom('bookings as b')
        .select('b.no')
        .where(conditions(criteria))
        .limit(limit)
        .as('some'),
    )
    .select(({ fn }) => fn.countAll<number | string>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

type Order = { sort: HistorySort; sortBy: HistorySortBy; skip: number; limit: number }

/** Sort columns before day and number; the first must match its index expression literally. */
const columns: Record<HistorySortBy, readonly RawBuilder<unknown>[]> = {
  date: [],
  amount: [sql`(case b.visit_type when 'follow_up' then b.follow_minor else b.first_minor end)`],
  payment_method: [sql`b.payment_method`],
  user_name: [sql`a.last_name`, sql`a.first_name`, sql`a.no`],
  doctor_name: [sql`a.last_name`, sql`a.first_name`, sql`a.no`],
}

type Named = { table: string; column: string; where: RawBuilder<unknown> | null; index: string }

const named: Partial<Record<HistorySortBy, Named>> = {
  user_name: {
    table: 'accounts',
    column: 'b.patient_no',
    where: sql`a.kind = 'patient'`,
    index: 'bookings_history_patient',
  },
  doctor_name: {
    table: 'providers',
    column: 'b.provider_no',
    where: null,
    index: 'bookings_history_provider',
  },
}

/**
 * Each person has few bookings, so walking people in order finds a page without sorting all bookings. SQLite needs the
 * hint, otherwise it sorts them all.
 */
function source(db: Db, sortBy: HistorySortBy, isNarrow: boolean): RawBuilder<unknown> {
  const by = named[sortBy]
  if (by === undefined) return sql`bookings b`
  const people = sql.table(by.table)
  const on = sql`a.no = ${sql.ref(by.column)}${by.where === null ? sql`` : sql` and ${by.where}`}`
  // Postgres chooses the plan itself; with few matching bookings, starting from them is faster.
  const isLeft = isNarrow || isPostgres(db)
  if (isLeft) return sql`bookings b inner join ${people} a on ${on}`
  const order = sql.id(`${by.table}_in_order`)
  return sql`${people} a indexed by ${order}
    cross join bookings b indexed by ${sql.id(by.index)} on ${on}`
}

/** Numbers of the bookings on a page, in the requested order; names sort by last name first. */
export async function listNos(db: Db, criteria: HistoryCriteria, order: Order): Promise<number[]> {
  const { sort, sortBy, skip, limit } = order
  const isNarrow =
    criteria.reference !== null ||
    criteria.gateway !== null ||
    criteria.people !== null ||
    !['all', 'confirmed'].includes(criteria.state)
  const direction = sort === 'asc' ? sql`asc` : sql`desc`
  const by = [...columns[sortBy], sql`b.wall_at`, sql`b.no`].map((one) => sql`${one} ${direction}`)
  const { rows } = await sql<{ no: number }>`
    select b.no from ${source(db, sortBy, isNarrow)} where ${conditions(criteria)}
    order by ${sql.join(by)} limit ${limit} offset ${skip}`.execute(db)
  return rows.map(({ no }) => no)
}

/** Limit on matches of a name search; a more common name has to be narrowed down by another one. */
const MAX_PEOPLE = 1_000

/** Sorts after every text with a given prefix. */
const LAST = '\u{10ffff}'

/** Lowercases A to Z only, like SQLite's `lower`. */
const lowerAscii = (text: string) => text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase())

/** Forms in which an index of either engine may hold a name: for "Émile", with a lowercase or uppercase É. */
function variants(word: string): string[] {
  const large = word.slice(0, 1).toUpperCase() + word.slice(1)
  return [...new Set([lowerAscii(word), lowerAscii(large), word.toLowerCase()])]
}

type Column = 'first_name' | 'last_name'

function startsWith(db: Db, column: Column, word: string) {
  const name = sql`lower(${sql.ref(column)})`
  // Byte order, as in the index, makes a prefix search a range.
  const text = isPostgres(db) ? sql`${name} collate "C"` : name
  const ranges = storedSpellings(word)
    .flatMap(variants)
    .map((one) => sql`(${text} >= ${one} and ${text} < ${one + LAST})`)
  return sql`${sql.join(ranges, sql` or `)}`
}

function isNamed(db: Db, words: readonly string[]) {
  const each = words.map(
    (word) => sql`(${startsWith(db, 'last_name', word)} or ${startsWith(db, 'first_name', word)})`,
  )
  return sql<SqlBool>`${sql.join(each, sql` and `)}`
}

/** The patient and provider with an email address. */
export async function findByEmail(db: Db, email: string): Promise<MatchingPeople> {
  const rows = await db
    .selectFrom('accounts')
    .select(['no', 'provider_no'])
    .where('kind', 'in', ['patient', 'provider'])
    .where('email', '=', email)
    .where('erased_at', 'is', null)
    .execute()
  return {
    patientNos: rows.flatMap(({ no, provider_no: provider }) => (provider === null ? [no] : [])),
    providerNos: rows.flatMap(({ provider_no: provider }) => (provider === null ? [] : [provider])),
  }
}

/** Patients and providers with a name that begins with each word; only the first thousand of each. */
export async function findPeople(db: Db, words: readonly string[]): Promise<MatchingPeople> {
  const [patients, providers] = await Promise.all([
    db
      .selectFrom('accounts')
      .select('no')
      .where(sql<SqlBool>`kind = 'patient'`)
      .where('erased_at', 'is', null)
      .where(isNamed(db, words))
      .limit(MAX_PEOPLE)
      .execute(),
    db.selectFrom('providers').select('no').where(isNamed(db, words)).limit(MAX_PEOPLE).execute(),
  ])
  return {
    patientNos: patients.map(({ no }) => no),
    providerNos: providers.map(({ no }) => no),
  }
}
