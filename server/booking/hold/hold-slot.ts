import type { Done } from '#contract/base/done.ts'
import { DAY_MS, toIso } from '#contract/base/time.ts'
import type { Hold, HoldInput, VisitorHold, VisitorHoldInput } from '#contract/booking.ts'
import type { VisitMode } from '#contract/search.ts'
import type { Instant } from '#db/columns.ts'
import type { Db } from '#db/engine.ts'
import { linkZone } from '#server/booking/link-zone.ts'
import { assertHoldLimits, modeOfHold } from '#server/booking/rules.ts'
import { findLastPurpose, hasLivePayment, listRecent } from '#server/booking/store.ts'
import { factsOf } from '#server/booking/visits/read-visit.ts'
import { type FactsRow, findVisitorHold } from '#server/booking/visits/visit-store.ts'
import type { Context, SignedIn, Tx } from '#server/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import { type Proof, readProof } from '#server/kernel/security/captcha.ts'
import { assertNoOverlap, findOffer, type TypedOffer } from './find-offer.ts'
import { expireVisitorHold, hasEverPaid, setPatient } from './hold-store.ts'
import { describeHold, readHold, readHoldIn, releaseBooking, releaseOverdue } from './holds.ts'
import { listClaimsIn, type Span } from './slot-store.ts'
import {
  admitNewcomer,
  assertPatientCap,
  assertUpcomingCap,
  type Claims,
  capHolds,
  takeOffer,
  writeHold,
} from './take-slot.ts'

type TransferRequest = { claim: Claims[number]; span: Span; visitor: string; overlapOk: boolean }

/**
 * Transfers a visitor's hold to the account they have signed in to, with its remaining minutes. The account's
 * own caps apply as for a new hold; those of the network and the provider already count it. Null when the
 * hold is no longer the visitor's: expired, released, or transferred by another tab.
 */
async function transferHold(ctx: SignedIn, request: TransferRequest): Promise<Hold | null> {
  const { claim, span, visitor, overlapOk } = request
  const patientNo = ctx.session.accountNo
  const hold = await ctx.transaction(async (tx) => {
    const now = ctx.now()
    // Serializes requests of one patient.
    await tx.attempts.take('hold', ctx.session.userId)
    const recent = { patientNo, since: now - DAY_MS }
    const own = await listRecent(tx.db, recent)
    // Another tab has just transferred it.
    if (own.some(({ id }) => id === claim.id)) return readHoldIn(ctx, tx.db, claim.id)
    assertHoldLimits(own, now)
    await assertUpcomingCap(ctx, tx, span.providerNo)
    if (!overlapOk) await assertNoOverlap(ctx, tx, span)
    await assertPatientCap(ctx, tx)
    const owner = {
      patientNo,
      purpose: await findLastPurpose(tx.db, recent),
      isKnown: await hasEverPaid(tx.db, patientNo),
    }
    const heldFrom = await setPatient(tx.db, { no: claim.no, visitor, now }, owner)
    if (heldFrom === undefined) return null
    // From now on it counts as a hold of this patient.
    if (heldFrom !== null) await tx.attempts.uncount('visitor_hold', heldFrom)
    await tx.audit.add({ action: 'booking.taken_over', entity: claim.id })
    return readHoldIn(ctx, tx.db, claim.id)
  })
  if (hold !== null) clearVisitor(ctx)
  return hold
}

type HoldRequest = {
  offer: TypedOffer
  distance: string | null
  mode: VisitMode
  overlapOk: boolean
  proof: Proof
}

/** Writes the hold, or returns the one another tab of the same patient has just written. */
async function takeSlot(ctx: SignedIn, request: HoldRequest): Promise<Hold> {
  const { offer, distance, mode, overlapOk, proof } = request
  const { provider, visit } = offer
  const patientNo = ctx.session.accountNo
  return ctx.transaction(async (tx) => {
    const now = ctx.now()
    // Serializes requests of one patient.
    await tx.attempts.take('hold', ctx.session.userId)
    const own = await listRecent(tx.db, { patientNo, since: now - DAY_MS })
    const same = own.find(
      (one) =>
        one.state === 'held' &&
        one.hold_until > now &&
        one.provider_no === provider.no &&
        one.start_at === visit.start,
    )
    if (same !== undefined) return readHoldIn(ctx, tx.db, same.id)
    assertHoldLimits(own, now)
    await assertUpcomingCap(ctx, tx, provider.no)
    if (!overlapOk) await assertNoOverlap(ctx, tx, visit)
    const heldFrom = await capHolds(ctx, tx, { providerNo: provider.no, proof })
    // A patient who lost a time does not have to enter the purpose again.
    const purpose = await findLastPurpose(tx.db, { patientNo, since: now - DAY_MS })
    const owner = { patientNo, visitor: null }
    const id = await writeHold(ctx, tx, { offer, distance, mode, owner, heldFrom, purpose })
    return readHoldIn(ctx, tx.db, id)
  })
}

