import { DAY_MS } from '#contract/base/time.ts'
import { first, type RawEvent, type Span } from './calendar-file.ts'

/** How long an entry takes by its `DURATION`; undefined if it has an end, or a form that only the parser reads. */
function durationOf(event: RawEvent): Temporal.Duration | undefined {
  const property = first(event, 'DURATION')
  if (property === undefined || first(event, 'DTEND') !== undefined) return undefined
  try {
    return Temporal.Duration.from(property.value)
  } catch {
    return undefined
  }
}

/**
 * An occurrence that takes as long as its entry, whose days count by the calendar of a zone: one may have 23 or 25
 * hours (RFC 5545, 3.3.6). The parser counts 24 hours, or days in this process's zone.
 */
export function inDays(
  span: Span,
  entry: RawEvent,
  { zone, isFullDay }: { zone: string; isFullDay: boolean },
): Span {
  const days = Math.round((span.end - span.start) / DAY_MS)
  const length = durationOf(entry) ?? (isFullDay ? Temporal.Duration.from({ days }) : undefined)
  if (length === undefined) return span
  const start = Temporal.Instant.fromEpochMilliseconds(span.start).toZonedDateTimeISO(zone)
  const end = isFullDay ? start.toPlainDate().add(length).toZonedDateTime(zone) : start.add(length)
  // Whole days last a day at least.
  const isShort = isFullDay && end.epochMilliseconds <= span.start
  return isShort ? span : { start: span.start, end: end.epochMilliseconds }
}

/** The last day of a rule of whole days, where Outlook gives an instant, as midnight in the calendar's zone. */
export function withLastDay(rule: string, zone: string): string {
  return rule.replace(/UNTIL=(\d{8}T\d{6}Z)/, (_, until: string) => {
    const day = Temporal.Instant.from(until).toZonedDateTimeISO(zone).toPlainDate()
    return `UNTIL=${day.toString().replaceAll('-', '')}`
  })
}
