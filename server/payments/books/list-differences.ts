import {
  DIFFERENCES_PAGE_SIZE,
  type Difference,
  type Differences,
  type DifferencesInput,
} from '#contract/payments-review.ts'
import { staffRefusal } from '#contract/staff.ts'
import { toIso } from '#contract/time.ts'
import type { AsStaff } from '#server/context.ts'
import { listStaffNames } from '#server/payments/history/staff-store.ts'
import {
  countDifferences,
  type DifferenceRecord,
  listDifferences as list,
} from '#server/payments/review/review-store.ts'

/** A difference as staff are shown it. */
export function showDifference(
  row: DifferenceRecord,
  staff: ReadonlyMap<string, string>,
): Difference {
  const { our_minor: minor, our_currency: currency } = row
  return {
    gateway: row.gateway,
    object: row.object,
    kind: row.kind,
    id: row.booking_id,
    paymentId: row.payment_id,
    amount: { minor: row.amount_minor, currency: row.currency },
    details: row.details,
    ours: minor === null || currency === null ? null : { minor, currency },
    foundAt: toIso(row.found_at),
    dealtAt: row.dealt_at === null ? null : toIso(row.dealt_at),
    dealtBy: staff.get(row.dealt_by ?? '') ?? null,
    dealtNote: row.dealt_note,
  }
}

/** Differences that the daily comparison could not resolve. */
export async function listDifferences(
  ctx: AsStaff,
  { page, show }: DifferencesInput,
): Promise<Differences> {
  const { db } = ctx.database
  const total = await countDifferences(db, show)
  const limit = DIFFERENCES_PAGE_SIZE
  const rows = await list(db, { show, skip: (page - 1) * limit, limit })
  const mayName = staffRefusal('seeNames', ctx.viewer.role) === null
  const ids = mayName ? rows.flatMap((row) => row.dealt_by ?? []) : []
  const staff = await listStaffNames(db, [...new Set(ids)])
  const differences = rows.map((row) => showDifference(row, staff))
  return {
    differences: mayName ? differences : differences.map((one) => ({ ...one, dealtNote: null })),
    current_page: page,
    total_pages: Math.ceil(total / limit),
    total,
  }
}
