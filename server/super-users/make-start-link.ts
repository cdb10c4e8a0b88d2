import { START_LINK_MS } from '#contract/super-users.ts'
import type { Services } from '#server/context.ts'
import { insertStartLink, isWithoutStaff } from './store.ts'

type Maker = Pick<Services, 'database' | 'secrets' | 'now' | 'config'>

/**
 * The address under which the first superuser of an installation comes in, or null where there is
 * staff. Its token stands behind the `#`, which browsers send to no server and no server logs.
 */
export async function makeStartLink(services: Maker): Promise<string | null> {
  const { database, secrets, now, config } = services
  const token = secrets.token()
  const isMade = await database.transaction(async (db) => {
    if (!(await isWithoutStaff(db))) return false
    const at = now()
    const hash = secrets.mac('link', token)
    await insertStartLink(db, {
      hash,
      created_at: at,
      expires_at: at + START_LINK_MS,
      used_at: null,
    })
    return true
  })
  return isMade ? `${config.publicUrl}/admin-start#${token}` : null
}
