import type { Sort } from '#contract/search.ts'
import { type Flag, type Instant, NEVER } from '#db/columns.ts'
import type { Db } from '#db/engine.ts'
import { fitsText } from '#db/free-runs.ts'
import { runSql } from '#db/run-sql.ts'
import { type Circle, cellsOf, type Strip, type UnitVector } from './circle.ts'

/** What a listed provider must be, besides inside the circle. */
export type Narrowing = {
  specialtyNos: readonly number[]
  /** Bits of `featureBits`, all of them required; 0 for any. */
  features: number
  /** Bits of languages, one of them required; 0 for any. */
  languages: number
  /** Minor units, `null` for any fee. */
  feeMax: number | null
  /** Free before this instant, `null` for whenever. */
  freeBefore: Instant | null
  now: Instant
}

/**
 * A provider at the nearest of its places. `nextFree` may have passed, see `Slice.isExact`. Of one at
 * several places (`siblings`) it is a time at this one.
 */
export type Match = {
  providerNo: number
  placeNo: number
  siblings: Flag
  nextFree: Instant
  /** Of visits for which one slot is too short, else 0; and the buffer after them. */
  minutes: number
  bufferMinutes: number
}

/** How many providers fit, and how many of their places are not the nearest of theirs. */
export type Count = { total: number; repeats: number }

type Parameters = (number | string)[]

function marks(count: number, one: string): string {
  return Array<string>(count).fill(one).join(', ')
}

/** The body of a table of index ranges. Its first row says the types, which Postgres needs. */
function rangesText(count: number): string {
  const first = '(cast(? as integer), cast(? as double precision), cast(? as double precision))'
  const rest = count > 1 ? `, ${marks(count - 1, '(?, ?, ?)')}` : ''
  return `(band, west, east) as (values ${first}${rest})`
}

function pushRanges(parameters: Parameters, strips: readonly Strip[]): void {
  for (const { band, west, east } of strips) parameters.push(band, west, east)
}

const dot = (row: string) => `(${row}.x * ? + ${row}.y * ? + ${row}.z * ?)`

function pushVector(parameters: Parameters, { x, y, z }: UnitVector): void {
  parameters.push(x, y, z)
}

function pushEdge(parameters: Parameters, { centre, leastDot }: Circle): void {
  parameters.push(centre.x, centre.y, centre.z, leastDot)
}

/** Rows of one table of ranges that fit. The ranges lead, so that each is one scan of the key. */
function fromText(ranges: string, narrowing: Narrowing): string {
  return `from ${ranges} r cross join search_index s
    where s.specialty_no in (${marks(narrowing.specialtyNos.length, '?')})
      and s.band = r.band and s.longitude >= r.west and s.longitude < r.east${filterText(narrowing)}`
}

/** Whoever is at several places is free at the one that was found, not somewhere else. */
const AT_PLACE = '(s.siblings = 0 or f.place_no = s.place_no)'

/** Where a visit takes several slots it begins where they are free one after the other. */
const fits = (row: string) => fitsText('f', `${row}.visit_minutes`, `${row}.buffer_minutes`)

/**
 * The clock overtakes `next_free`: only such rows are looked up among the slots. The cast hides
 * the value from SQLite, which would plan the statement anew for every other one.
 */
const FREE_BEFORE = `
      and s.next_free < cast(? as bigint) and (s.next_free >= ? or exists (
        select 1 from slots f where f.provider_no = s.provider_no and f.free = 1
          and f.start_at >= ? and f.start_at < ? and ${AT_PLACE} and ${fits('s')}))`

function filterText(narrowing: Narrowing): string {
  return (
    (narrowing.freeBefore === null ? '' : FREE_BEFORE) +
    (narrowing.feeMax === null ? '' : '\n      and s.fee_minor <= ?') +
    (narrowing.features === 0 ? '' : '\n      and (s.features & ?) = ?') +
    (narrowing.languages === 0 ? '' : '\n      and (s.languages & ?) <> 0')
  )
}

