import type { Db } from '#db/engine.ts'
import type { Span } from '#server/booking/hold/slot-store.ts'

type Claim = Span & { deskNo: number }

/**
 * Claims a time for a desk visit, offered or not, in the same table as every booking; the database
 * refuses it when another claim of the provider overlaps.
 */
export async function insertDeskClaim(db: Db, claim: Claim): Promise<void> {
  const { deskNo, providerNo, start, end } = claim
  await db
    .insertInto('slot_claims')
    .values({ desk_no: deskNo, provider_no: providerNo, start_at: start, end_at: end })
    .execute()
}

/** Moves the claim of a desk visit; it may overlap its own old time. */
export async function moveDeskClaim(db: Db, { deskNo, start, end }: Claim): Promise<void> {
  await db
    .updateTable('slot_claims')
    .set({ start_at: start, end_at: end })
    .where('desk_no', '=', deskNo)
    .execute()
}

export async function deleteDeskClaim(db: Db, deskNo: number): Promise<void> {
  await db.deleteFrom('slot_claims').where('desk_no', '=', deskNo).execute()
}
