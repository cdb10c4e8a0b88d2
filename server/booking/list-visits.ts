import { VISITS_PAGE_SIZE, type VisitsInput, type VisitsPage } from '#contract/booking.ts'
import type { SignedIn } from '#server/context.ts'
import { cursorText, readCursor } from './rules.ts'
import { visitOf } from './visit-facts.ts'
import { countVisitsOf, listVisitsOf } from './visit-store.ts'

/** A page of the viewer's visits: coming ones soonest first, past ones latest first. */
export async function listVisits(ctx: SignedIn, input: VisitsInput): Promise<VisitsPage> {
  const { db } = ctx.database
  const wanted = { patientNo: ctx.session.accountNo, when: input.when, now: ctx.now() }
  const after = input.after === undefined ? null : readCursor(input.after)
  const rows = await listVisitsOf(db, { ...wanted, after, limit: VISITS_PAGE_SIZE + 1 })
  const page = rows.slice(0, VISITS_PAGE_SIZE)
  const last = rows.length > VISITS_PAGE_SIZE ? page.at(-1) : undefined
  return {
    visits: page.map(visitOf),
    next: last === undefined ? null : cursorText({ startAt: last.start_at, no: last.no }),
    total: await countVisitsOf(db, wanted),
  }
}
