import type { Database } from '#db/engine.ts'
import { claimMeta, readMeta } from '#demo/meta.ts'

const KEY = 'demo_favourites'
const PATIENT = 'patient@demo.example'
const HOUR = 3_600_000
/** How many are saved: the provider visitors look at first, and the next of the region. */
const SAVED = 2

/** Gives the patient people sign in as two saved providers. Runs once; returns whether this call did. */
export async function seedFavourites(
  database: Database,
  { now }: { now: number },
): Promise<boolean> {
  if ((await readMeta(database.db, KEY)) !== undefined) return false
  return database.transaction(async (db) => {
    if (!(await claimMeta(db, KEY, '1'))) return false
    const patient = await db
      .selectFrom('accounts')
      .select('no')
      .where('email', '=', PATIENT)
      .where('kind', '=', 'patient')
      .executeTakeFirst()
    const providers = await db
      .selectFrom('providers')
      .select('no')
      .where('email', 'like', '%@demo.example')
      .where('verification_status', '=', 'Verified')
      .where('region', '=', 'uk')
      .orderBy('no')
      .limit(SAVED)
      .execute()
    if (patient === undefined || providers.length === 0) return true
    const rows = providers.map(({ no }, at) => ({
      account_no: patient.no,
      provider_no: no,
      created_at: now - (at + 1) * 26 * HOUR,
    }))
    await db
      .insertInto('favourites')
      .values(rows)
      .onConflict((conflict) => conflict.columns(['account_no', 'provider_no']).doNothing())
      .execute()
    return true
  })
}