/**
 * The viewer's own hold among claims, or the one they made as a visitor, which is transferred to them.
 * Refuses times they have paid for or are paying for.
 */
async function findMine(ctx: SignedIn, claims: Claims, request: HoldRequest): Promise<Hold | null> {
  const { start } = request.offer.span
  const visitor = visitorOf(ctx)
  const same = claims.find((one) => one.start_at === start)
  if (same === undefined) return null
  if (visitor !== null && same.visitor === visitor) {
    const { overlapOk } = request
    return transferHold(ctx, { claim: same, span: request.offer.visit, visitor, overlapOk })
  }
  if (same.patient_no !== ctx.session.accountNo) return null
  if (same.state !== 'held') throw new AppError('hold_paid')
  if (same.hold_until > ctx.now()) return readHold(ctx, { holdId: same.id })
  if (await hasLivePayment(ctx.database.db, same.no)) throw new AppError('payment_busy')
  return null
}

/** Releases the viewer's hold of another type at the same start; returns whether there was one. */
async function releaseOtherType(ctx: SignedIn, { span, type }: TypedOffer): Promise<boolean> {
  const { accountNo } = ctx.session
  const claims = await listClaimsIn(ctx.database.db, span)
  const other = claims.find(
    (one) =>
      one.patient_no === accountNo &&
      one.state === 'held' &&
      one.start_at === span.start &&
      (one.type_no ?? type.no) !== type.no,
  )
  if (other === undefined) return false
  const isGiven = await ctx.transaction((tx) =>
    releaseBooking(ctx, tx, { bookingNo: other.no, reason: 'left' }),
  )
  // A payment for it is running in another tab, and has to be cancelled first.
  if (!isGiven) throw new AppError('payment_busy')
  return true
}

/**
 * Holds a time for the viewer for fifteen minutes. A repeat for the same time returns the same hold, or a new
 * one for another type of visit; the viewer's hold as a visitor is transferred with its remaining minutes.
 * `slot_taken` and similar errors carry the nearest free times. Throws `visits_overlap` when the viewer has
 * another visit or hold then, unless `overlapOk` is set; `mode_not_offered` for a mode the provider does not
 * offer; `too_many_unpaid_holds` and `too_many_coming` at the caps on unpaid holds and upcoming visits;
 * `captcha_required` where many newcomers hold times.
 */
export async function holdSlot(ctx: SignedIn, input: HoldInput): Promise<Hold> {
  const proof = await readProof(ctx, input.captchaValue)
  const found = await findOffer(ctx, input)
  // Look again: the released time is free now.
  const offer = (await releaseOtherType(ctx, found)) ? await findOffer(ctx, input) : found
  const { distance = null, overlapOk = false } = input
  const mode = modeOfHold({ ...offer.provider, type_mode: offer.type.mode }, input.mode)
  const request = { offer, distance, mode, overlapOk, proof }
  const hold = await takeOffer(ctx, offer, {
    findMine: (claims) => findMine(ctx, claims, request),
    isOwn: (claim) => claim.visitor !== null && claim.visitor === visitorOf(ctx),
    take: () => takeSlot(ctx, request),
  })
  // An existing hold takes the mode that was chosen last.
  if (input.mode === undefined || hold.state !== 'held' || hold.mode === mode) return hold
  try {
    return await describeHold(ctx, { holdId: hold.id, mode })
  } catch (error) {
    // The running payment was agreed on the other mode. The page sends this one again with the next.
    if (error instanceof AppError && error.code === 'payment_busy') return hold
    throw error
  }
}

