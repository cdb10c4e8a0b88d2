import { dayOf, formatDay, formatTime, zoneLabel } from '#app/lib/format-time.ts'

type ClinicTimeProps = { at: string; timeZone: string }

/** "Thursday 19 February, 14:30 (London time, GMT)": an instant as the clinic's clock shows it. */
export function ClinicTime({ at, timeZone }: ClinicTimeProps) {
  return (
    <time dateTime={at}>
      {formatDay(dayOf(at, timeZone), timeZone, 'long')}, {formatTime(at, timeZone)} (
      {zoneLabel(at, timeZone)})
    </time>
  )
}
