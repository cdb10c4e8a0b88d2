import type { Sort, VisitMode } from '#contract/search.ts'
import { type Flag, type Instant, NEVER } from '#db/columns.ts'
import { hasConsecutiveSlotsSql } from '#db/consecutive-slots.ts'
import type { Db } from '#db/engine.ts'
import {
  type InlineColumns,
  inlineShape,
  inlineTable,
  inlineValues,
  type Parameter,
  readSql,
} from '#db/run-sql.ts'
import { type Circle, cellsOf, type Strip, type UnitVector } from './circle.ts'
import { SHOWN_COLUMNS, type Shown } from './store.ts'

/** Filters on listed providers, besides the circle. */
export type MatchFilters = {
  specialtyNos: readonly number[]
  /** Bits of `featureBits`, all of them required; 0 for any. */
  features: number
  /** The mode among the features, which decides the visit type: the first in this mode, or the first of all. */
  mode: VisitMode | null
  /** Bits of languages, one of them required; 0 for any. */
  languages: number
  /** Minor units, `null` for any fee. */
  feeMax: number | null
  /** Free before this instant; `null` for any time. */
  freeBefore: Instant | null
  /** The earliest start that counts as free. */
  from: Instant
}

/**
 * A provider at the nearest of its places. `nextFree` may have passed, see `Slice.isExact`. For a provider at
 * several places (`siblings`) it is a free time at this one.
 */
export type Match = {
  providerNo: number
  placeNo: number
  siblings: Flag
  nextFree: Instant
  /** Length of visits for which one slot is too short, else 0; and the buffer after them. */
  minutes: number
  bufferMinutes: number
  /** Bits of `featureBits`. */
  features: number
}

/** Number of providers that match, and how many more of their places match besides the nearest. */
export type Count = { total: number; repeats: number }

type Parameters = Parameter[]

function placeholders(count: number, one: string): string {
  return Array<string>(count).fill(one).join(', ')
}

/** Ranges of longitude of the index, and ranges of whole cells. */
const RANGE = { band: 'integer', west: 'double precision', east: 'double precision' } as const
const CELLS = { band: 'integer', west: 'integer', east: 'integer' } as const

function rangeOf({ band, west, east }: Strip): number[] {
  return [band, west, east]
}

const dotProduct = (row: string) => `(${row}.x * ? + ${row}.y * ? + ${row}.z * ?)`

function pushVector(parameters: Parameters, { x, y, z }: UnitVector): void {
  parameters.push(x, y, z)
}

function pushEdge(parameters: Parameters, { centre, leastDot }: Circle): void {
  parameters.push(centre.x, centre.y, centre.z, leastDot)
}

/** Matching rows of one table of ranges. Each range is one scan of the key. */
function fromText(ranges: string, narrowing: MatchFilters): string {
  return `from ${ranges} r join search_index s
    on s.specialty_no in (${placeholders(narrowing.specialtyNos.length, '?')})
      and s.band = r.band and s.longitude >= r.west and s.longitude < r.east${filterText('s', narrowing)}`
}

type Narrowed = Pick<MatchFilters, 'mode'>

/** The fee of an index row's visit type. */
function feeText(row: string, { mode }: Narrowed): string {
  const first = `${row}.fee_minor`
  return mode === null ? first : `coalesce(${row}.${mode}_fee_minor, ${first})`
}

/** The length of an index row's visit type, as in `visit_minutes`. */
function minutesText(row: string, { mode }: Narrowed): string {
  const first = `${row}.visit_minutes`
  return mode === null ? first : `coalesce(${row}.${mode}_minutes, ${first})`
}

/**
 * Free slots `f` where a visit can begin, which for one of several slots is where they are free one after the other. A
 * provider at several places must be free at the one that was found.
 */
function freeSlotsText(row: string, narrowed: Narrowed): string {
  return `from slots f where f.provider_no = ${row}.provider_no and f.free = 1
          and (${row}.siblings = 0 or f.place_no = ${row}.place_no)
          and ${hasConsecutiveSlotsSql('f', minutesText(row, narrowed), `${row}.buffer_minutes`)}`
}

/** `next_free` is of the first type of all: condition that it serves for the type of a mode as well. */
function isSameText(row: string, narrowed: Narrowed): string | null {
  return narrowed.mode === null ? null : `${minutesText(row, narrowed)} = ${row}.visit_minutes`
}

/** `next_free` passes with time: only rows where it has are looked up among the slots. */
function freeBeforeText(row: string, narrowed: Narrowed): string {
  const same = isSameText(row, narrowed)
  const [orOther, andSame] = same === null ? ['', ''] : [` or not ${same}`, ` and ${same}`]
  return `
      and (${row}.next_free < ?${orOther}) and ((${row}.next_free >= ?${andSame}) or exists (
        select 1 ${freeSlotsText(row, narrowed)} and f.start_at >= ? and f.start_at < ?))`
}

