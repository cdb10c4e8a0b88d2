import { UserId } from '#contract/base/ids.ts'
import type { Money } from '#contract/base/money.ts'
import type { Visit } from '#contract/booking.ts'
import type {
  CancelByLinkInput,
  CancelledByLink,
  KeepTimeByLinkInput,
  KeepTimeByLinkResponse,
  LinkedVisit,
  MoveByLinkInput,
  MovedByLink,
  MoveTerms,
  MoveTermsByLinkInput,
  VisitLink,
} from '#contract/visits.ts'
import { publishedFile } from '#server/booking/visits/calendar-file.ts'
import { readCancellation } from '#server/booking/visits/cancel-booking.ts'
import { openVisitLink, readVisitIn } from '#server/booking/visits/read-visit.ts'
import { type Context, makeContext } from '#server/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import { runOnce } from '#server/trpc.ts'
import { cancelInTransaction, cancelTermsOf, type FindVisit } from './cancel-visit.ts'
import { moveTermsOf, moveTo } from './move-visit.ts'
import { keepTimeInTransaction } from './propose.ts'
import { whyNotChange } from './rules.ts'
import { findBooked } from './store.ts'

type Linked = Awaited<ReturnType<typeof openVisitLink>>

/** Refund and fee of a cancelled visit. */
async function cancelledOf(ctx: Context, row: Linked): Promise<LinkedVisit['cancelled']> {
  if (row.state !== 'cancelled') return null
  const found = await readCancellation(ctx.database.db, row.no)
  if (found === null) return null
  const money = (minor: number | null): Money | null =>
    minor === null ? null : { minor, currency: row.currency }
  return { by: found.by, refund: money(found.refundMinor), kept: money(found.keptMinor) }
}

async function cancelTermsByLink(ctx: Context, row: Linked): Promise<LinkedVisit['terms']> {
  if (whyNotChange(row, ctx.now()) !== null) return null
  return cancelTermsOf(ctx, await findBooked(ctx.database.db, row.id), 'agreed')
}

/** The provider's note is only in the email and the account: it may be about health. */
function proposedOf({ proposed }: Visit): LinkedVisit['proposed'] {
  return proposed === null ? null : { at: proposed.at, times: proposed.times }
}

async function linkedVisitOf(ctx: Context, row: Linked): Promise<LinkedVisit> {
  const visit = await readVisitIn(ctx.database.db, row.id, ctx.now())
  // Deleted between the two reads.
  if (visit === null) throw new AppError('visit_link_invalid')
  return {
    id: visit.id,
    reference: visit.reference,
    provider: visit.provider,
    region: visit.region,
    place: visit.place,
    mode: visit.mode,
    startsAt: visit.startsAt,
    endsAt: visit.endsAt,
    timeZone: visit.timeZone,
    cancellation: visit.cancellation,
    state: visit.state,
    typeOfVisit: visit.typeOfVisit,
    typeId: visit.typeId,
    typeName: visit.typeName,
    fee: visit.fee,
    paymentMethod: visit.paymentMethod,
    calendarLinks: visit.calendarLinks,
    calendarFile: visit.state === 'cancelled' ? null : publishedFile(row, ctx.config),
    terms: await cancelTermsByLink(ctx, row),
    moves: visit.moves,
    proposed: proposedOf(visit),
    cancelled: await cancelledOf(ctx, row),
    isOwn: ctx.session?.userId === row.patient_id,
  }
}

/**
 * The current state of the visit behind an email's link. Throws `visit_link_invalid` for every invalid link.
 */
export async function readByLink(ctx: Context, link: VisitLink): Promise<LinkedVisit> {
  return linkedVisitOf(ctx, await openVisitLink(ctx, ctx.database.db, link))
}

/** The context of the patient a link names, regardless of who is signed in. */
function asPatient(ctx: Context, id: string): Context {
  const { requestId, network, client, reply } = ctx
  return makeContext(ctx, { viewer: { kind: 'patient', id }, requestId, network, client, reply })
}

/** The visit of a link, verified again on each read: the address or the account may have changed. */
function findLinked(ctx: Context, link: VisitLink): FindVisit {
  return async (db) => {
    await openVisitLink(ctx, db, link)
    return findBooked(db, link.id)
  }
}

