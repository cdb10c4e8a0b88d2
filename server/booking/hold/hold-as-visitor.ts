import type { Done } from '#contract/auth.ts'
import type { VisitorHold, VisitorHoldInput } from '#contract/booking.ts'
import type { VisitMode } from '#contract/search.ts'
import { toIso } from '#contract/time.ts'
import type { Instant } from '#db/columns.ts'
import type { Db } from '#db/engine.ts'
import { modeOfHold } from '#server/booking/mode-rules.ts'
import { factsOf } from '#server/booking/visits/read-visit.ts'
import { type FactsRow, findOfVisitor } from '#server/booking/visits/visit-store.ts'
import type { Context, Tx } from '#server/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import { capNewcomer, networkKey } from './cap-holds.ts'
import { findOffer, type TypedOffer } from './find-offer.ts'
import { endOfVisitor } from './hold-store.ts'
import { releaseOverdue } from './release-booking.ts'
import type { Span } from './slot-store.ts'
import { takeOffer, writeHold } from './take-slot.ts'
import { forgetVisitor, meetVisitor, visitorOf } from './visitor.ts'

function viewOf(row: FactsRow, now: Instant): VisitorHold {
  return { ...factsOf(row, now), holdUntil: toIso(row.hold_until) }
}

async function findHeld(ctx: Context, db: Db, visitor: string): Promise<FactsRow | null> {
  return (await findOfVisitor(db, visitor, ctx.now())) ?? null
}

function isAt(row: FactsRow, { visit }: TypedOffer): boolean {
  return row.provider_no === visit.providerNo && row.start_at === visit.start
}

function isFor(row: FactsRow, offer: TypedOffer): boolean {
  return isAt(row, offer) && row.type_no === offer.type.no
}

/** Expires the visitor's other hold and returns its time. */
async function endOther(ctx: Context, tx: Tx, visitor: string): Promise<Span | null> {
  const ended = await endOfVisitor(tx.db, { visitor, now: ctx.now() })
  if (ended === undefined) return null
  return { providerNo: ended.provider_no, start: ended.start_at, end: ended.end_at }
}

type Wanted = { offer: TypedOffer; distance: string | null; mode: VisitMode; visitor: string }
type Taken = { hold: VisitorHold; given: Span | null }

/** Replaces the visitor's hold with a new one; if the new one fails, they keep the old one. */
function takeSlot(ctx: Context, { offer, distance, mode, visitor }: Wanted): Promise<Taken> {
  const { provider } = offer
  return ctx.transaction(async (tx) => {
    // Serializes requests of one visitor; those of one network are serialized further down.
    await tx.attempts.take('hold', `visitor ${visitor}`)
    const same = await findHeld(ctx, tx.db, visitor)
    if (same !== null && isFor(same, offer)) return { hold: viewOf(same, ctx.now()), given: null }
    const given = await endOther(ctx, tx, visitor)
    await tx.attempts.take('visitor_hold', networkKey(ctx))
    const heldFrom = await capNewcomer(ctx, tx, provider.no)
    const owner = { patientNo: null, visitor }
    await writeHold(ctx, tx, { offer, distance, mode, owner, heldFrom, purpose: '' })
    const row = await findHeld(ctx, tx.db, visitor)
    if (row === null) throw new AppError('hold_expired')
    return { hold: viewOf(row, ctx.now()), given }
  })
}

/**
 * Holds a time for fifteen minutes for a visitor who is not signed in, until `holdSlot` transfers it to their
 * account. A visitor has one hold: a new one replaces it. No payment and no personal data. Throws
 * `rate_limited` once a network's visitors have reached the daily cap of one patient.
 */
export async function holdAsVisitor(ctx: Context, input: VisitorHoldInput): Promise<VisitorHold> {
  const found = await findOffer(ctx, input)
  const { visitor, remember } = meetVisitor(ctx)
  const mode = modeOfHold({ ...found.provider, type_mode: found.type.mode }, input.mode)
  const kept = await findHeld(ctx, ctx.database.db, visitor)
  const isOther = kept !== null && isAt(kept, found) && !(isFor(kept, found) && kept.mode === mode)
  // Another type or mode at the same start: the visitor's active hold is released first.
  if (isOther) await leaveAsVisitor(ctx)
  const offer = isOther ? await findOffer(ctx, input) : found
  const wanted = { offer, visitor, mode, distance: input.distance ?? null }
  const { hold, given } = await takeOffer<Taken>(ctx, offer, {
    findMine: async () => {
      const row = await findHeld(ctx, ctx.database.db, visitor)
      return row !== null && isFor(row, offer)
        ? { hold: viewOf(row, ctx.now()), given: null }
        : null
    },
    isOwn: (claim) => claim.visitor === visitor,
    take: () => takeSlot(ctx, wanted),
  })
  remember()
  if (given !== null) await releaseOverdue(ctx, given)
  return hold
}

/** The hold of this browser's visitor, or null. */
export async function readVisitorHold(ctx: Context): Promise<VisitorHold | null> {
  const visitor = visitorOf(ctx)
  const row = visitor === null ? null : await findHeld(ctx, ctx.database.db, visitor)
  return row === null ? null : viewOf(row, ctx.now())
}

/** Releases the hold of this browser's visitor, if any. */
export async function leaveAsVisitor(ctx: Context): Promise<Done> {
  const visitor = visitorOf(ctx)
  if (visitor === null) return { status: true }
  const given = await ctx.transaction((tx) => endOther(ctx, tx, visitor))
  if (given !== null) await releaseOverdue(ctx, given)
  forgetVisitor(ctx)
  return { status: true }
}