function filterText(row: string, narrowing: MatchFilters): string {
  return (
    (narrowing.freeBefore === null ? '' : freeBeforeText(row, narrowing)) +
    (narrowing.feeMax === null ? '' : `\n      and ${feeText(row, narrowing)} <= ?`) +
    (narrowing.features === 0 ? '' : `\n      and (${row}.features & ?) = ?`) +
    (narrowing.languages === 0 ? '' : `\n      and (${row}.languages & ?) <> 0`)
  )
}

function pushNarrowing(parameters: Parameters, narrowing: MatchFilters): void {
  for (const no of narrowing.specialtyNos) parameters.push(no)
  pushFilters(parameters, narrowing)
}

function pushFilters(parameters: Parameters, narrowing: MatchFilters): void {
  const { freeBefore, from, feeMax, features, languages } = narrowing
  if (freeBefore !== null) parameters.push(freeBefore, from, from, freeBefore)
  if (feeMax !== null) parameters.push(feeMax)
  if (features !== 0) parameters.push(features, features)
  if (languages !== 0) parameters.push(languages)
}

/** A place counts only when no other matching place of its provider is nearer. */
function nearerSiblingText(narrowing: MatchFilters): string {
  return `exists (
        select 1 from search_index t where t.provider_no = s.provider_no and t.place_no <> s.place_no
          and (${dotProduct('t')} > ${dotProduct('s')}
            or (${dotProduct('t')} = ${dotProduct('s')} and t.place_no < s.place_no))${filterText('t', narrowing)})`
}

function pushNearerSibling(
  parameters: Parameters,
  centre: UnitVector,
  narrowing: MatchFilters,
): void {
  for (let n = 0; n < 4; n++) pushVector(parameters, centre)
  pushFilters(parameters, narrowing)
}

const texts = new Map<string, string>()

/** Statements differ by the number of ranges and the filters in use: a few hundred at most. */
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

function shapeOf(narrowing: MatchFilters): string {
  const { specialtyNos, freeBefore, feeMax, features, languages, mode } = narrowing
  const filters =
    (freeBefore === null ? 0 : 1) |
    (feeMax === null ? 0 : 2) |
    (features === 0 ? 0 : 4) |
    (languages === 0 ? 0 : 8)
  return `${specialtyNos.length}/${filters}/${mode}`
}

/** Whether the counts of whole cells suffice: they reflect no filter but the specialty. */
function countsByCell({ freeBefore, feeMax, features, languages }: MatchFilters): boolean {
  return freeBefore === null && feeMax === null && features === 0 && languages === 0
}

function cellsText({ specialtyNos }: MatchFilters): string {
  return `(select coalesce(sum(c.places), 0) from inner_cells r join search_cells c
    on c.specialty_no in (${placeholders(specialtyNos.length, '?')})
      and c.band = r.band and c.cell >= r.west and c.cell < r.east)`
}

function innerText(narrowing: MatchFilters): string {
  if (countsByCell(narrowing)) return `${cellsText(narrowing)} +`
  return `(select count(*) ${fromText('inner_ranges', narrowing)}) +`
}

function innerTable(narrowing: MatchFilters): readonly [string, InlineColumns] {
  return countsByCell(narrowing) ? ['inner_cells', CELLS] : ['inner_ranges', RANGE]
}

function innerRows(inner: readonly Strip[], narrowing: MatchFilters): number[][] {
  if (!countsByCell(narrowing)) return inner.map(rangeOf)
  return inner.map((strip) => {
    const { first, end } = cellsOf(strip)
    return [strip.band, first, end]
  })
}

function countText(db: Db, { inner, edge }: Circle, narrowing: MatchFilters): string {
  const ranges = [inlineTable(db, ['edge_ranges', RANGE], edge.length)]
  if (inner.length > 0) ranges.push(inlineTable(db, innerTable(narrowing), inner.length))
  return `with ${ranges.join(', ')}
    select ${inner.length > 0 ? innerText(narrowing) : ''}
      (select count(*) ${fromText('edge_ranges', narrowing)} and ${dotProduct('s')} >= ?) as total,
      exists (select 1 from search_index where siblings = 1) as siblings`
}

/** How many providers fit, each counted once, exactly. */
export async function countMatches(
  db: Db,
  circle: Circle,
  narrowing: MatchFilters,
): Promise<Count> {
  const { inner, edge } = circle
  const hasInner = inner.length > 0
  const parameters = inlineValues(db, edge.map(rangeOf))
  if (hasInner) {
    parameters.push(...inlineValues(db, innerRows(inner, narrowing)))
    pushNarrowing(parameters, narrowing)
  }
  pushNarrowing(parameters, narrowing)
  pushEdge(parameters, circle)
  const shapes = [inlineShape(db, edge.length), hasInner ? inlineShape(db, inner.length) : 'none']
  const text = textOf(`count/${shapes.join('/')}/${shapeOf(narrowing)}`, () =>
    countText(db, circle, narrowing),
  )
  const [row] = await readSql<{ total: number; siblings: unknown }>(db, text, parameters)
  const places = row?.total ?? 0
  // SQLite returns 1, Postgres true.
  const repeats = row?.siblings ? await countRepeats(db, circle, narrowing) : 0
  return { total: places - repeats, repeats }
}

