import { parseJson } from '#db/columns.ts'
import type { Db } from '#db/engine.ts'
import { findLicensedStates, listPlaceStates } from './video-store.ts'

/**
 * The US states whose patients a provider may see by video, as two letters in their order: those the
 * provider has named, else those of their places. None for a provider elsewhere.
 */
export async function licensedStates(db: Db, providerNo: number): Promise<string[]> {
  const row = await findLicensedStates(db, providerNo)
  if (row === undefined || row.region !== 'usa') return []
  if (row.licensed_states !== null) return parseJson<string[]>(row.licensed_states)
  return listPlaceStates(db, providerNo)
}