async function toVisitorHold(db: Db, row: FactsRow, now: Instant): Promise<VisitorHold> {
  const mainZone = await linkZone(db, row)
  return { ...factsOf(row, now), mainZone, holdUntil: toIso(row.hold_until) }
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

type VisitorHoldRequest = {
  offer: TypedOffer
  distance: string | null
  mode: VisitMode
  visitor: string
  proof: Proof
}
type HoldResult = { hold: VisitorHold; released: Span | null }

/** Replaces the visitor's hold with a new one; if the new one fails, they keep the old one. */
function takeSlotAsVisitor(
  ctx: Context,
  { offer, distance, mode, visitor, proof }: VisitorHoldRequest,
): Promise<HoldResult> {
  const { provider } = offer
  return ctx.transaction(async (tx) => {
    // Serializes requests of one visitor; those of one network are serialized further down.
    await tx.attempts.take('hold', `visitor ${visitor}`)
    const same = await findHeld(ctx, tx.db, visitor)
    if (same !== null && isSameOffer(same, offer))
      return { hold: await toVisitorHold(tx.db, same, ctx.now()), released: null }
    const released = await expireOther(ctx, tx, visitor)
    const heldFrom = await admitNewcomer(ctx, tx, {
      providerNo: provider.no,
      proof,
      isVisitor: true,
    })
    const owner = { patientNo: null, visitor }
    await writeHold(ctx, tx, { offer, distance, mode, owner, heldFrom, purpose: '' })
    const row = await findHeld(ctx, tx.db, visitor)
    if (row === null) throw new AppError('hold_expired')
    return { hold: await toVisitorHold(tx.db, row, ctx.now()), released }
  })
}

/**
 * Holds a time for fifteen minutes for a visitor who is not signed in, until `holdSlot` transfers it to their
 * account. A visitor has one hold: a new one replaces it. No payment and no personal data. Throws
 * `captcha_required` where many newcomers hold times, or a network's visitors have held many today.
 */
export async function holdAsVisitor(ctx: Context, input: VisitorHoldInput): Promise<VisitorHold> {
  const proof = await readProof(ctx, input.captchaValue)
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
  const request = { offer, visitor, mode, distance: input.distance ?? null, proof }
  const { hold, released } = await takeOffer<HoldResult>(ctx, offer, {
    findMine: async () => {
      const row = await findHeld(ctx, ctx.database.db, visitor)
      return row !== null && isSameOffer(row, offer)
        ? { hold: await toVisitorHold(ctx.database.db, row, ctx.now()), released: null }
        : null
    },
    isOwn: (claim) => claim.visitor === visitor,
    take: () => takeSlotAsVisitor(ctx, request),
  })
  remember()
  if (released !== null) await releaseOverdue(ctx, released)
  return hold
}

/** The hold of this browser's visitor, or null. */
export async function readVisitorHold(ctx: Context): Promise<VisitorHold | null> {
  const visitor = visitorOf(ctx)
  const row = visitor === null ? null : await findHeld(ctx, ctx.database.db, visitor)
  return row === null ? null : toVisitorHold(ctx.database.db, row, ctx.now())
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

/** Cookie with an unguessable id that ties a hold to a browser before sign-in. */
const COOKIE = 'visitor'

/** Longer than a hold, so that a visitor who picks another time keeps the same id. */
const COOKIE_SECONDS = 3_600

function hashOf({ secrets }: Pick<Context, 'secrets'>, value: string): string {
  return secrets.mac('visitor', value)
}

function readCookie({ client }: Context): string | null {
  const value = client.cookies.get(COOKIE)
  return value !== undefined && /^[A-Za-z0-9_-]{43}$/.test(value) ? value : null
}

/** Keyed hash of the visitor's cookie, the only form in which it is stored; null without a cookie. */
function visitorOf(ctx: Context): string | null {
  const value = readCookie(ctx)
  return value === null ? null : hashOf(ctx, value)
}

/** The visitor of this request, or a new one; `remember` sets the cookie once the hold is committed. */
function ensureVisitor(ctx: Context): { visitor: string; remember: () => void } {
  const value = readCookie(ctx) ?? ctx.secrets.token()
  const remember = () => ctx.reply.cookie(COOKIE, value, { maxAge: COOKIE_SECONDS })
  return { visitor: hashOf(ctx, value), remember }
}

/** Deletes the cookie: the visitor has no hold any more. */
function clearVisitor(ctx: Context): void {
  ctx.reply.cookie(COOKIE, '', { maxAge: 0 })
}
