import { DeskVisitId } from '#contract/base/ids.ts'
import { toIso } from '#contract/base/time.ts'
import type { SlotTime } from '#contract/booking.ts'
import type { AddDeskInput, DeskBooking, DeskChange } from '#contract/booking-desk.ts'
import { wallClock } from '#db/columns.ts'
import type { Db } from '#db/engine.ts'
import { isOverlapViolation } from '#db/failures.ts'
import { releaseOverdue } from '#server/booking/hold/holds.ts'
import { closeTime } from '#server/booking/hold/reopen-time.ts'
import { listOffered, lockProviderClaims, type Span } from '#server/booking/hold/slot-store.ts'
import { slotAt } from '#server/booking/rules.ts'
import type { AsProvider, Context, Tx } from '#server/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import type { EmailFate } from '#server/kernel/outbox.ts'
import { ownProvider } from '#server/profiles/own-profile.ts'
import { whyNotBookableAt } from './desk-rules.ts'
import {
  type DeskRow,
  findDesk,
  insertDesk,
  insertDeskClaim,
  isProviderErased,
  listDeskPlaces,
} from './desk-store.ts'
import { sealDetail } from './sealed-details.ts'

/** What every response about a desk visit has. */
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

/** The response of procedures that change a desk visit, with what became of the email about it. */
export function deskChangeOf(row: DeskRow, fate: EmailFate | 'none'): DeskChange {
  return { ...deskBookingOf(row), email: fate === 'queued' ? 'sent' : fate }
}

type NewDeskBooking = { input: AddDeskInput; time: DeskTime }

async function writeDeskVisit(ctx: AsProvider, tx: Tx, { input, time }: NewDeskBooking) {
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
    moved_from_zone: null,
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
  await closeTime(tx.db, span, now)
  await tx.outbox.add('provider.changed', { providerId: provider.id })
  const to = input.email ?? ''
  const fate = to === '' ? 'none' : await tx.outbox.add('desk.booked', { deskId: id }, { to })
  await tx.audit.add({ action: 'desk.added', entity: id, details: { kind: input.kind } })
  const written = await findDesk(tx.db, { id, providerNo: span.providerNo })
  if (written === undefined) throw new Error('The inserted desk visit does not exist.')
  return deskChangeOf(written, fate)
}

/**
 * The viewer, a provider, books a patient who phoned or walked in: no payment, no account, and no email
 * unless an address is given and may be emailed. The time need not be on offer. Throws `desk_time_taken` where another claim
 * overlaps.
 */
export async function addDesk(ctx: AsProvider, input: AddDeskInput): Promise<DeskChange> {
  const { db } = ctx.database
  const { no: providerNo, consultation_minutes: usual } = await ownProvider(ctx, db)
  const { slot, placeId, minutes = usual } = input
  const time = await readTime(ctx, db, { providerNo, slot, placeId, minutes })
  return claimWithRetry(ctx, time.span, () =>
    ctx.transaction((tx) => writeDeskVisit(ctx, tx, { input, time })),
  )
}

type TimeRequest = {
  providerNo: number
  slot: SlotTime
  /** Public id. Defaults to the place of the slot offered at that time, if any, else to `usualId`. */
  placeId?: string | undefined
  /** Defaults to the main place. */
  usualId?: string
  minutes: number
}

type DeskTime = { span: Span; placeNo: number; timeZone: string; wallAt: number }

/**
 * Resolves an input to a time range, in the zone of the place it names, or of the main one. Throws what
 * `whyNotBookableAt` returns, and `not_found` for places that are not the provider's.
 */
export async function readTime(ctx: Context, db: Db, request: TimeRequest): Promise<DeskTime> {
  const { providerNo, slot, placeId, usualId, minutes } = request
  const places = await listDeskPlaces(db, providerNo)
  const named = (id: string | undefined) => places.find((one) => one.id === id)
  const [main] = places
  const clock = placeId === undefined ? main : named(placeId)
  if (clock === undefined) throw new AppError('not_found')
  const [start = 0] = slotAt(slot, clock.time_zone)
  const offered = placeId === undefined ? await listOffered(db, providerNo, [start]) : []
  const place =
    named(placeId) ??
    places.find(({ no }) => no === offered[0]?.place_no) ??
    named(usualId) ??
    clock
  const { no: placeNo, time_zone: timeZone } = place
  const refusal = whyNotBookableAt({ start, timeZone, now: ctx.now() })
  if (refusal !== null) throw new AppError(refusal)
  const span = { providerNo, start, end: start + minutes * 60_000 }
  return { span, placeNo, timeZone, wallAt: wallClock(start, timeZone) }
}

/** Another request may win each time, so the number of tries is limited. */
const MAX_TRIES = 3

/**
 * Runs `act`, which claims a time range in its own transaction. Throws `desk_time_taken` where another claim overlaps,
 * unless all that do are expired holds: those are released first and `act` is retried.
 */
export async function claimWithRetry<T>(
  ctx: Context,
  span: Span,
  act: () => Promise<T>,
): Promise<T> {
  for (let tries = MAX_TRIES; tries > 0; tries -= 1) {
    try {
      // Sequential: a retry follows a failed try.
      return await act()
    } catch (error) {
      if (!isOverlapViolation(error)) throw error
      if (!(await releaseOverdue(ctx, span))) break
    }
  }
  throw new AppError('desk_time_taken')
}
