import type { Explanation, TimeReason } from '#contract/availability.ts'

type Stretch = Explanation['stretches'][number]

/** A stretch as the bar shows it, in minutes. */
export type BarPart = { reason: TimeReason; minutes: number; startsAt: string }

const minutesOf = ({ startsAt, endsAt }: Stretch) =>
  (Date.parse(endsAt) - Date.parse(startsAt)) / 60_000

/** At either end of a day more than this much of the night only makes the rest narrow. */
const NIGHT = 60

/** The stretches side by side, neighbours of one kind as one, the night at both ends cut short. */
export function barParts(stretches: readonly Stretch[]): {
  parts: BarPart[]
  startsAt: string
  endsAt: string
} {
  const parts: BarPart[] = []
  for (const stretch of stretches) {
    const last = parts.at(-1)
    const minutes = minutesOf(stretch)
    if (last?.reason === stretch.reason) last.minutes += minutes
    else parts.push({ reason: stretch.reason, minutes, startsAt: stretch.startsAt })
  }
  let startsAt = stretches[0]?.startsAt ?? ''
  let endsAt = stretches.at(-1)?.endsAt ?? ''
  const isNight = (part: BarPart | undefined): part is BarPart =>
    part?.reason === 'outside_hours' && part.minutes > NIGHT && parts.length > 1
  const [first] = parts
  if (isNight(first)) {
    startsAt = new Date(Date.parse(startsAt) + (first.minutes - NIGHT) * 60_000).toISOString()
    parts[0] = { ...first, startsAt, minutes: NIGHT }
  }
  const last = parts.at(-1)
  if (isNight(last)) {
    endsAt = new Date(Date.parse(endsAt) - (last.minutes - NIGHT) * 60_000).toISOString()
    parts[parts.length - 1] = { ...last, minutes: NIGHT }
  }
  return { parts, startsAt, endsAt }
}
