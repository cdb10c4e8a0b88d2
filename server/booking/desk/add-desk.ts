import type { AddDeskInput, DeskBooking } from '#contract/booking-desk.ts'
import { DeskVisitId } from '#contract/ids.ts'
import { toIso } from '#contract/time.ts'
import { lockProviderClaims } from '#server/booking/hold/slot-store.ts'
import type { SignedIn, Tx } from '#server/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import { ownProvider } from '#server/profiles/own-profile.ts'
import { insertDeskClaim } from './claim-store.ts'
import { type DeskRow, findDesk, insertDesk, isProviderErased } from './desk-store.ts'
import { sealDetail } from './sealed-details.ts'
import { claimWithRetry, closeTime, type DeskTime, readTime } from './take-time.ts'

/** The response of procedures that change a desk visit. */
export function deskBookingOf(row: DeskRow): DeskBooking {
  return {
    id: DeskVisitId.parse(row.id),
    reference: row.reference,
    sequence: row.sequence,
    state: row.state,
    startsAt: toIso(row.start_at),
    endsAt: toIso(row.end_at),
    timeZone: row.time_zone,
  }
}

type NewDeskBooking = { input: AddDeskInput; time: DeskTime }

async function writeDeskVisit(ctx: SignedIn, tx: Tx, { input, time }: NewDeskBooking) {
  const { span, placeNo, timeZone, wallAt } = time
  const now = ctx.now()
  await tx.attempts.take('desk_visit', ctx.session.userId)
  await lockProviderClaims(tx.db, span.providerNo)
  // Waits for a running account erasure, so that no visit is added for an erased provider.
  const provider = await ownProvider(ctx, tx.db)
  if (await isProviderErased(tx.db, span.providerNo)) throw new AppError('sign_in_required')
  const row = {
    provider_no: span.providerNo,
    place_no: placeNo,
    kind: input.kind,
    state: 'confirmed' as const,
    start_at: span.start,
    end_at: span.end,
    time_zone: timeZone,
    wall_at: wallAt,
    name: sealDetail(ctx, input.name),
    phone: sealDetail(ctx, input.phone ?? ''),
    email: sealDetail(ctx, input.email ?? ''),
    note: sealDetail(ctx, input.note ?? ''),
    sequence: 0,
    moved_from: null,
    created_at: now,
    changed_at: now,
    closed_at: null,
    outcome: null,
    outcome_at: null,
    arrived_at: null,
  }
  const { no: deskNo, id } = await insertDesk(tx.db, row, () => ctx.newId('dsk'))
  // The insert decides who gets the time: nothing before it has checked that it is free.
  await insertDeskClaim(tx.db, { ...span, deskNo })
  await closeTime(tx, span, now)
  await tx.outbox.add('provider.changed', { providerId: provider.id })
  if (row.email !== '') await tx.outbox.add('desk.booked', { deskId: id })
  await tx.audit.add({ action: 'desk.added', entity: id, details: { kind: input.kind } })
  const written = await findDesk(tx.db, { id, providerNo: span.providerNo })
  if (written === undefined) throw new Error('The desk visit that was put in is gone.')
  return deskBookingOf(written)
}

/**
 * The viewer, a provider, books a patient who phoned or walked in: no payment, no account, and no email
 * unless an address is given. The time need not be on offer. Throws `desk_time_taken` where another claim
 * overlaps.
 */
export async function addDesk(ctx: SignedIn, input: AddDeskInput): Promise<DeskBooking> {
  const { db } = ctx.database
  const { no: providerNo, consultation_minutes: usual } = await ownProvider(ctx, db)
  const { slot, placeId, minutes = usual } = input
  const time = await readTime(ctx, db, { providerNo, slot, placeId, minutes })
  return claimWithRetry(ctx, time.span, () =>
    ctx.transaction((tx) => writeDeskVisit(ctx, tx, { input, time })),
  )
}
