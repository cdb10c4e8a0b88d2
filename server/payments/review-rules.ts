import type { ErrorCode } from '#contract/errors.ts'
import type { Instant } from '#db/columns.ts'
import type { PaymentRow } from '#db/tables/payments.ts'

type Asked = Pick<PaymentRow, 'amount_minor' | 'currency'>
type Came = { minor: number; currency: string } | null
type When = { startAt: Instant; now: Instant }

/**
 * Why money that came in otherwise than asked for cannot be accepted for its visit, or null when it can
 * as far as is known. Whether the time is still free, only claiming it says.
 */
export function whyNotAccept(asked: Asked, came: Came, { startAt, now }: When): ErrorCode | null {
  if (startAt <= now) return 'slot_passed'
  const isCovered =
    came !== null && came.currency === asked.currency && came.minor >= asked.amount_minor
  return isCovered ? null : 'review_not_covered'
}
