import ical from 'node-ical'
import type { ReadEvent } from './strict-calendar.ts'

/** An event as a calendar program's parser finds it. */
export type ParsedEvent = Pick<
  ReadEvent,
  'uid' | 'summary' | 'location' | 'description' | 'status' | 'sequence' | 'start' | 'end'
> & { method: string; timeZone: string; organizer: string | null; attendee: string | null }

function textOf(value: unknown): string {
  if (typeof value === 'string') return value
  if (typeof value === 'object' && value !== null && 'val' in value) return textOf(value.val)
  throw new Error('The parser found no text.')
}

const textOrNull = (value: unknown): string | null => (value === undefined ? null : textOf(value))

const instantOf = (date: Date): string => date.toISOString().replace('.000Z', 'Z')

/**
 * Reads a calendar with `node-ical`, which shares no code with what wrote it and resolves zones by name, as
 * most calendars do. `parseStrictCalendar` is strict and resolves zones from the file alone.
 */
export function parseCalendar(text: string): ParsedEvent[] {
  const parts = Object.values(ical.sync.parseICS(text))
  return parts.flatMap((part) => {
    if (part?.type !== 'VEVENT') return []
    return {
      uid: part.uid,
      method: textOf(part.method),
      sequence: Number(part.sequence),
      status: textOf(part.status),
      start: instantOf(part.start),
      end: part.end === undefined ? '' : instantOf(part.end),
      timeZone: part.start.tz ?? '',
      summary: textOf(part.summary),
      location: textOf(part.location),
      description: textOf(part.description),
      organizer: textOrNull(part.organizer),
      attendee: textOrNull(part.attendee),
    }
  })
}
