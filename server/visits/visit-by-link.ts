import type { Visit } from '#contract/booking.ts'
import { UserId } from '#contract/ids.ts'
import type { Money } from '#contract/money.ts'
import type {
  CancelByLinkInput,
  CancelledByLink,
  LinkedVisit,
  MoveByLinkInput,
  MovedByLink,
  MoveTerms,
  MoveTermsByLinkInput,
  VisitLink,
} from '#contract/visits.ts'
import type { KeepTimeByLinkInput, KeptByLink } from '#contract/visits-propose.ts'
import { publishedFile } from '#server/booking/visits/calendar-file.ts'
import { readCancellation } from '#server/booking/visits/cancel-booking.ts'
import { readVisitIn } from '#server/booking/visits/read-visit.ts'
import { openVisitLink } from '#server/booking/visits/visit-link.ts'
import { type Context, makeContext } from '#server/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import { doneOnce } from '#server/trpc.ts'
import { cancelIn, type Find } from './cancel-visit.ts'
import { moveTo } from './move-visit.ts'
import { keepIn } from './propose.ts'
import { moveTermsIn, termsIn } from './read-terms.ts'
import { whyNotChange } from './rules.ts'
import { findBooked } from './store.ts'

type Linked = Awaited<ReturnType<typeof openVisitLink>>

/** What became of the money of a visit that is cancelled. */
async function cancelledOf(ctx: Context, row: Linked): Promise<LinkedVisit['cancelled']> {
  if (row.state !== 'cancelled') return null
  const found = await readCancellation(ctx.database.db, row.no)
  if (found === null) return null
  const money = (minor: number | null): Money | null =>
    minor === null ? null : { minor, currency: row.currency }
  return { by: found.by, refund: money(found.refundMinor), kept: money(found.keptMinor) }
}

async function termsOfLinked(ctx: Context, row: Linked): Promise<LinkedVisit['terms']> {
  if (whyNotChange(row, ctx.now()) !== null) return null
  return termsIn(ctx, await findBooked(ctx.database.db, row.id), 'agreed')
}

/** What the provider wrote stays in the email and the account: it may be about health. */
function proposedOf({ proposed }: Visit): LinkedVisit['proposed'] {
  return proposed === null ? null : { at: proposed.at, times: proposed.times }
}

async function linkedVisitOf(ctx: Context, row: Linked): Promise<LinkedVisit> {
  const visit = await readVisitIn(ctx.database.db, row.id, ctx.now())
  // Gone between the two readings.
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
    terms: await termsOfLinked(ctx, row),
    moves: visit.moves,
    proposed: proposedOf(visit),
    cancelled: await cancelledOf(ctx, row),
    isOwn: ctx.session?.userId === row.patient_id,
  }
}

/** The visit behind a link of an email, as it is now. `visit_link_invalid` for every link that is none. */
export async function readByLink(ctx: Context, link: VisitLink): Promise<LinkedVisit> {
  return linkedVisitOf(ctx, await openVisitLink(ctx, ctx.database.db, link))
}

/** The context of the patient whom a link names, whoever else may be signed in where it was opened. */
function asPatient(ctx: Context, id: string): Context {
  const { requestId, network, client, reply } = ctx
  return makeContext(ctx, { viewer: { kind: 'patient', id }, requestId, network, client, reply })
}

/** The visit of a link, which is looked at again each time: the address may have changed, or the account gone. */
function findLinked(ctx: Context, link: VisitLink): Find {
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
    const back = await cancelIn(ctx, tx, given)
    await tx.audit.add({ action: 'visit.link_used', entity: id })
    return back
  })
  return { visit: await readByLink(ctx, link), refund }
}

/**
 * Whoever has the link of a visit cancels it, as its patient would: what goes back is what the page
 * showed, or nothing happens. The link says who acts, also where somebody else is signed in. A repeat
 * with the same `Idempotency-Key` is given the first answer.
 */
export async function cancelByLink(
  ctx: Context,
  input: CancelByLinkInput,
): Promise<CancelledByLink> {
  const row = await openVisitLink(ctx, ctx.database.db, input)
  const owner = { accountNo: row.patient_no, userId: UserId.parse(row.patient_id) }
  const path = 'visits.cancelByLink'
  return doneOnce(ctx, { path, input, owner }, () => cancelOnce(ctx, input, owner.userId))
}

/** What moving the visit of a link to a time would do at this moment. Refused as the move itself. */
export async function readMoveTermsByLink(
  ctx: Context,
  { slot, ...link }: MoveTermsByLinkInput,
): Promise<MoveTerms> {
  return moveTermsIn(ctx, await findLinked(ctx, link)(ctx.database.db), slot)
}

/** That there is another visit then is said, so that nobody has two unasked; never with whom. */
function withoutOther(error: unknown): unknown {
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
    throw withoutOther(error)
  }
  return { visit: await readByLink(ctx, link) }
}

/**
 * Whoever has the link of a visit moves it to another free time of the same provider, as its patient
 * would: three times at most, whichever way, without those the provider proposed. The link says who acts, and works on. A repeat with the same
 * `Idempotency-Key` is given the first answer.
 */
export async function moveByLink(ctx: Context, input: MoveByLinkInput): Promise<MovedByLink> {
  const row = await openVisitLink(ctx, ctx.database.db, input)
  const owner = { accountNo: row.patient_no, userId: UserId.parse(row.patient_id) }
  const path = 'visits.moveByLink'
  return doneOnce(ctx, { path, input, owner }, () => moveOnce(ctx, input, owner.userId))
}

async function keepOnce(
  ctx: Context,
  input: KeepTimeByLinkInput,
  patientId: string,
): Promise<KeptByLink> {
  const { id, mac, at } = input
  const link = { id, mac }
  const by = { by_kind: 'patient', by_id: patientId } as const
  const patient = asPatient(ctx, patientId)
  await patient.transaction(async (tx) => {
    await keepIn(patient, tx, { find: findLinked(ctx, link), at, by })
    await tx.audit.add({ action: 'visit.link_used', entity: id })
  })
  return { visit: await readByLink(ctx, link) }
}

/**
 * Whoever has the link of a visit keeps its time and turns down what the provider proposed at that moment,
 * as its patient would. A repeat with the same `Idempotency-Key` is given the first answer.
 */
export async function keepTimeByLink(
  ctx: Context,
  input: KeepTimeByLinkInput,
): Promise<KeptByLink> {
  const row = await openVisitLink(ctx, ctx.database.db, input)
  const owner = { accountNo: row.patient_no, userId: UserId.parse(row.patient_id) }
  const path = 'visits.keepTimeByLink'
  return doneOnce(ctx, { path, input, owner }, () => keepOnce(ctx, input, owner.userId))
}