function pushNarrowing(parameters: Parameters, narrowing: Narrowing): void {
  const { freeBefore, now, feeMax, features, languages } = narrowing
  for (const no of narrowing.specialtyNos) parameters.push(no)
  if (freeBefore !== null) parameters.push(freeBefore, now, now, freeBefore)
  if (feeMax !== null) parameters.push(feeMax)
  if (features !== 0) parameters.push(features, features)
  if (languages !== 0) parameters.push(languages)
}

/** A place counts only when no other place of its provider is nearer, of those that are free in time. */
function nearerSiblingText({ freeBefore }: Narrowing): string {
  const free = `
          and t.next_free < cast(? as bigint) and (t.next_free >= ? or exists (
            select 1 from slots f where f.provider_no = t.provider_no and f.free = 1
              and f.start_at >= ? and f.start_at < ? and f.place_no = t.place_no and ${fits('t')}))`
  return `exists (
        select 1 from search_index t where t.provider_no = s.provider_no and t.place_no <> s.place_no
          and (${dot('t')} > ${dot('s')}
            or (${dot('t')} = ${dot('s')} and t.place_no < s.place_no))${freeBefore === null ? '' : free})`
}

function pushNearerSibling(
  parameters: Parameters,
  centre: UnitVector,
  { freeBefore, now }: Narrowing,
): void {
  for (let n = 0; n < 4; n++) pushVector(parameters, centre)
  if (freeBefore !== null) parameters.push(freeBefore, now, now, freeBefore)
}

const texts = new Map<string, string>()

/** Texts differ by the number of ranges and by the filters in use: a few hundred at most. */
const MAX_TEXTS = 1_000

function textOf(key: string, make: () => string): string {
  let text = texts.get(key)
  if (text === undefined) {
    text = make()
    if (texts.size >= MAX_TEXTS) texts.clear()
    texts.set(key, text)
  }
  return text
}

function shapeOf(narrowing: Narrowing): string {
  const { specialtyNos, freeBefore, feeMax, features, languages } = narrowing
  const filters =
    (freeBefore === null ? 0 : 1) |
    (feeMax === null ? 0 : 2) |
    (features === 0 ? 0 : 4) |
    (languages === 0 ? 0 : 8)
  return `${specialtyNos.length}/${filters}`
}

/** Whether the numbers kept for whole cells answer: they know no filters but the specialty. */
function countsByCell({ freeBefore, feeMax, features, languages }: Narrowing): boolean {
  return freeBefore === null && feeMax === null && features === 0 && languages === 0
}

function cellsText({ specialtyNos }: Narrowing): string {
  return `(select coalesce(sum(c.places), 0) from inner_ranges r cross join search_cells c
    where c.specialty_no in (${marks(specialtyNos.length, '?')})
      and c.band = r.band and c.cell >= r.west and c.cell < r.east)`
}

function innerText(narrowing: Narrowing): string {
  if (countsByCell(narrowing)) return `${cellsText(narrowing)} +`
  return `(select count(*) ${fromText('inner_ranges', narrowing)}) +`
}

function pushInner(parameters: Parameters, inner: readonly Strip[], narrowing: Narrowing): void {
  if (!countsByCell(narrowing)) return pushRanges(parameters, inner)
  for (const strip of inner) {
    const { first, end } = cellsOf(strip)
    parameters.push(strip.band, first, end)
  }
}

function countText({ inner, edge }: Circle, narrowing: Narrowing): string {
  const ranges = [`edge_ranges ${rangesText(edge.length)}`]
  if (inner.length > 0) ranges.push(`inner_ranges ${rangesText(inner.length)}`)
  return `with ${ranges.join(', ')}
    select ${inner.length > 0 ? innerText(narrowing) : ''}
      (select count(*) ${fromText('edge_ranges', narrowing)} and ${dot('s')} >= ?) as total,
      exists (select 1 from search_index where siblings = 1) as siblings`
}

/** How many providers fit, each counted once, exactly. */
export async function countMatches(db: Db, circle: Circle, narrowing: Narrowing): Promise<Count> {
  const { inner, edge } = circle
  const key = `count/${inner.length}/${edge.length}/${shapeOf(narrowing)}`
  const parameters: Parameters = []
  pushRanges(parameters, edge)
  pushInner(parameters, inner, narrowing)
  if (inner.length > 0) pushNarrowing(parameters, narrowing)
  pushNarrowing(parameters, narrowing)
  pushEdge(parameters, circle)
  const text = textOf(key, () => countText(circle, narrowing))
  const [row] = await runSql<{ total: number; siblings: unknown }>(db, text, parameters)
  const places = row?.total ?? 0
  // SQLite says 1, Postgres true.
  const repeats = row?.siblings ? await countRepeats(db, circle, narrowing) : 0
  return { total: places - repeats, repeats }
}

