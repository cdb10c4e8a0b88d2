import { toIso } from '#contract/base/time.ts'
import type {
  CancelDeskInput,
  DeskBooking,
  DeskChange,
  EditDeskInput,
  MarkDeskInput,
  MoveDeskInput,
} from '#contract/booking-desk.ts'
import { MARK_WITHIN_MS, type Marking } from '#contract/outcomes.ts'
import { closeTime, reopenTime } from '#server/booking/hold/reopen-time.ts'
import { lockProviderClaims } from '#server/booking/hold/slot-store.ts'
import { whyNotMark } from '#server/booking/outcome-rules.ts'
import {
  type AsProvider,
  isProvider,
  type Services,
  type SignedIn,
  type Tx,
} from '#server/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import type { EmailFate, Recipient } from '#server/kernel/outbox.ts'
import { ownProvider } from '#server/profiles/own-profile.ts'
import { claimWithRetry, deskChangeOf, readTime } from './add-desk.ts'
import { deskMarkedAs, deskMarking, whyNotChange, whyNotEdit } from './desk-rules.ts'
import {
  blankDeskOf,
  completeDesk,
  type DeskRow,
  deleteDeskClaim,
  findDesk,
  listUpcomingDesk,
  lockDesk,
  lockDeskOf,
  moveDeskClaim,
  setDeskCancelled,
  setDeskMarked,
  setDeskMoved,
  setDetails,
} from './desk-store.ts'
import {
  openDetail,
  sealCancelled,
  sealCancelReason,
  sealDetail,
  type Why,
} from './sealed-details.ts'

type Own = { id: string; providerNo: number }

/** Locks one of the viewer's desk visits. Lock order: the visit before its provider. */
async function lockOwn(tx: Tx, own: Own): Promise<DeskRow> {
  const found = await findDesk(tx.db, own)
  if (found === undefined) throw new AppError('not_found')
  await lockDesk(tx.db, found.no)
  // Re-read under the lock: a concurrent move or cancellation has committed by now.
  const visit = await findDesk(tx.db, own)
  if (visit === undefined) throw new AppError('not_found')
  return visit
}

async function readChanged(tx: Tx, own: Own, fate: EmailFate | 'none'): Promise<DeskChange> {
  const visit = await findDesk(tx.db, own)
  if (visit === undefined) throw new Error('The changed desk visit does not exist.')
  return deskChangeOf(visit, fate)
}

/** Enqueues an email with `add` to the patient of a visit, where they gave an address. */
async function emailPatient(
  ctx: SignedIn,
  visit: DeskRow,
  add: (recipient: Recipient) => Promise<EmailFate>,
): Promise<EmailFate | 'none'> {
  return visit.email === '' ? 'none' : add({ to: openDetail(ctx, visit.email) })
}

function assertSequence({ sequence }: DeskRow, shown: number): void {
  if (sequence !== shown) throw new AppError('changed_meanwhile', { what: 'visit' })
}

const spanOf = (visit: DeskRow) => ({
  providerNo: visit.provider_no,
  start: visit.start_at,
  end: visit.end_at,
})

/** Corrects the patient's name or contact details, or the note, until the day of the visit has ended. */
export async function editDesk(ctx: AsProvider, input: EditDeskInput): Promise<DeskBooking> {
  const { id, name, phone, note } = input
  return ctx.transaction(async (tx) => {
    const { no: providerNo } = await ownProvider(ctx, tx.db)
    const visit = await lockOwn(tx, { id, providerNo })
    const refusal = whyNotEdit(visit, ctx.now())
    if (refusal !== null) throw new AppError(refusal)
    const details = {
      ...(name !== undefined && { name: sealDetail(ctx, name) }),
      ...(phone !== undefined && { phone: sealDetail(ctx, phone ?? '') }),
      ...(note !== undefined && { note: sealDetail(ctx, note) }),
    }
    if (Object.keys(details).length > 0) {
      await setDetails(tx.db, visit.no, details)
      const what = Object.keys(details).join(' ')
      await tx.audit.add({ action: 'desk.edited', entity: id, details: { what } })
    }
    return readChanged(tx, { id, providerNo }, 'none')
  })
}

/**
 * Moves a desk visit to another time, offered or not, together with its claim in one transaction. Throws
 * `desk_time_taken` where another claim overlaps; the visit then keeps its time.
 */
export async function moveDesk(ctx: AsProvider, input: MoveDeskInput): Promise<DeskChange> {
  const { id, sequence, slot } = input
  const { db } = ctx.database
  const { no: providerNo, id: providerId } = await ownProvider(ctx, db)
  const before = await findDesk(db, { id, providerNo })
  if (before === undefined) throw new AppError('not_found')
  const refused = whyNotChange(before, ctx.now())
  if (refused !== null) throw new AppError(refused)
  const { placeId, minutes = (before.end_at - before.start_at) / 60_000 } = input
  const wanted = { providerNo, slot, placeId, usualId: before.place_id, minutes }
  const time = await readTime(ctx, db, wanted)
  return claimWithRetry(ctx, time.span, () =>
    ctx.transaction(async (tx) => {
      const now = ctx.now()
      const visit = await lockOwn(tx, { id, providerNo })
      const refusal = whyNotChange(visit, now)
      if (refusal !== null) throw new AppError(refusal)
      assertSequence(visit, sequence)
      await lockProviderClaims(tx.db, providerNo)
      await moveDeskClaim(tx.db, { ...time.span, deskNo: visit.no })
      await closeTime(tx.db, time.span, now)
      await reopenTime(tx.db, spanOf(visit), now)
      await setDeskMoved(tx.db, visit.no, {
        place_no: time.placeNo,
        start_at: time.span.start,
        end_at: time.span.end,
        time_zone: time.timeZone,
        wall_at: time.wallAt,
        moved_from: visit.start_at,
        moved_from_zone: visit.time_zone,
        changed_at: now,
      })
      await tx.outbox.add('provider.changed', { providerId })
      const payload = { deskId: id, sequence: visit.sequence + 1 }
      const fate = await emailPatient(ctx, visit, (to) => tx.outbox.add('desk.moved', payload, to))
      const details = { from: toIso(visit.start_at), to: toIso(time.span.start) }
      await tx.audit.add({ action: 'desk.moved', entity: id, details })
      return readChanged(tx, { id, providerNo }, fate)
    }),
  )
}

