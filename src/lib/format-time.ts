import { dateFormat } from '#contract/intl.ts'

type DayStyle = 'short' | 'long'

/** uk providers are in Europe/London, all others in the USA: the zone decides clock and words. */
function localeOf(timeZone: string): string {
  return timeZone === 'Europe/London' ? 'en-GB' : 'en-US'
}

function formatter(timeZone: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  return dateFormat(localeOf(timeZone), { timeZone, ...options })
}

/** "14:30" in the UK, "2:30 pm" in the USA, in the clinic's own zone. `at` is ISO text with a Z. */
export function formatTime(at: string, timeZone: string): string {
  const isUk = localeOf(timeZone) === 'en-GB'
  const text = formatter(timeZone, {
    hour: isUk ? '2-digit' : 'numeric',
    minute: '2-digit',
    hour12: !isUk,
  }).format(new Date(at))
  return text.replace(/\s?([AP])M$/, (_, half: string) => ` ${half.toLowerCase()}m`)
}

/** The calendar day of an instant in the clinic's zone, as `2026-03-02`. */
export function dayOf(at: string | number, timeZone: string): string {
  return dateFormat('en-CA', { timeZone, dateStyle: 'short' }).format(new Date(at))
}

/** "Thu 19 Feb" or "Thursday 19 February" (American order in the USA) for a calendar day. */
export function formatDay(date: string, timeZone: string, style: DayStyle = 'short'): string {
  const format = dateFormat(localeOf(timeZone), {
    timeZone: 'UTC',
    weekday: style,
    day: 'numeric',
    month: style,
  })
  return format.format(new Date(`${date}T12:00:00Z`)).replace(/^(\w+),/, '$1')
}

/** "Monday 9 March 2026" ("Monday, March 9, 2026" in the USA), the day of an instant at the clinic. */
export function formatLongDate(at: string, timeZone: string): string {
  const format = formatter(timeZone, {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    year: 'numeric',
  })
  const text = format.format(new Date(at))
  return localeOf(timeZone) === 'en-GB' ? text.replace(',', '') : text
}

/** "Today", "Tomorrow", else the day in short: what a person calls it, seen from `now`. */
export function formatRelativeDay(date: string, timeZone: string, now = Date.now()): string {
  const today = dayOf(now, timeZone)
  if (date === today) return 'Today'
  const next = new Date(Date.parse(`${today}T12:00:00Z`) + 86_400_000)
  if (date === next.toISOString().slice(0, 10)) return 'Tomorrow'
  return formatDay(date, timeZone)
}

/** "London time, BST": the zone of in-person visits is always named. */
export function zoneLabel(at: string, timeZone: string): string {
  const city = (timeZone.split('/').at(-1) ?? timeZone).replaceAll('_', ' ')
  const short = formatter(timeZone, { timeZoneName: 'short' })
    .formatToParts(new Date(at))
    .find((part) => part.type === 'timeZoneName')
  return `${city} time, ${short?.value ?? timeZone}`
}

/** A calendar day as people of the region write it: `DD/MM/YYYY` or `MM/DD/YYYY`. */
export function formatDate(date: string, region: 'uk' | 'usa'): string {
  const [year = '', month = '', day = ''] = date.split('-')
  return region === 'uk' ? `${day}/${month}/${year}` : `${month}/${day}/${year}`
}