async function cancelOnce(
  ctx: Context,
  input: CancelByLinkInput,
  patientId: string,
): Promise<CancelledByLink> {
  const { id, mac, sequence, refund: shown } = input
  const link = { id, mac }
  const find = findLinked(ctx, link)
  const refund = await asPatient(ctx, patientId).transaction(async (tx) => {
    const given = { find, shown: { sequence, refund: shown }, policy: 'agreed', patientId } as const
    const back = await cancelInTransaction(ctx, tx, given)
    await tx.audit.add({ action: 'visit.link_used', entity: id })
    return back
  })
  return { visit: await readByLink(ctx, link), refund }
}

/**
 * Cancels a visit by its link, as its patient would: the refund must equal what the page showed, or nothing
 * happens. The actor is the patient the link names, even if another account is signed in. A repeat with the
 * same `Idempotency-Key` returns the first response.
 */
export async function cancelByLink(
  ctx: Context,
  input: CancelByLinkInput,
): Promise<CancelledByLink> {
  const row = await openVisitLink(ctx, ctx.database.db, input)
  const owner = { accountNo: row.patient_no, userId: UserId.parse(row.patient_id) }
  const path = 'visits.cancelByLink'
  return runOnce(ctx, { path, input, owner }, () => cancelOnce(ctx, input, owner.userId))
}

/** Terms of moving a link's visit to a time. Refused as the move itself. */
export async function readMoveTermsByLink(
  ctx: Context,
  { slot, ...link }: MoveTermsByLinkInput,
): Promise<MoveTerms> {
  return moveTermsOf(ctx, await findLinked(ctx, link)(ctx.database.db), slot)
}

/** Reports that another visit overlaps, so that nobody has two by accident, but not with whom. */
function hideOtherVisit(error: unknown): unknown {
  const isOverlap = error instanceof AppError && error.code === 'visits_overlap'
  return isOverlap ? new AppError('visits_overlap') : error
}

async function moveOnce(
  ctx: Context,
  input: MoveByLinkInput,
  patientId: string,
): Promise<MovedByLink> {
  const { id, mac, sequence, slot, overlapOk = false, isProposed = false } = input
  const link = { id, mac }
  try {
    await moveTo(asPatient(ctx, patientId), {
      find: findLinked(ctx, link),
      policy: 'patient',
      sequence,
      slot,
      overlapOk,
      isProposed,
      by: { by_kind: 'patient', by_id: patientId },
      alsoIn: (tx) => tx.audit.add({ action: 'visit.link_used', entity: id }),
    })
  } catch (error) {
    throw hideOtherVisit(error)
  }
  return { visit: await readByLink(ctx, link) }
}

/**
 * Moves a visit by its link to another free time of the same provider, as its patient would. The limit of
 * three moves also counts those made while signed in, but not moves to times the provider proposed. The actor
 * is the patient the link names; the link stays valid. A repeat with the same `Idempotency-Key` returns the
 * first response.
 */
export async function moveByLink(ctx: Context, input: MoveByLinkInput): Promise<MovedByLink> {
  const row = await openVisitLink(ctx, ctx.database.db, input)
  const owner = { accountNo: row.patient_no, userId: UserId.parse(row.patient_id) }
  const path = 'visits.moveByLink'
  return runOnce(ctx, { path, input, owner }, () => moveOnce(ctx, input, owner.userId))
}

async function keepTimeOnce(
  ctx: Context,
  input: KeepTimeByLinkInput,
  patientId: string,
): Promise<KeepTimeByLinkResponse> {
  const { id, mac, at } = input
  const link = { id, mac }
  const by = { by_kind: 'patient', by_id: patientId } as const
  const patient = asPatient(ctx, patientId)
  await patient.transaction(async (tx) => {
    await keepTimeInTransaction(patient, tx, { find: findLinked(ctx, link), at, by })
    await tx.audit.add({ action: 'visit.link_used', entity: id })
  })
  return { visit: await readByLink(ctx, link) }
}

/**
 * Keeps a visit's time by its link and declines the times proposed at `at`, as its patient would. A repeat
 * with the same `Idempotency-Key` returns the first response.
 */
export async function keepTimeByLink(
  ctx: Context,
  input: KeepTimeByLinkInput,
): Promise<KeepTimeByLinkResponse> {
  const row = await openVisitLink(ctx, ctx.database.db, input)
  const owner = { accountNo: row.patient_no, userId: UserId.parse(row.patient_id) }
  const path = 'visits.keepTimeByLink'
  return runOnce(ctx, { path, input, owner }, () => keepTimeOnce(ctx, input, owner.userId))
}