/**
 * Cancels a desk visit: its time is free again, and the patient is emailed if they gave an address, with the
 * reason if there is one; never with the provider’s own words. Nothing was paid.
 */
export async function cancelDesk(
  ctx: AsProvider,
  input: CancelDeskInput,
  why?: Why,
): Promise<DeskChange> {
  const { id, sequence } = input
  return ctx.transaction(async (tx) => {
    const now = ctx.now()
    const { no: providerNo, id: providerId } = await ownProvider(ctx, tx.db)
    const visit = await lockOwn(tx, { id, providerNo })
    const refusal = whyNotChange(visit, now)
    if (refusal !== null) throw new AppError(refusal)
    assertSequence(visit, sequence)
    await lockProviderClaims(tx.db, providerNo)
    await deleteDeskClaim(tx.db, visit.no)
    await setDeskCancelled(tx.db, visit.no, now)
    await reopenTime(tx.db, spanOf(visit), now)
    await tx.outbox.add('provider.changed', { providerId })
    const said = why === undefined ? {} : { why: sealCancelReason(ctx, why) }
    const payload = { deskId: id, ...said }
    const fate = await emailPatient(ctx, visit, (to) =>
      tx.outbox.add('desk.cancelled', payload, to),
    )
    const details = why === undefined ? {} : { reason: why.reason }
    await tx.audit.add({ action: 'desk.cancelled', entity: id, details })
    return readChanged(tx, { id, providerNo }, fate)
  })
}

/** Marks a desk visit's patient as arrived, seen or absent; no money moves and no email is sent. */
export async function markDesk(ctx: AsProvider, input: MarkDeskInput): Promise<Marking> {
  const { id, mark } = input
  return ctx.transaction(async (tx) => {
    const now = ctx.now()
    const { no: providerNo } = await ownProvider(ctx, tx.db)
    const visit = await lockOwn(tx, { id, providerNo })
    if (mark === visit.outcome) return deskMarking(visit, now)
    const refusal = whyNotMark(visit, mark, { now, by: 'provider' })
    if (refusal !== null) throw new AppError(refusal)
    const marked = deskMarkedAs(visit, mark, now)
    await setDeskMarked(tx.db, visit.no, marked)
    await tx.audit.add({ action: 'visit.marked', entity: id, details: { mark } })
    return deskMarking({ ...visit, ...marked }, now)
  })
}

/** Visits completed in one statement. */
const BATCH = 500

/** Completes desk visits that their providers have not marked within 48 hours after the end. */
export async function completeDeskVisits(
  { database, now, background }: Services,
  signal?: AbortSignal,
): Promise<void> {
  const batch = () => completeDesk(database.db, { now: now(), after: MARK_WITHIN_MS, limit: BATCH })
  await background.drain(BATCH, batch, signal)
}

/** How many upcoming desk visits would be cancelled by erasing the viewer's account. */
export async function countUpcomingDesk(ctx: SignedIn): Promise<number> {
  if (!isProvider(ctx)) return 0
  const { db } = ctx.database
  const { no: providerNo } = await ownProvider(ctx, db)
  return (await listUpcomingDesk(db, providerNo, ctx.now())).length
}

/** Locks all desk visits of the viewer. Lock order: before the provider, as when a visit is moved. */
export async function lockOwnDesk(ctx: SignedIn, tx: Tx): Promise<void> {
  if (!isProvider(ctx)) return
  const { no: providerNo } = await ownProvider(ctx, tx.db)
  await lockDeskOf(tx.db, providerNo)
}

/**
 * Cancels the upcoming desk visits of the viewer, a provider who erases their account, and blanks the patients' details
 * of all of them, within that transaction. Patients who gave an address are emailed from encrypted facts. Does nothing
 * for patients.
 */
export async function eraseDeskVisits(ctx: SignedIn, tx: Tx): Promise<void> {
  if (!isProvider(ctx)) return
  const now = ctx.now()
  const { no: providerNo } = await ownProvider(ctx, tx.db)
  const visits = await listUpcomingDesk(tx.db, providerNo, now)
  const addressed = visits.map((visit) => ({ visit, to: openDetail(ctx, visit.email) }))
  // Ordered, so that two erasures that email the same people do not wait for each other.
  for (const { visit, to } of addressed.toSorted((a, b) => (a.to < b.to ? -1 : 1))) {
    if (to !== '') {
      const told = sealCancelled(ctx, visit, now)
      await tx.outbox.add('desk.cancelled', { deskId: visit.id, told }, { to })
    }
    await deleteDeskClaim(tx.db, visit.no)
    await setDeskCancelled(tx.db, visit.no, now)
    await tx.audit.add({ action: 'desk.cancelled', entity: visit.id })
  }
  await blankDeskOf(tx.db, providerNo)
}
