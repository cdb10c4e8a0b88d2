import type { Region } from '#contract/base/region.ts'
import { toIso } from '#contract/base/time.ts'
import { isZoneOf } from '#contract/base/time-zones.ts'
import type {
  ChangePlaceZoneInput,
  OwnProfile,
  PlaceZoneChange,
  PlaceZoneInput,
} from '#contract/profiles-own.ts'
import { type Instant, wallClock } from '#db/columns.ts'
import type { Db } from '#db/engine.ts'
import type { Provider } from '#db/tables/profiles.ts'
import { countImportedTimes } from '#server/availability/hours/busy-times.ts'
import { findRules } from '#server/availability/hours/read-availability.ts'
import { leavesRules, listUpcoming } from '#server/availability/hours/save-hours.ts'
import { regenerateSlots } from '#server/availability/slots/extend-slots.ts'
import type { AsProvider } from '#server/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import { ownProvider } from './own-profile.ts'
import { listOwnPlaces, rezoneVisits, updatePlaceZone } from './own-profile-store.ts'
import { changePlace, type OnePlace } from './places.ts'

function assertZoneOf(region: Region, timeZone: string): void {
  if (isZoneOf(region, timeZone)) return
  const country = region === 'uk' ? 'the UK' : 'the USA'
  const message = `Choose a time zone of ${country}.`
  throw new AppError('invalid_input', {}, { issues: [{ path: 'timeZone', message }] })
}

type ZoneChange = { provider: Provider; place: OnePlace; timeZone: string }

/** What another zone changes of a place: booked visits keep their instant, so some read differently. */
async function describeChange(
  db: Db,
  { provider, place, timeZone }: ZoneChange,
  now: Instant,
): Promise<PlaceZoneChange> {
  const stored = await findRules(db, provider.no, now)
  const before = stored?.rules
  const after = before && {
    ...before,
    places: before.places.map((one) => (one.no === place.no ? { ...one, timeZone } : one)),
  }
  const visits = (await listUpcoming(db, provider.no, now)).filter(
    (row) =>
      row.place_no === place.no &&
      wallClock(row.start_at, row.time_zone) !== wallClock(row.start_at, timeZone),
  )
  return {
    from: place.time_zone,
    to: timeZone,
    hours: before?.hours.some(({ placeNo }) => placeNo === place.no) ?? false,
    importedTimes: await countImportedTimes(db, provider.no, now),
    visits: visits.map((row) => ({
      id: row.id,
      patient: row.patient,
      startsAt: toIso(row.start_at),
      timeZone: row.time_zone,
      leavesHours:
        before !== undefined &&
        after !== undefined &&
        leavesRules({ ...row, time_zone: timeZone }, { before, after }),
    })),
  }
}

/** What another time zone of one of the viewer's places would change; saves nothing. */
export async function readPlaceZone(
  ctx: AsProvider,
  input: PlaceZoneInput,
): Promise<PlaceZoneChange> {
  const { db } = ctx.database
  const provider = await ownProvider(ctx, db)
  assertZoneOf(provider.region, input.timeZone)
  const places = await listOwnPlaces(db, provider.no, ctx.now())
  const place = places.find(({ id }) => id === input.placeId)
  if (place === undefined) throw new AppError('not_found')
  return describeChange(db, { provider, place, timeZone: input.timeZone }, ctx.now())
}

/**
 * Corrects the time zone of a place. Hours mean the new clock and free times are made again; visits booked or held there
 * keep their instant and are recorded in the new zone. `changed_meanwhile` while one that reads differently is not
 * confirmed.
 */
export function changePlaceZone(ctx: AsProvider, input: ChangePlaceZoneInput): Promise<OwnProfile> {
  const { timeZone, confirmed } = input
  return changePlace(ctx, {
    action: 'profile.place_zone_changed',
    placeId: input.placeId,
    work: async (tx, { place, provider }) => {
      assertZoneOf(provider.region, timeZone)
      const now = ctx.now()
      const { visits } = await describeChange(tx.db, { provider, place, timeZone }, now)
      if (visits.some(({ id }) => !confirmed.includes(id))) {
        throw new AppError('changed_meanwhile', { what: 'visits' })
      }
      await updatePlaceZone(tx.db, place.no, timeZone)
      await rezoneVisits(tx.db, { placeNo: place.no, timeZone }, now)
      await regenerateSlots(tx.db, provider.no, now)
      return { from: place.time_zone, to: timeZone, visits: visits.length }
    },
  })
}