/** Places that fit although another place of the same provider is nearer. */
async function countRepeats(db: Db, circle: Circle, narrowing: Narrowing): Promise<number> {
  const count = circle.outer.length
  const parameters: Parameters = []
  pushRanges(parameters, circle.outer)
  pushNarrowing(parameters, narrowing)
  pushEdge(parameters, circle)
  pushNearerSibling(parameters, circle.centre, narrowing)
  const text = textOf(
    `repeats/${count}/${shapeOf(narrowing)}`,
    () => `with ranges ${rangesText(count)} select count(*) as total
      ${fromText('ranges', narrowing)} and s.siblings = 1 and ${dot('s')} >= ? and ${nearerSiblingText(narrowing)}`,
  )
  const [row] = await runSql<{ total: number }>(db, text, parameters)
  return row?.total ?? 0
}

/** The first free time as it is now, where the clock has overtaken what the index says. */
const NEXT_FREE = `case when s.next_free >= ? then s.next_free else coalesce((
        select min(f.start_at) from slots f
        where f.provider_no = s.provider_no and f.free = 1 and f.start_at >= ?
          and ${AT_PLACE} and ${fits('s')}), ${NEVER}) end`

/** Ties end at the number of the provider, so that pages never overlap. */
const ORDERS: Record<Sort, string> = {
  distance: `${dot('s')} desc, s.provider_no`,
  soonest: `"nextFree", ${dot('s')} desc, s.provider_no`,
  fee_low: `s.fee_minor, ${dot('s')} desc, s.provider_no`,
  fee_high: `s.fee_minor desc, ${dot('s')} desc, s.provider_no`,
  name: 's.name_key, s.provider_no',
}

export type Slice = {
  sort: Sort
  limit: number
  offset: number
  /** Whether `nextFree` has to be right; else a time that has passed may stand there. */
  isExact: boolean
}

/** What is asked of a list; `hasRepeats` says whether places of one provider compete. */
export type Listing = { narrowing: Narrowing; slice: Slice; hasRepeats: boolean }

// A bare `limit ?` would be planned anew at every call, too.
const LIMIT = 'limit cast(? as integer) offset ?'

function listText(ranges: number, { narrowing, slice, hasRepeats }: Listing): string {
  return `with ranges ${rangesText(ranges)}
    select s.provider_no as "providerNo", s.place_no as "placeNo", s.siblings as "siblings",
      s.visit_minutes as "minutes", s.buffer_minutes as "bufferMinutes",
      ${slice.isExact ? NEXT_FREE : 's.next_free'} as "nextFree"
    ${fromText('ranges', narrowing)} and ${dot('s')} >= ?
      ${hasRepeats ? `and (s.siblings = 0 or not ${nearerSiblingText(narrowing)})` : ''}
    order by ${ORDERS[slice.sort]} ${LIMIT}`
}

/** One slice of the providers that fit, in order, each at the nearest of its places. */
export function listMatches(db: Db, circle: Circle, listing: Listing): Promise<Match[]> {
  const { narrowing, slice, hasRepeats } = listing
  const { centre, outer } = circle
  const parameters: Parameters = []
  pushRanges(parameters, outer)
  if (slice.isExact) parameters.push(narrowing.now, narrowing.now)
  pushNarrowing(parameters, narrowing)
  pushEdge(parameters, circle)
  if (hasRepeats) pushNearerSibling(parameters, centre, narrowing)
  if (slice.sort !== 'name') pushVector(parameters, centre)
  parameters.push(slice.limit, slice.offset)
  const options = `${slice.sort}/${slice.isExact}/${hasRepeats}`
  const key = `list/${outer.length}/${shapeOf(narrowing)}/${options}`
  return runSql<Match>(
    db,
    textOf(key, () => listText(outer.length, listing)),
    parameters,
  )
}
