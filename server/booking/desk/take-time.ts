import type { SlotTime } from '#contract/booking.ts'
import { type Instant, wallClock } from '#db/columns.ts'
import type { Db } from '#db/engine.ts'
import { isOverlapViolation } from '#db/failures.ts'
import { refillSlots } from '#server/availability/slots/extend-slots.ts'
import { releaseOverdue } from '#server/booking/hold/release-booking.ts'
import { closeSlots, listOffered, openSlots, type Span } from '#server/booking/hold/slot-store.ts'
import { slotAt } from '#server/booking/rules.ts'
import type { Context, Tx } from '#server/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import { whyNotBookableAt } from './desk-rules.ts'
import { listDeskPlaces } from './desk-store.ts'

type TimeRequest = {
  providerNo: number
  slot: SlotTime
  /** Public id. Defaults to the place of the slot offered at that time, if any, else to `usualId`. */
  placeId?: string | undefined
  /** Defaults to the main place. */
  usualId?: string
  minutes: number
}

export type DeskTime = { span: Span; placeNo: number; timeZone: string; wallAt: number }

/**
 * Resolves an input to a stretch of time, in the zone of the place it names, or of the main one. Throws what
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

/**
 * Takes a claimed stretch of time off the offer, with the slots that would begin or end within its buffer. In
 * the transaction that made the claim.
 */
export async function closeTime(tx: Tx, span: Span, now: Instant): Promise<void> {
  await closeSlots(tx.db, span)
  await refillSlots(tx.db, span, now)
}

/** Offers a stretch of time again after its claim is deleted, as far as the current rules allow. */
export async function reopenTime(tx: Tx, span: Span, now: Instant): Promise<void> {
  if (!(await refillSlots(tx.db, span, now))) await openSlots(tx.db, span, now)
}

/** Another request may win each time, so the number of tries is limited. */
const MAX_TRIES = 3

/**
 * Runs `act`, which claims a stretch of time in its own transaction. Throws `desk_time_taken` where another
 * claim overlaps, unless all that do are expired holds: those are released first and `act` is retried.
 */
export async function claimWithRetry<T>(
  ctx: Context,
  span: Span,
  act: () => Promise<T>,
): Promise<T> {
  for (let tries = MAX_TRIES; tries > 0; tries -= 1) {
    try {
      // Sequential: a retry follows a failed try.
      // oxlint-disable-next-line no-await-in-loop
      return await act()
    } catch (error) {
      if (!isOverlapViolation(error)) throw error
      // oxlint-disable-next-line no-await-in-loop
      if (!(await releaseOverdue(ctx, span))) break
    }
  }
  throw new AppError('desk_time_taken')
}
