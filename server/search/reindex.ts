import { type Instant, NEVER, parseJson, toFlag } from '#db/columns.ts'
import type { Db } from '#db/engine.ts'
import type { SearchIndexRow } from '#db/tables/search.ts'
import type { Services } from '#server/context.ts'
import { bandOf, unitVector } from './circle.ts'
import {
  listIndexSources,
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

/** Whether visits of the first type take more than one slot; a slot is as long as the shortest type. */
function takesSeveralSlots({ consultation_minutes: minutes, step_minutes: step }: Source): boolean {
  return step !== null && minutes > step
}

/** A source as patients can book it: a mode that none of its visit types has is not offered. */
function asBookable(source: Source): Source {
  if (source.step_minutes === null) return source
  const { offers_in_person: inPerson, offers_video: video } = source
  return {
    ...source,
    offers_in_person: toFlag(inPerson === 1 && Number(source.in_person_types) > 0),
    offers_video: toFlag(video === 1 && Number(source.video_types) > 0),
  }
}

function indexRow(source: Source, nextFree: Instant, isOneOfSeveral: boolean): SearchIndexRow {
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
    visit_minutes: takesSeveralSlots(source) ? source.consultation_minutes : 0,
    buffer_minutes: source.buffer_minutes ?? 0,
  }
}

async function reindexBatch(db: Db, now: Instant, providerNos: readonly number[]): Promise<void> {
  const sources = (await listIndexSources(db, providerNos)).map(asBookable).filter(isComplete)
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
  const longs = sources.filter(takesSeveralSlots).map((source) => source.provider_no)
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
