import { shownName } from '#contract/base/person-names.ts'
import type { ProviderCard, ProviderInput, ProviderProfile } from '#contract/search.ts'
import type { Instant } from '#db/columns.ts'
import type { Db } from '#db/engine.ts'
import type { Point } from '#db/geo/points.ts'
import { specialtyByNo } from '#db/reference/specialties.ts'
import { bookableFrom } from '#server/availability/hours/hours-rules.ts'
import { endOfDayAfter } from '#server/availability/rules.ts'
import { firstFree } from '#server/availability/slots/free-times.ts'
import type { Context } from '#server/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import { publicPartOf } from '#server/profiles/provider-columns.ts'
import { modesOf } from '#server/profiles/rules.ts'
import { visitTypesOf } from '#server/profiles/visit-types.ts'
import { cardsOf, checkedOn, feesOf, isoOrNull, ratingOf } from './cards.ts'
import { countInArea, matchesOf, sliceOfPage } from './search-providers.ts'
import { findAnyProvider, findPublicProvider, listPlaces } from './store.ts'

const NEARBY_MILES = 25
const NEARBY_DAYS = 14
const NEARBY_SHOWN = 3

type Neighbourhood = { centre: Point & { time_zone: string }; now: Instant; specialtyNo: number }

/** The nearest others of the same specialty who are free soon. */
async function nearby(
  db: Db,
  ownId: string,
  { centre, now, specialtyNo }: Neighbourhood,
): Promise<ProviderCard[]> {
  const area = {
    centre,
    radius: NEARBY_MILES,
    narrowing: {
      specialtyNos: [specialtyNo],
      features: 0,
      mode: null,
      languages: 0,
      feeMax: null,
      freeBefore: endOfDayAfter(centre.time_zone, now, NEARBY_DAYS),
      from: bookableFrom(now),
    },
  }
  const count = await countInArea(db, area)
  const nearest = { ...sliceOfPage('distance', 1), limit: NEARBY_SHOWN + 1 }
  const matches = await matchesOf(db, { ...area, ...count }, nearest)
  const cards = await cardsOf(db, matches, { from: centre, now })
  return cards.filter(({ id }) => id !== ownId).slice(0, NEARBY_SHOWN)
}

type PublicProvider = NonNullable<Awaited<ReturnType<typeof findAnyProvider>>>

async function profileOf(ctx: Context, row: PublicProvider): Promise<ProviderProfile | null> {
  const { db } = ctx.database
  const now = ctx.now()
  const places = await listPlaces(db, row.no)
  const main = places[0]
  if (main === undefined) return null
  const specialty = specialtyByNo(row.specialty_no)
  const visitTypes = await visitTypesOf(db, row)
  return {
    ...publicPartOf(row),
    name: shownName(row),
    specialty: {
      slug: specialty.slug,
      name: specialty.name[row.region],
      plural: specialty.plural[row.region],
    },
    modes: modesOf(row).filter((mode) => visitTypes.some(({ modes }) => modes.includes(mode))),
    registration: {
      body: row.professional_body,
      number: row.membership_number,
      checkedOn: row.verified_at === null ? null : checkedOn(row.verified_at, main.time_zone),
    },
    rating: ratingOf(row),
    ...feesOf(row),
    consultationMinutes: row.consultation_minutes,
    visitTypes,
    cancellation: { freeHours: row.free_cancel_hours, latePercent: row.late_cancel_percent },
    places: places.map(({ time_zone: timeZone, ...place }) => ({ ...place, timeZone })),
    nextFree: isoOrNull(await firstFree(db, row.no, bookableFrom(now))),
    nearby: await nearby(db, row.id, { centre: main, now, specialtyNo: row.specialty_no }),
  }
}

/**
 * A provider's public profile. Unknown, Unverified and other-region ids are refused alike, so that they
 * cannot be told apart.
 */
export async function providerProfile(
  ctx: Context,
  input: ProviderInput,
): Promise<ProviderProfile> {
  const row = await findPublicProvider(ctx.database.db, input.id)
  if (row === undefined) throw new AppError('provider_not_found')
  if ((input.selectedRegion ?? row.region) !== row.region) throw new AppError('provider_not_found')
  const profile = await profileOf(ctx, row)
  if (profile === null) throw new AppError('provider_not_found')
  return profile
}

/** The viewer's own page as patients see it, or will once they are Verified. */
export async function previewProfile(ctx: Context): Promise<ProviderProfile> {
  const { viewer } = ctx
  const row =
    viewer.kind === 'provider' ? await findAnyProvider(ctx.database.db, viewer.id) : undefined
  const profile = row === undefined ? null : await profileOf(ctx, row)
  if (profile === null) throw new AppError('provider_not_found')
  return profile
}
