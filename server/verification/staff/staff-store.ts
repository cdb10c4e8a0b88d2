import { type SqlBool, sql } from 'kysely'
import type { ProviderId } from '#contract/base/ids.ts'
import type { ProfessionalBody } from '#contract/base/people.ts'
import { storedSpellings } from '#contract/base/person-names.ts'
import type { Region } from '#contract/base/region.ts'
import type { ProviderList, ProvidersInput } from '#contract/verification-staff.ts'
import type { Instant } from '#db/columns.ts'
import type { Db } from '#db/engine.ts'
import { erasedAddress } from '#server/kernel/email-address.ts'

/** All providers with an account, with their status and, if any, their company in review. */
function join(db: Db) {
  return db
    .selectFrom('providers as p')
    .leftJoin('provider_standings as s', 's.provider_no', 'p.no')
    .leftJoin('company_claims as c', (on) =>
      on.onRef('c.provider_no', '=', 'p.no').on('c.state', '=', 'in_review'),
    )
    .where('p.email', 'not like', `%${erasedAddress('')}`)
}

type Joined = ReturnType<typeof join>

// Literal SQL: Postgres uses a partial index only if the query contains its condition.
const UNVERIFIED = sql<SqlBool>`p.verification_status = 'Unverified'`

/** The public status takes precedence, as in `stateOf`: a row that contradicts it is outdated. */
const WAITING = sql<SqlBool>`p.verification_status = 'Unverified'
  and coalesce(s.state, 'waiting') not in ('refused', 'lost')`

/** Start of the wait in the queue. */
const WAITING_SINCE = sql<Instant>`coalesce(s.asked_at, p.created_at)`

/**
 * Order of the queue: providers with an open request come last, those that the register confirms come first,
 * then the longest waiting.
 */
const QUEUE_ORDER = sql`case when s.asked_again_at is null then 0 else 1 end,
  coalesce(s.is_match, 0) desc, coalesce(s.asked_at, p.created_at), p.no`

function inList(query: Joined, list: ProviderList): Joined {
  switch (list) {
    case 'all':
      return query
    case 'waiting':
      return query.where(WAITING)
    case 'verified':
      return query.where('p.verification_status', '=', 'Verified')
    case 'company':
      return query.where('c.no', 'is not', null)
    case 'refused':
    case 'lost':
      return query.where(UNVERIFIED).where('s.state', '=', list)
  }
}

const DAY_OF: Record<ProviderList, ReturnType<typeof sql<Instant | null>>> = {
  all: sql`p.created_at`,
  waiting: WAITING_SINCE,
  verified: sql`p.verified_at`,
  refused: sql`s.since`,
  lost: sql`s.since`,
  company: sql`c.sent_at`,
}

/** Search text as a LIKE pattern, with wildcards escaped. */
function pattern(text: string, isStart: boolean): string {
  const literal = text.replaceAll(/[\\%_]/g, String.raw`\$&`)
  return isStart ? `${literal}%` : `%${literal}%`
}

function like(column: string, text: string, isStart = false) {
  return sql<SqlBool>`${sql.ref(column)} like ${pattern(text, isStart)} escape '\\'`
}

/**
 * SQLite only folds the case of ASCII letters: others also match as typed and with a capital first letter.
 */
function containsWord(column: string, word: string) {
  return storedSpellings(word).flatMap((spelling) => containsSpelling(column, spelling))
}

function containsSpelling(column: string, word: string) {
  const lower = word.toLowerCase()
  const capital = word.charAt(0).toUpperCase() + lower.slice(1)
  const folded = sql<SqlBool>`lower(${sql.ref(column)}) like ${pattern(lower, false)} escape '\\'`
  return [folded, like(column, word), like(column, capital)]
}

const MAX_WORDS = 6

/** Every word must match: the name, the number or, for viewers who may see it, the email. */
function matchingSearch(query: Joined, search: string, isFull: boolean): Joined {
  const words = search.split(/\s+/).filter(Boolean).slice(0, MAX_WORDS)
  return words.reduce(
    (left, word) =>
      left.where((eb) => {
        const isNumber = like('p.membership_number', word, true)
        const isPublic = eb('p.verification_status', '=', 'Verified')
        return eb.or([
          ...containsWord('p.first_name', word),
          ...containsWord('p.last_name', word),
          isFull ? isNumber : eb.and([isNumber, isPublic]),
          ...(isFull ? containsWord('p.email', word) : []),
        ])
      }),
    query,
  )
}

/** Filters of the lists; instants from `since` (inclusive) to `before` (exclusive). */
export type ProviderFilters = {
  list: ProviderList
  search: string
  region: Region | undefined
  body: ProfessionalBody | undefined
  since: Instant | null
  before: Instant | null
  /** Non-public data may be searched too. */
  isFull: boolean
}

function filtered(db: Db, by: ProviderFilters): Joined {
  let query = matchingSearch(inList(join(db), by.list), by.search, by.isFull)
  if (by.region !== undefined) query = query.where('p.region', '=', by.region)
  if (by.body !== undefined) query = query.where('p.professional_body', '=', by.body)
  if (by.since !== null) query = query.where(DAY_OF[by.list], '>=', by.since)
  if (by.before !== null) query = query.where(DAY_OF[by.list], '<', by.before)
  return query
}

