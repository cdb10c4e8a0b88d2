import * as z from 'zod/mini'
import { parseJson } from '#db/columns.ts'
import { freeUntil } from '#server/booking/cancel-rules.ts'
import { findByNo, lockHeld } from '#server/booking/store.ts'
import type { Context, Services, Tx } from '#server/context.ts'
import { lockParties, setConfirmed } from './state-store.ts'
import type { VisitRow } from './visit-store.ts'

type Confirmed = { bookingNo: number; paymentNo: number }

/**
 * Why a hold cannot become a visit, whatever was paid for it: its provider is not Verified any more, or
 * its patient has erased the account. Null when it can. What it says stays so until the transaction
 * ends; the caller has locked the booking.
 */
export async function whyNotConfirm(tx: Tx, bookingNo: number) {
  const { isVerified, isErased } = await lockParties(tx.db, bookingNo)
  if (!isVerified) return 'provider_not_bookable'
  return isErased ? 'patient_gone' : null
}

/**
 * Turns a hold into a visit, in the transaction that writes its payment down as paid. True also when
 * this very payment has done so before: events come twice. False when the time is no longer held or has
 * begun, the provider no longer Verified or the patient's account erased; then the money goes back.
 */
export async function confirmBooking(ctx: Context, tx: Tx, by: Confirmed): Promise<boolean> {
  const { bookingNo, paymentNo } = by
  // The booking before its provider: everybody locks in this order.
  const held = await lockHeld(tx.db, bookingNo)
  if (held === undefined) return (await findByNo(tx.db, bookingNo))?.paid_by === paymentNo
  if (held.start_at <= ctx.now()) return false
  if ((await whyNotConfirm(tx, bookingNo)) !== null) return false
  const now = ctx.now()
  const fixed = { paymentNo, now, freeUntil: freeUntil(held, now) }
  const { id } = await setConfirmed(tx.db, bookingNo, fixed)
  await tx.outbox.add('booking.confirmed', { bookingId: id })
  await tx.audit.add({ action: 'booking.confirmed', entity: id })
  return true
}

/** What an email about a visit says of its provider and the place. */
const Named = z.object({
  title: z.nullable(z.string()),
  first_name: z.string(),
  last_name: z.string(),
  provider_email: z.string(),
  place_name: z.string(),
  address: z.string(),
  place_phone: z.nullable(z.string()),
})

type Sealing = Pick<Services, 'secrets'>

/** Who a visit is with and where, encrypted: to wait with the emails about it while its provider is erased. */
export function sealProvider({ secrets }: Sealing, row: VisitRow): string {
  return secrets.seal('mail', JSON.stringify(z.parse(Named, row)))
}

/** The same visit with its provider as they were when it was sealed. */
export function openProvider({ secrets }: Sealing, sealed: string, row: VisitRow): VisitRow {
  return { ...row, ...z.parse(Named, parseJson<unknown>(secrets.open('mail', sealed))) }
}
