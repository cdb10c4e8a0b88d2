import type { HomepageState, HomepageVersions } from '#contract/gallery-staff.ts'
import { toIso } from '#contract/time.ts'
import type { Db } from '#db/engine.ts'
import { colleague } from './rules.ts'
import { showHomepages } from './show-homepage.ts'
import { getHomepage, listVersions as listRows } from './store.ts'

/** The homepage together with the number of its version. */
export async function readState(db: Db): Promise<HomepageState> {
  const record = await getHomepage(db)
  const [homepage] = await showHomepages(db, [record])
  if (homepage === undefined) throw new Error('The homepage was not shown.')
  return { ...homepage, version: record.version }
}

/** What the homepage is, and what it was: who changed what when. */
export async function listVersions(db: Db): Promise<HomepageVersions> {
  const rows = await listRows(db)
  const homepages = await showHomepages(db, rows)
  return {
    current: await readState(db),
    versions: rows.flatMap((row, at) => {
      const homepage = homepages[at]
      if (homepage === undefined) return []
      const { version, act, restored } = row
      return [{ version, at: toIso(row.at), by: colleague(row), act, restored, homepage }]
    }),
  }
}
