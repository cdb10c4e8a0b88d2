import { UserId } from '#contract/ids.ts'
import type { Money } from '#contract/money.ts'
import type {
  CancelByLinkInput,
  CancelledByLink,
  LinkedVisit,
  VisitLink,
} from '#contract/visits.ts'
import { publishedFile } from '#server/booking/visits/calendar-file.ts'
import { readCancellation } from '#server/booking/visits/read-cancellation.ts'
import { readVisitIn } from '#server/booking/visits/read-visit.ts'
import { openVisitLink } from '#server/booking/visits/visit-link.ts'
import { type Context, makeContext } from '#server/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import { doneOnce } from '#server/trpc.ts'
import { cancelIn, type Find } from './cancel-visit.ts'
import { termsIn } from './read-terms.ts'
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
    fee: visit.fee,
    paymentMethod: visit.paymentMethod,
    calendarLinks: visit.calendarLinks,
    calendarFile: visit.state === 'cancelled' ? null : publishedFile(row, ctx.config),
    terms: await termsOfLinked(ctx, row),
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

async function cancelOnce(
  ctx: Context,
  input: CancelByLinkInput,
  patientId: string,
): Promise<CancelledByLink> {
  const { id, mac, sequence, refund: shown } = input
  const link = { id, mac }
  // Looked at again with the money locked: the address may have changed, or the account gone.
  const find: Find = async (db) => {
    await openVisitLink(ctx, db, link)
    return findBooked(db, id)
  }
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
