import type { OutsideFailure } from '#contract/outside-calendars.ts'
import type { CalendarView, Span } from '#server/gateways/ics/busy-times.ts'
import type { OutsideCalendarGateway } from '#server/gateways/outside-calendars.ts'
import type { Validators } from '#server/gateways/outside-http.ts'
import { OutsideError } from '#server/kernel/outside-address.ts'

type ReadRequest = { address: string; known: Validators; view: CalendarView }

export type FakeOutsideCalendars = OutsideCalendarGateway & {
  /** Every read of a calendar, in order. */
  reads: ReadRequest[]
  /** Sets the busy times of all calendars: `2026-03-10T09:00/10:00`, UTC, one day each. */
  setBusy(...busy: string[]): void
  /** Makes all reads fail from now on. */
  fail(failure: OutsideFailure): void
  /** Our own visits that the calendars contain. */
  own: (Span & { id: string })[]
}

function spanOf(text: string): Span {
  const [from = '', to = ''] = text.split('/')
  return { start: Date.parse(`${from}Z`), end: Date.parse(`${from.slice(0, 11)}${to}Z`) }
}

/** Fake outside calendars. Reading with the current ETag reports no change. */
export function makeFakeOutsideCalendars(): FakeOutsideCalendars {
  const asked: ReadRequest[] = []
  const own: FakeOutsideCalendars['own'] = []
  let spans: Span[] = []
  let failing: OutsideFailure | null = null
  let version = 1
  return {
    reads: asked,
    own,
    setBusy: (...busy) => {
      spans = busy.map(spanOf)
      failing = null
      version += 1
    },
    fail: (failure) => {
      failing = failure
    },
    read: (address, known, view) => {
      asked.push({ address, known, view })
      if (failing !== null) return Promise.reject(new OutsideError(failing))
      const etag = `"${version}"`
      if (known.etag === etag) return Promise.resolve({ kind: 'unchanged' })
      return Promise.resolve({ kind: 'busy', spans, own, unreadable: 0, etag, lastModified: null })
    },
  }
}