/** Number of providers in a list. */
export async function countProviders(db: Db, by: ProviderFilters): Promise<number> {
  const { count } = await filtered(db, by)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

function orderOf(list: ProviderList, sort: ProvidersInput['sort']) {
  if (sort === 'name') return sql`lower(p.last_name), lower(p.first_name), p.no`
  if (sort === 'newest') return sql`${DAY_OF[list]} desc, p.no desc`
  if (sort === 'oldest') return sql`${DAY_OF[list]}, p.no`
  if (list === 'waiting') return QUEUE_ORDER
  if (list === 'company') return sql`c.sent_at, p.no`
  return sql`${DAY_OF[list]} desc, p.no desc`
}

type Paging = { sort: ProvidersInput['sort']; limit: number; offset: number }

/** A page of a list. */
export function listProviderRows(db: Db, by: ProviderFilters, { sort, limit, offset }: Paging) {
  return filtered(db, by)
    .leftJoin('places as l', (on) =>
      on.onRef('l.provider_no', '=', 'p.no').on('l.position', '=', 0),
    )
    .select([
      'p.id',
      'p.region',
      'p.title',
      'p.first_name',
      'p.last_name',
      'p.photo',
      'p.specialty_no',
      'p.professional_body',
      'p.membership_number',
      'p.verification_status',
      'p.verified_at',
      'p.email',
      'l.locality',
      's.state',
      's.is_match',
      's.checked_at',
      's.asked_again_at',
      's.answered_at',
      'c.no as company_no',
      sql<number>`case when exists (
        select 1 from registrant_proofs as f
        where f.provider_no = p.no and f.kind = 'document' and f.state = 'waiting'
      ) then 1 else 0 end`.as('is_proof_waiting'),
      sql<number>`case when exists (
        select 1 from providers as o
        where o.professional_body = p.professional_body
          and o.membership_number = p.membership_number
          and o.no <> p.no and o.email not like ${`%${erasedAddress('')}`}
      ) then 1 else 0 end`.as('is_number_shared'),
      DAY_OF[by.list].as('day_at'),
    ])
    .orderBy(orderOf(by.list, sort))
    .limit(limit)
    .offset(offset)
    .execute()
}

export type ListedProvider = Awaited<ReturnType<typeof listProviderRows>>[number]

/** Counts of providers and companies that await verification. */
export async function countWork(db: Db) {
  const counts = await db
    .selectFrom('providers as p')
    .leftJoin('provider_standings as s', 's.provider_no', 'p.no')
    .select([
      sql<number>`count(case when coalesce(s.state, '') not in ('refused', 'lost') then 1 end)`.as(
        'waiting',
      ),
      sql<number>`count(case when coalesce(s.state, '') not in ('refused', 'lost')
        and s.is_match = 1 then 1 end)`.as('matching'),
      sql<number>`count(case when s.state = 'lost' then 1 end)`.as('lost'),
    ])
    .where(sql<boolean>`p.verification_status = 'Unverified'`)
    .where('p.email', 'not like', `%${erasedAddress('')}`)
    .executeTakeFirstOrThrow()
  const { companies } = await db
    .selectFrom('company_claims')
    .select(({ fn }) => fn.countAll<number>().as('companies'))
    .where('state', '=', 'in_review')
    .executeTakeFirstOrThrow()
  return { ...counts, companies }
}

/** Number of providers who lost their status since an instant and have not regained it. */
export async function countLostSince(db: Db, since: Instant): Promise<number> {
  const { lost } = await db
    .selectFrom('provider_standings')
    .select(({ fn }) => fn.countAll<number>().as('lost'))
    .where('state', '=', 'lost')
    .where('since', '>=', since)
    .executeTakeFirstOrThrow()
  return lost
}

export type QueueRow = {
  n: number
  id: ProviderId
  region: Region
  title: string | null
  first_name: string
  last_name: string
  is_waiting: number
}

/**
 * A provider with their neighbours in the queue, in order; one who no longer waits is placed where they would
 * be. Without a provider, the head of the queue.
 */
export function listAround(db: Db, id: ProviderId | undefined): Promise<QueueRow[]> {
  const ordered = db
    .selectFrom('providers as p')
    .leftJoin('provider_standings as s', 's.provider_no', 'p.no')
    .select([
      'p.id',
      'p.region',
      'p.title',
      'p.first_name',
      'p.last_name',
      sql<number>`case when ${WAITING} then 1 else 0 end`.as('is_waiting'),
      sql<number>`row_number() over (order by ${QUEUE_ORDER})`.as('n'),
    ])
    .where('p.email', 'not like', `%${erasedAddress('')}`)
    .where((eb) => eb.or([WAITING, ...(id === undefined ? [] : [eb('p.id', '=', id)])]))
  const at =
    id === undefined
      ? sql<number>`0`
      : sql<number>`(select n from ordered as own where own.id = ${id})`
  return db
    .with('ordered', () => ordered)
    .selectFrom('ordered as o')
    .selectAll()
    .where('o.n', '>=', sql<number>`${at} - 1`)
    .where('o.n', '<=', sql<number>`${at} + 1`)
    .orderBy('o.n')
    .execute()
}
