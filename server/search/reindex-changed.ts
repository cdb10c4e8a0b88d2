import type { Services } from '#server/context.ts'
import { reindexProviders } from './index-rows.ts'
import { findProviderNo } from './index-store.ts'

/** Brings the search up to date with a provider that another room changed. */
export async function reindexChanged(services: Services, providerId: string): Promise<void> {
  const { database, now } = services
  const provider = await findProviderNo(database.db, providerId)
  if (provider === undefined) return
  await database.transaction((db) => reindexProviders(db, now(), [provider.no]))
}
