import type { VisitMove } from '#contract/booking.ts'
import { toIso } from '#contract/time.ts'
import type { Db } from '#db/engine.ts'
import * as store from './moves-store.ts'

/** How often its patient has moved a visit themself. */
export function countOwnMoves(db: Db, bookingNo: number): Promise<number> {
  return store.countOwnMoves(db, bookingNo)
}

/** The moves of some visits by their numbers, earliest first; a visit without any has no entry. */
export async function movesOf(
  db: Db,
  bookingNos: readonly number[],
): Promise<ReadonlyMap<number, VisitMove[]>> {
  const moves = new Map<number, VisitMove[]>()
  for (const row of await store.listMoves(db, bookingNos)) {
    if (row.from_at === null || row.to_at === null) continue
    const of = moves.get(row.booking_no) ?? []
    const { by_kind: by } = row
    of.push({ at: toIso(row.at), by, from: toIso(row.from_at), to: toIso(row.to_at) })
    moves.set(row.booking_no, of)
  }
  return moves
}
