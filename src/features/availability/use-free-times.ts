import { daysBetween } from '#app/lib/calendar-days.ts'
import { lastDayOf } from '#app/lib/calendar-months.ts'
import { trpc } from '#app/trpc.ts'

/** Whose times, and of which type of visit; of the first one where it is left out. */
export type Whose = { providerId: string; typeId?: string | undefined }

const asked = ({ providerId, typeId }: Whose) => ({
  providerId,
  ...(typeId !== undefined && { typeId }),
})

/**
 * The first days with free times: of the coming fortnight, or of the fortnight that begins with
 * the first free day when that is further off.
 */
export function useFirstTimes(of: Whose) {
  const { freeTimes } = trpc.availability
  const whose = asked(of)
  const soon = freeTimes.useQuery(whose)
  const jump = soon.data?.days.length === 0 ? soon.data.nextDay : null
  const later = freeTimes.useQuery(
    { ...whose, ...(jump !== null && { from: jump }) },
    { enabled: jump !== null },
  )
  // Today as the clinic's calendar has it, from the one call that began there.
  const today = soon.data?.from
  return { times: jump === null ? soon : later, today }
}

/** The free times of one month, from `today` on; days before it are never asked for. */
export function useMonthTimes(of: Whose, month: string, today: string) {
  const first = `${month}-01`
  const from = first < today ? today : first
  const days = Math.max(1, daysBetween(from, lastDayOf(month)) + 1)
  return trpc.availability.freeTimes.useQuery({ ...asked(of), from, days })
}
