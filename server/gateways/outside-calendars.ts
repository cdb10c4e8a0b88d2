import { OutsideError } from '#server/kernel/outside-address.ts'
import type { BusyTimes, CalendarView } from './ics/busy-times.ts'
import { CalendarError } from './ics/busy-times.ts'
import { readCalendar } from './ics/read-calendar.ts'
import type { OutsideHttp, Validators } from './outside-http.ts'

export type OutsideReading = { kind: 'unchanged' } | ({ kind: 'busy' } & BusyTimes & Validators)

/** Calendars at addresses that people give us. */
export type OutsideCalendarGateway = {
  /** Busy times of a calendar. Throws `OutsideError`. */
  read(address: string, known: Validators, view: CalendarView): Promise<OutsideReading>
}

/** Fetches calendars through the guarded HTTP client and parses them in a worker that can be terminated. */
export function makeOutsideCalendars(http: OutsideHttp): OutsideCalendarGateway {
  return {
    async read(address, known, view) {
      const answer = await http.get(address, known)
      if (answer.kind === 'unchanged') return answer
      const { body, etag, lastModified } = answer
      try {
        const text = new TextDecoder().decode(body)
        return { kind: 'busy', ...(await readCalendar(text, view)), etag, lastModified }
      } catch (error) {
        if (error instanceof CalendarError) throw new OutsideError(error.failure, error)
        throw error
      }
    },
  }
}
