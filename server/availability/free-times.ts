import type { FreeTimes, FreeTimesInput } from '#contract/availability.ts'
import { toIso } from '#contract/time.ts'
import type { Context } from '#server/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import { paymentLead } from './hours-rules.ts'
import {
  addDays,
  byClinicDay,
  clinicDayOf,
  isCalendarDate,
  slotText,
  startOfDate,
} from './rules.ts'
import { findClinic, findNextFree, listFreePlaces, listFreeTimes } from './store.ts'

/** Free times of a provider for some days of the clinic's calendar, and where to look next. */
export async function freeTimes(ctx: Context, input: FreeTimesInput): Promise<FreeTimes> {
  const { db } = ctx.database
  const clinic = await findClinic(db, input.providerId)
  if (clinic === undefined) throw new AppError('provider_not_found')
  const now = ctx.now()
  const zone = clinic.time_zone
  const first = input.from ?? clinicDayOf(zone, now).date
  if (!isCalendarDate(first)) throw new AppError('date_invalid')
  // Whatever the notice has reached goes off the offer a little before; this is for a job that is late.
  const offered = now + paymentLead(clinic.notice_minutes)
  const from = Math.max(offered, startOfDate(zone, first))
  const until = Math.max(offered, startOfDate(zone, addDays(first, input.days)))
  const found = await listFreeTimes(db, clinic.no, { from, until })
  const places =
    Number(clinic.places) > 1 ? await listFreePlaces(db, clinic.no, { from, until }) : null
  const placeAt = (instant: number) => {
    const place = places?.get(instant)
    return place === undefined ? {} : { place }
  }
  const [earliest, later] = await Promise.all([
    findNextFree(db, clinic.no, offered),
    findNextFree(db, clinic.no, until),
  ])
  return {
    timeZone: zone,
    consultationMinutes: clinic.consultation_minutes,
    from: first,
    to: addDays(first, input.days - 1),
    days: byClinicDay(zone, found).map(({ day, instants }) => ({
      date: day.date,
      slots: instants.map((instant) => ({ startsAt: slotText(instant), ...placeAt(instant) })),
    })),
    nextFree: earliest === null ? null : toIso(earliest),
    nextDay: later === null ? null : clinicDayOf(zone, later).date,
  }
}
