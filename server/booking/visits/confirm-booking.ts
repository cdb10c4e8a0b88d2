import * as z from 'zod/mini'
import { parseJson } from '#db/columns.ts'
import { freeUntil } from '#server/booking/cancel-rules.ts'
import { lockHeld } from '#server/booking/hold/hold-store.ts'
import { findByNo } from '#server/booking/store.ts'
import type { Context, Services, Tx } from '#server/context.ts'
import { lockParties, setConfirmed } from './changes-store.ts'
import type { VisitRow } from './visit-store.ts'

type Confirmation = { bookingNo: number; paymentNo: number }

/**
 * Why a hold cannot be booked, even if paid for: its provider is no longer Verified, or its patient's account
 * is erased; null when it can. The answer stays valid until the transaction ends; the caller has locked the
 * booking.
 */
export async function whyNotConfirm(tx: Tx, bookingNo: number) {
  const { isVerified, isErased } = await lockParties(tx.db, bookingNo)
  if (!isVerified) return 'provider_not_bookable'
  return isErased ? 'patient_gone' : null
}

/**
 * Turns a hold into a visit, in the transaction that records its payment. True also when this payment has
 * already done so: events may be delivered twice. False when the hold has expired or its time has begun, the
 * provider is no longer Verified or the patient's account is erased; the payment is then refunded.
 */
export async function confirmBooking(ctx: Context, tx: Tx, by: Confirmation): Promise<boolean> {
  const { bookingNo, paymentNo } = by
  // Lock order: the booking before its provider.
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

/** Facts about the provider and the place for emails about a visit. */
const ProviderDetails = z.object({
  title: z.nullable(z.string()),
  first_name: z.string(),
  last_name: z.string(),
  provider_email: z.string(),
  place_name: z.string(),
  address: z.string(),
  place_phone: z.nullable(z.string()),
})

type Encrypting = Pick<Services, 'secrets'>

/** The provider's details, encrypted: kept for the emails about a visit while the provider is erased. */
export function sealProvider({ secrets }: Encrypting, row: VisitRow): string {
  return secrets.seal('mail', JSON.stringify(z.parse(ProviderDetails, row)))
}

/** The visit with its provider's details as they were encrypted. */
export function openProvider({ secrets }: Encrypting, sealed: string, row: VisitRow): VisitRow {
  return { ...row, ...z.parse(ProviderDetails, parseJson<unknown>(secrets.open('mail', sealed))) }
}