/** Places that fit although another place of the same provider is nearer. */
async function countRepeats(db: Db, circle: Circle, narrowing: MatchFilters): Promise<number> {
  const { outer, centre } = circle
  const parameters = inlineValues(db, outer.map(rangeOf))
  pushNarrowing(parameters, narrowing)
  pushEdge(parameters, circle)
  pushNearerSibling(parameters, centre, narrowing)
  const text = textOf(
    `repeats/${inlineShape(db, outer.length)}/${shapeOf(narrowing)}`,
    () => `with ${inlineTable(db, ['ranges', RANGE], outer.length)} select count(*) as total
      ${fromText('ranges', narrowing)} and s.siblings = 1 and ${dotProduct('s')} >= ? and ${nearerSiblingText(narrowing)}`,
  )
  const [row] = await readSql<{ total: number }>(db, text, parameters)
  return row?.total ?? 0
}

/** The first free time as of now, where the one in the index has passed or is of another visit type. */
function nextFreeText(narrowed: Narrowed): string {
  const same = isSameText('s', narrowed)
  return `case when s.next_free >= ?${same === null ? '' : ` and ${same}`} then s.next_free else coalesce((
        select min(f.start_at) ${freeSlotsText('s', narrowed)} and f.start_at >= ?), ${NEVER}) end`
}

/** Ties are broken by the provider's number, so that pages never overlap. */
const ORDERS: Record<Sort, readonly string[]> = {
  distance: ['near desc'],
  soonest: ['next_free', 'near desc'],
  fee_low: ['fee_minor', 'near desc'],
  fee_high: ['fee_minor desc', 'near desc'],
  name: ['name_key'],
}

function orderText(sort: Sort, row = ''): string {
  return [...ORDERS[sort], 'provider_no'].map((column) => `${row}${column}`).join(', ')
}

export type Slice<S extends keyof Shown = keyof Shown> = {
  /** Columns to read of each provider and place. */
  shown: S
  sort: Sort
  limit: number
  offset: number
  /** Whether `nextFree` must be current; otherwise it may be a time that has passed. */
  isExact: boolean
}

/** A query for a list; `hasRepeats` says whether several places of one provider match. */
export type Listing<S extends keyof Shown = keyof Shown> = {
  narrowing: MatchFilters
  slice: Slice<S>
  hasRepeats: boolean
}

// A bare `limit ?` would be planned again for every call, too.
const LIMIT = 'limit cast(? as integer) offset ?'

/** Joins only the slice with its texts. Names, which the index lacks, are read when sorting by them. */
function listText(db: Db, { outer }: Circle, { narrowing, slice, hasRepeats }: Listing): string {
  const { sort, isExact, shown } = slice
  const { mode } = narrowing
  const first = 'p.follow_amount_minor'
  const follow = mode === null ? first : `coalesce(m.follow_minor, ${first}) as follow_amount_minor`
  return `with ${inlineTable(db, ['ranges', RANGE], outer.length)}, matches as (
      select s.provider_no, s.place_no, s.siblings, ${minutesText('s', narrowing)} as visit_minutes, s.buffer_minutes,
        s.features, ${feeText('s', narrowing)} as fee_minor${mode === null ? '' : `, s.${mode}_follow_minor as follow_minor`},
        ${isExact ? nextFreeText(narrowing) : 's.next_free'} as next_free, ${dotProduct('s')} as near${sort === 'name' ? ', s.name_key' : ''}
      ${fromText('ranges', narrowing)} and ${dotProduct('s')} >= ?
        ${hasRepeats ? `and (s.siblings = 0 or not ${nearerSiblingText(narrowing)})` : ''}
      order by ${orderText(sort)} ${LIMIT})
    select m.provider_no as "providerNo", m.place_no as "placeNo", m.siblings,
      m.visit_minutes as "minutes", m.buffer_minutes as "bufferMinutes", m.next_free as "nextFree", m.features,
      m.fee_minor as amount_minor, ${follow}, ${SHOWN_COLUMNS[shown]}
    from matches m join places l on l.no = m.place_no join providers p on p.no = m.provider_no
    order by ${orderText(sort, 'm.')}`
}

/**
 * One slice of the matching providers, in order, each at the nearest of its places, with the shown columns of
 * both.
 */
export function listMatches<S extends keyof Shown>(
  db: Db,
  circle: Circle,
  listing: Listing<S>,
): Promise<(Match & Shown[S])[]> {
  const { narrowing, slice, hasRepeats } = listing
  const { centre, outer } = circle
  const parameters = inlineValues(db, outer.map(rangeOf))
  if (slice.isExact) parameters.push(narrowing.from, narrowing.from)
  pushVector(parameters, centre)
  pushNarrowing(parameters, narrowing)
  pushEdge(parameters, circle)
  if (hasRepeats) pushNearerSibling(parameters, centre, narrowing)
  parameters.push(slice.limit, slice.offset)
  const options = `${slice.shown}/${slice.sort}/${slice.isExact}/${hasRepeats}`
  const text = textOf(
    `list/${inlineShape(db, outer.length)}/${shapeOf(narrowing)}/${options}`,
    () => listText(db, circle, listing),
  )
  return readSql<Match & Shown[S]>(db, text, parameters)
}
