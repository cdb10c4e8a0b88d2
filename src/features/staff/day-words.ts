import { formatMoney } from '#app/lib/format-money.ts'
import { dateFormat } from '#contract/intl.ts'
import type { IncomeDay } from '#contract/payments-review.ts'

const noon = (date: string) => new Date(`${date}T12:00:00Z`)

/** "2 Mar". */
export function shortDay(date: string): string {
  return dateFormat('en-GB', { timeZone: 'UTC', day: 'numeric', month: 'short' }).format(noon(date))
}

/** "Mon 2 March 2026". */
export function longDay(date: string): string {
  return dateFormat('en-GB', {
    timeZone: 'UTC',
    weekday: 'short',
    day: 'numeric',
    month: 'long',
    year: 'numeric',
  })
    .format(noon(date))
    .replace(',', '')
}

/** "1 booking", "12 bookings". */
export function bookingsWords(count: number): string {
  return count === 1 ? '1 booking' : `${count} bookings`
}

/** "Mon 2 March 2026: 3 bookings, £120, $90". */
export function dayWords({ date, bookings, income }: IncomeDay): string {
  const pounds = formatMoney({ minor: income.GBP, currency: 'GBP' })
  const dollars = formatMoney({ minor: income.USD, currency: 'USD' })
  return `${longDay(date)}: ${bookingsWords(bookings)}, ${pounds}, ${dollars}`
}
