import type { VisitMode } from '#contract/search.ts'
import { type Instant, NEVER, parseJson, toFlag } from '#db/columns.ts'
import type { Db } from '#db/engine.ts'
import type { SearchIndexRow } from '#db/tables/search.ts'
import type { Services } from '#server/context.ts'
import { bandOf, unitVector } from './circle.ts'
import {
  listIndexSources,
  listIndexTypes,
  listNextFree,
  listNextFreeAt,
  listProviderNos,
  lockIndex,
  rebuildCells,
  replaceIndexRows,
  updateNextFree,
  updateStaleNextFree,
} from './index-store.ts'
import { featuresOf, isComplete, languageBits, nameKey } from './rules.ts'
import { findAnyProvider } from './store.ts'

/** Keeps statements below the engines' limit of parameters, and short on the main thread. */
const BATCH = 200

type Source = Awaited<ReturnType<typeof listIndexSources>>[number]

type TypeRow = Awaited<ReturnType<typeof listIndexTypes>>[number]

/** A place of a provider with the visit types offered there, the first of all being offered everywhere. */
type Offer = Source & {
  types: TypeRow[]
  /** Length of a slot, that of the provider's shortest type; null without types. */
  step: number | null
}

/** The first visit type that takes place in this mode. */
function firstIn(mode: VisitMode, types: readonly TypeRow[]): TypeRow | undefined {
  return types.find((type) => type.mode === mode || type.mode === 'both')
}

/** A place as patients can book there: a mode that none of its visit types has is not offered. */
function offerAt(source: Source, own: readonly TypeRow[]): Offer {
  const types = own.filter(({ place_no: only }) => only === null || only === source.place_no)
  const isBookable = (mode: VisitMode) => own.length === 0 || firstIn(mode, types) !== undefined
  return {
    ...source,
    types,
    step: own.length === 0 ? null : Math.min(...own.map(({ minutes }) => minutes)),
    offers_in_person: toFlag(source.offers_in_person === 1 && isBookable('in_person')),
    offers_video: toFlag(source.offers_video === 1 && isBookable('video')),
  }
}

/** `minutes` if a visit of this length takes more than one slot, else 0. */
function ifSeveralSlots(minutes: number, { step }: Offer): number {
  return step !== null && minutes > step ? minutes : 0
}

/** What a search by mode shows and compares; null where that is the first type of all. */
function shownBy(mode: VisitMode, offer: Offer) {
  const type = firstIn(mode, offer.types)
  if (type === undefined || type === offer.types[0])
    return { fee: null, follow: null, minutes: null }
  return {
    fee: type.first_minor,
    follow: type.follow_minor,
    minutes: ifSeveralSlots(type.minutes, offer),
  }
}

function indexRow(source: Offer, nextFree: Instant, isOneOfSeveral: boolean): SearchIndexRow {
  const inPerson = shownBy('in_person', source)
  const video = shownBy('video', source)
  return {
    specialty_no: source.specialty_no,
    band: bandOf(source.latitude),
    longitude: source.longitude,
    provider_no: source.provider_no,
    place_no: source.place_no,
    ...unitVector(source),
    next_free: nextFree,
    fee_minor: source.amount_minor,
    features: featuresOf(source),
    languages: languageBits(parseJson<string[]>(source.languages)),
    siblings: isOneOfSeveral ? 1 : 0,
    name_key: nameKey(source),
    visit_minutes: ifSeveralSlots(source.consultation_minutes, source),
    buffer_minutes: source.buffer_minutes ?? 0,
    in_person_fee_minor: inPerson.fee,
    in_person_follow_minor: inPerson.follow,
    in_person_minutes: inPerson.minutes,
    video_fee_minor: video.fee,
    video_follow_minor: video.follow,
    video_minutes: video.minutes,
  }
}

async function reindexBatch(db: Db, now: Instant, providerNos: readonly number[]): Promise<void> {
  const types = Map.groupBy(await listIndexTypes(db, providerNos), (type) => type.provider_no)
  const sources = (await listIndexSources(db, providerNos))
    .map((source) => offerAt(source, types.get(source.provider_no) ?? []))
    .filter(isComplete)
  const nextFree = await listNextFree(db, providerNos, now)
  const places = Map.groupBy(sources, (source) => source.provider_no)
  const severals = [...places].flatMap(([no, { length }]) => (length > 1 ? [no] : []))
  const nextFreeAt = await listNextFreeAt(db, severals, now)
  const rows = sources.map((source) => {
    const isOneOfSeveral = severals.includes(source.provider_no)
    const next = isOneOfSeveral ? nextFreeAt.get(source.place_no) : nextFree.get(source.provider_no)
    return indexRow(source, next ?? NEVER, isOneOfSeveral)
  })
  await replaceIndexRows(db, providerNos, rows)
  const longs = rows.filter((row) => row.visit_minutes > 0).map((row) => row.provider_no)
  if (longs.length > 0) await updateNextFree(db, now, longs)
}

/**
 * Rewrites the index rows of these providers, or of all: Verified ones with a complete profile are listed at
 * each of their places, others are removed. Runs in the transaction that changed them.
 */
export async function reindexProviders(
  db: Db,
  now: Instant,
  providerNos?: readonly number[],
): Promise<void> {
  await lockIndex(db)
  if (providerNos !== undefined) {
    for (let from = 0; from < providerNos.length; from += BATCH) {
      await reindexBatch(db, now, providerNos.slice(from, from + BATCH))
    }
    return
  }
  for (let batch = await listProviderNos(db, 0, BATCH); batch.length > 0; ) {
    await reindexBatch(db, now, batch)
    batch = await listProviderNos(db, batch.at(-1) ?? 0, BATCH)
  }
  // Repairs what an interrupted run left behind.
  await rebuildCells(db)
}

/** Updates the search for a provider that another feature module changed. */
export async function reindexChanged(services: Services, providerId: string): Promise<void> {
  const { database, now } = services
  const provider = await findAnyProvider(database.db, providerId)
  if (provider === undefined) return
  await database.transaction((db) => reindexProviders(db, now(), [provider.no]))
}

type RefreshContext = Pick<Services, 'database' | 'now' | 'background'>

/**
 * Recomputes the first free slot of rows where it has passed. Searches are correct without it, because they
 * check such rows themselves; it keeps them few.
 */
export async function refreshNextFree(ctx: RefreshContext, signal?: AbortSignal): Promise<void> {
  const batch = () =>
    ctx.database.transaction(async (db) => {
      // Updates many rows in no fixed order: two such writers could deadlock.
      await lockIndex(db)
      return updateStaleNextFree(db, ctx.now(), BATCH)
    })
  await ctx.background.drain(BATCH, batch, signal)
}

/**
 * Recomputes the first free slot of providers whose slots have changed, in the transaction that changed them.
 */
export async function refreshNextFreeOf(
  db: Db,
  now: Instant,
  providerNos: readonly number[],
): Promise<void> {
  await updateNextFree(db, now, providerNos)
}
