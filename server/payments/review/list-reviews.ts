import type { Reviews } from '#contract/payments-review.ts'
import { errorMessage } from '#contract/sentences.ts'
import { staffRefusal } from '#contract/staff.ts'
import { toIso } from '#contract/time.ts'
import type { AsStaff } from '#server/context.ts'
import { whyNotAccept } from './decide-review.ts'
import { listFailedRefunds, listInReview } from './review-store.ts'

type Named = {
  user_first_name: string
  user_last_name: string
  user_erased_at: number | null
  title: string | null
  first_name: string
  last_name: string
}

function namesOf(row: Named) {
  const user = [row.user_first_name, row.user_last_name].filter(Boolean).join(' ')
  const isErased = row.user_erased_at !== null
  return {
    user_name: isErased || user === '' ? null : user,
    doctor_name: [row.title, row.first_name, row.last_name].filter(Boolean).join(' '),
  }
}

/** Reviews to decide: payments that don't match, and failed refunds. */
export async function listReviews(ctx: AsStaff): Promise<Reviews> {
  const { db } = ctx.database
  const now = ctx.now()
  const mayName = staffRefusal('seeNames', ctx.viewer.role) === null
  const noNames = { user_name: null, doctor_name: null }
  const namesFor = (row: Named) => (mayName ? namesOf(row) : noNames)
  const inReview = await listInReview(db)
  const failed = await listFailedRefunds(db)
  const rows = inReview.length + failed.length
  if (mayName && rows > 0) await ctx.record({ action: 'payment.names_read', details: { rows } })
  return {
    payments: inReview.map((row) => {
      const { taken_minor: minor, taken_currency: currency } = row
      const taken = minor === null || currency === null ? null : { minor, currency }
      const why = whyNotAccept(row, taken, { startAt: row.start_at, now })
      return {
        id: row.id,
        paymentId: row.payment_id,
        ...namesFor(row),
        startsAt: toIso(row.start_at),
        timeZone: row.time_zone,
        foundAt: toIso(row.updated_at),
        gateway: row.gateway,
        expected: { minor: row.amount_minor, currency: row.currency },
        taken,
        reference: row.gw_payment,
        whyNotAccept: why === null ? null : errorMessage(why),
      }
    }),
    refunds: failed.map((row) => ({
      id: row.id,
      refundId: row.refund_id,
      ...namesFor(row),
      gateway: row.gateway,
      amount: { minor: row.amount_minor, currency: row.refund_currency ?? row.currency },
      failedAt: toIso(row.updated_at),
      why: row.failure,
      reference: row.gw_refund,
    })),
  }
}
