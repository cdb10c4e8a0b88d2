import type { Done } from '#contract/auth.ts'
import type { VisitorHold, VisitorHoldInput } from '#contract/booking.ts'
import type { VisitMode } from '#contract/search.ts'
import { toIso } from '#contract/time.ts'
import type { Instant } from '#db/columns.ts'
import type { Db } from '#db/engine.ts'
import { modeOfHold } from '#server/booking/mode-rules.ts'
import { factsOf } from '#server/booking/visits/read-visit.ts'
import { type FactsRow, findVisitorHold } from '#server/booking/visits/visit-store.ts'
import type { Context, Tx } from '#server/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import { assertNewcomerCaps, networkKey } from './cap-holds.ts'
import { findOffer, type TypedOffer } from './find-offer.ts'
import { expireVisitorHold } from './hold-store.ts'
import { releaseOverdue } from './release-booking.ts'
import type { Span } from './slot-store.ts'
import { takeOffer, writeHold } from './take-slot.ts'
import { clearVisitor, ensureVisitor, visitorOf } from './visitor.ts'

function toVisitorHold(row: FactsRow, now: Instant): VisitorHold {
  return { ...factsOf(row, now), holdUntil: toIso(row.hold_until) }
}

async function findHeld(ctx: Context, db: Db, visitor: string): Promise<FactsRow | null> {
  return (await findVisitorHold(db, visitor, ctx.now())) ?? null
}

function isSameTime(row: FactsRow, { visit }: TypedOffer): boolean {
  return row.provider_no === visit.providerNo && row.start_at === visit.start
}

function isSameOffer(row: FactsRow, offer: TypedOffer): boolean {
  return isSameTime(row, offer) && row.type_no === offer.type.no
}

/** Expires the visitor's other hold and returns its time. */
async function expireOther(ctx: Context, tx: Tx, visitor: string): Promise<Span | null> {
  const ended = await expireVisitorHold(tx.db, { visitor, now: ctx.now() })
  if (ended === undefined) return null
  return { providerNo: ended.provider_no, start: ended.start_at, end: ended.end_at }
}

type HoldRequest = { offer: TypedOffer; distance: string | null; mode: VisitMode; visitor: string }
type HoldResult = { hold: VisitorHold; released: Span | null }

/** Replaces the visitor's hold with a new one; if the new one fails, they keep the old one. */
function takeSlot(
  ctx: Context,
  { offer, distance, mode, visitor }: HoldRequest,
): Promise<HoldResult> {
  const { provider } = offer
  return ctx.transaction(async (tx) => {
    // Serializes requests of one visitor; those of one network are serialized further down.
    await tx.attempts.take('hold', `visitor ${visitor}`)
    const same = await findHeld(ctx, tx.db, visitor)
    if (same !== null && isSameOffer(same, offer))
      return { hold: toVisitorHold(same, ctx.now()), released: null }
    const released = await expireOther(ctx, tx, visitor)
    await tx.attempts.take('visitor_hold', networkKey(ctx))
    const heldFrom = await assertNewcomerCaps(ctx, tx, provider.no)
    const owner = { patientNo: null, visitor }
    await writeHold(ctx, tx, { offer, distance, mode, owner, heldFrom, purpose: '' })
    const row = await findHeld(ctx, tx.db, visitor)
    if (row === null) throw new AppError('hold_expired')
    return { hold: toVisitorHold(row, ctx.now()), released }
  })
}

/**
 * Holds a time for fifteen minutes for a visitor who is not signed in, until `holdSlot` transfers it to their
 * account. A visitor has one hold: a new one replaces it. No payment and no personal data. Throws
 * `rate_limited` once a network's visitors have reached the daily cap of one patient.
 */
export async function holdAsVisitor(ctx: Context, input: VisitorHoldInput): Promise<VisitorHold> {
  const found = await findOffer(ctx, input)
  const { visitor, remember } = ensureVisitor(ctx)
  const mode = modeOfHold({ ...found.provider, type_mode: found.type.mode }, input.mode)
  const current = await findHeld(ctx, ctx.database.db, visitor)
  const isOther =
    current !== null &&
    isSameTime(current, found) &&
    !(isSameOffer(current, found) && current.mode === mode)
  // Another type or mode at the same start: the visitor's active hold is released first.
  if (isOther) await leaveAsVisitor(ctx)
  const offer = isOther ? await findOffer(ctx, input) : found
  const request = { offer, visitor, mode, distance: input.distance ?? null }
  const { hold, released } = await takeOffer<HoldResult>(ctx, offer, {
    findMine: async () => {
      const row = await findHeld(ctx, ctx.database.db, visitor)
      return row !== null && isSameOffer(row, offer)
        ? { hold: toVisitorHold(row, ctx.now()), released: null }
        : null
    },
    isOwn: (claim) => claim.visitor === visitor,
    take: () => takeSlot(ctx, request),
  })
  remember()
  if (released !== null) await releaseOverdue(ctx, released)
  return hold
}

/** The hold of this browser's visitor, or null. */
export async function readVisitorHold(ctx: Context): Promise<VisitorHold | null> {
  const visitor = visitorOf(ctx)
  const row = visitor === null ? null : await findHeld(ctx, ctx.database.db, visitor)
  return row === null ? null : toVisitorHold(row, ctx.now())
}

/** Releases the hold of this browser's visitor, if any. */
export async function leaveAsVisitor(ctx: Context): Promise<Done> {
  const visitor = visitorOf(ctx)
  if (visitor === null) return { status: true }
  const released = await ctx.transaction((tx) => expireOther(ctx, tx, visitor))
  if (released !== null) await releaseOverdue(ctx, released)
  clearVisitor(ctx)
  return { status: true }
}
