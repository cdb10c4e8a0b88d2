import type { Moment } from '#app/lib/dates/slot-choice.ts'
import type { WeekVisit } from '#contract/booking-provider.ts'
import type { CalendarDay, CalendarWeek, SelectedSpan, Span } from './layout.ts'

/** Pixels per minute: default, and maximum used so that the shortest visit shows two lines. */
const [DEFAULT_PX, MAX_PX] = [1.6, 2.2]
/** Minimum height in pixels for two lines. */
export const TWO_LINES_PX = 42

export type WeekViewProps = CalendarWeek & {
  timeZone: string
  /** Current local time, in minutes after midnight. */
  now: number
  /** The server's clock. */
  asOf: string
  hasManyPlaces: boolean
  /** Their order determines their colours. */
  places: readonly string[]
  onOpen: (visit: WeekVisit) => void
  onDay: (date: string) => void
  onFree: (start: SelectedSpan) => void
  onMove: (visit: WeekVisit, to: Moment) => void
}

/** Colours of visits by place, in the order of the places. */
const placeColours = ['border-l-brand', 'border-l-accent', 'border-l-info', 'border-l-ok']
export const placeColour = (places: readonly string[], name: string) =>
  placeColours[places.indexOf(name) % placeColours.length] ?? 'border-l-brand'

/** Pixels per minute that let the shortest visit show two lines, within limits. */
export function pixelsPerMinute(days: readonly CalendarDay[]): number {
  const lengths = days.flatMap(({ visits }) => visits.map(({ from, to }) => to - from))
  const preferred = lengths.length === 0 ? DEFAULT_PX : TWO_LINES_PX / Math.min(...lengths)
  return Math.min(MAX_PX, Math.max(DEFAULT_PX, preferred))
}

/** The grid as drawn: `minutePx` is the height of a minute in pixels. */
export type RenderedGrid = WeekViewProps & { minutePx: number }

export const spanBox = (
  { from, to }: Span,
  { hours, minutePx }: Pick<RenderedGrid, 'hours' | 'minutePx'>,
) => ({
  top: (from - hours.from) * minutePx,
  height: (to - from) * minutePx,
})

/** Full hours of a span, in minutes after midnight. */
export const ticksOf = ({ from, to }: Span) =>
  Array.from({ length: (to - from) / 60 }, (_, n) => from + n * 60)
