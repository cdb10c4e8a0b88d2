import { daysBetween } from '#app/lib/calendar-days.ts'
import { lastDayOf } from '#app/lib/calendar-months.ts'
import { trpc } from '#app/trpc.ts'

/**
 * The first days with free times: of the coming fortnight, or of the fortnight that begins with
 * the first free day when that is further off.
 */
export function useFirstTimes(providerId: string) {
  const { freeTimes } = trpc.availability
  const soon = freeTimes.useQuery({ providerId })
  const jump = soon.data?.days.length === 0 ? soon.data.nextDay : null
  const later = freeTimes.useQuery(
    { providerId, ...(jump !== null && { from: jump }) },
    { enabled: jump !== null },
  )
  // Today as the clinic's calendar has it, from the one call that began there.
  const today = soon.data?.from
  return { times: jump === null ? soon : later, today }
}

/** The free times of one month, from `today` on; days before it are never asked for. */
export function useMonthTimes(providerId: string, month: string, today: string) {
  const first = `${month}-01`
  const from = first < today ? today : first
  const days = Math.max(1, daysBetween(from, lastDayOf(month)) + 1)
  return trpc.availability.freeTimes.useQuery({ providerId, from, days })
}
