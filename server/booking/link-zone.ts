import type { Db } from '#db/engine.ts'
import type { FactsRow } from '#server/booking/visits/visit-store.ts'
import { findMainZone } from './store.ts'

/** The zone in which links and the checkout read a date and time: that of the provider's main place. */
export async function linkZone(
  db: Db,
  row: Pick<FactsRow, 'provider_no' | 'time_zone'>,
): Promise<string> {
  return (await findMainZone(db, row.provider_no)) ?? row.time_zone
}
