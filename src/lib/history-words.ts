import { numberFormat } from '#contract/intl.ts'
import type { HistoryRow } from '#contract/payments-history.ts'
import { formatDate } from './format-time.ts'
import { formatWallTime } from './slot-choice.ts'

/** What stands in a cell that has nothing to say. */
const MISSING = 'N/A'

/** The sign of a history row by its region: rows of India, and of regions unknown, are in rupees. */
function signOf(region: string): string {
  if (region === 'usa') return '$'
  return region === 'uk' ? '£' : '₹'
}

const twoDigits = { minimumFractionDigits: 2, maximumFractionDigits: 2 } as const

/** "£60.00" with the sign of the row's region; a missing amount is 0.00. */
export function historyAmount({ amount, doctor_region: region }: HistoryRow): string {
  return signOf(region) + numberFormat('en-GB', twoDigits).format((amount?.minor ?? 0) / 100)
}

/** How much went back, or null. */
export function historyRefund({ refunded, doctor_region: region }: HistoryRow): string | null {
  if (refunded === null) return null
  return `${signOf(region)}${numberFormat('en-GB', twoDigits).format(refunded.minor / 100)} refunded`
}

/** Day of a row as people of its region write it. */
export function historyDate({ date, doctor_region: region }: HistoryRow): string {
  return date === null ? MISSING : formatDate(date, region === 'usa' ? 'usa' : 'uk')
}

/** Wall clock of a row as people of its region read it. */
export function historyTime({ start_time: time, doctor_region: region }: HistoryRow): string {
  if (time === null) return MISSING
  return region === 'usa' ? formatWallTime(time, 'America/New_York') : time
}

const methods = { stripe: 'Card (Stripe)', paypal: 'PayPal' } as const

export function historyMethod({ payment_method: method }: HistoryRow): string {
  return method === null ? MISSING : methods[method]
}

export function historyName(name: string | null): string {
  return name ?? MISSING
}
