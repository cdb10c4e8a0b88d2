import type { Visit } from '#contract/booking.ts'
import type { Db } from '#db/engine.ts'
import type { SignedIn } from '#server/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import { visitOf } from './visit-facts.ts'
import { findOwnVisit, findVisit, type VisitRow } from './visit-store.ts'

function isVisit(row: VisitRow | undefined): row is VisitRow {
  return row?.state === 'confirmed' || row?.state === 'cancelled'
}

/** A visit whoever asks; null when there is none of that id. The caller has settled whose it is. */
export async function readVisitIn(db: Db, id: string): Promise<Visit | null> {
  const row = await findVisit(db, id)
  return isVisit(row) ? visitOf(row) : null
}

/** The row of one of the viewer's visits; anything else is `not_found`. */
export async function readOwnVisit(ctx: SignedIn, id: string): Promise<VisitRow> {
  const row = await findOwnVisit(ctx.database.db, id, ctx.session.accountNo)
  if (!isVisit(row)) throw new AppError('not_found')
  return row
}

/** One of the viewer's visits. */
export async function readVisit(ctx: SignedIn, { id }: { id: string }): Promise<Visit> {
  return visitOf(await readOwnVisit(ctx, id))
}
