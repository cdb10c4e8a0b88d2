import { DAY_MS } from '#contract/time.ts'
import type { Database } from '#db/engine.ts'
import {
  demoProviders,
  planSlots,
  type Reindex,
  SLOTS_KEY,
  writeSlots,
} from '#demo/practice/slots.ts'
import { readMeta, swapMeta } from './meta.ts'

/** How long slots are kept after they end. */
const RETENTION_MS = 7 * DAY_MS

/**
 * Advances the demo's calendars to `now`: adds the days that have come into view, books up the near ones as
 * time would, and deletes slots older than a week. Does nothing until some clinic has a new day, so it may be
 * called at every start and every hour. Returns the slots added.
 */
export async function topUpDemo(
  database: Database,
  options: { now: number; reindex: Reindex },
): Promise<number> {
  const { now, reindex } = options
  const last = await readMeta(database.db, SLOTS_KEY)
  if (last === undefined) return 0
  const providers = await demoProviders(database.db)
  const work = planSlots(providers, now, Number(last))
  if (work.added.length === 0 && work.booked.length === 0) return 0
  return database.transaction(async (db) => {
    if (!(await swapMeta(db, SLOTS_KEY, { from: last, to: String(now) }))) return 0
    await db
      .deleteFrom('slots')
      .where('start_at', '<', now - RETENTION_MS)
      .where(
        'provider_no',
        'in',
        db.selectFrom('providers').select('no').where('email', 'like', '%@demo.example'),
      )
      .execute()
    await writeSlots(database.engine, db, work)
    await reindex(
      db,
      now,
      providers.map((provider) => provider.no),
    )
    return work.added.length
  })
}
