import type { Money } from '#contract/base/money.ts'
import { shownName } from '#contract/base/person-names.ts'
import type { ProviderCard } from '#contract/search.ts'
import { type Instant, NEVER } from '#db/columns.ts'
import type { Db } from '#db/engine.ts'
import type { Point } from '#db/geo/points.ts'
import { specialtyByNo } from '#db/reference/specialties.ts'
import type { ProviderRow } from '#db/tables/profiles.ts'
import { bookableFrom } from '#server/availability/hours/hours-rules.ts'
import { clinicDayOf, slotText } from '#server/availability/rules.ts'
import { type NextDays, nextDays } from '#server/availability/slots/free-times.ts'
import { cardPartOf } from '#server/profiles/provider-columns.ts'
import { milesBetween, roundMiles } from './circle.ts'
import type { Match } from './matches-store.ts'
import { modesOfFeatures } from './rules.ts'
import { type CardRow, listMainZones } from './store.ts'

function cardOf(row: Match & CardRow, times: NextDays | undefined, from: Point): ProviderCard {
  const specialty = specialtyByNo(row.specialty_no)
  return {
    ...cardPartOf(row),
    name: shownName(row),
    specialty: { slug: specialty.slug, name: specialty.name[row.region] },
    place: {
      name: row.name,
      locality: row.locality,
      postcode: row.postcode,
      latitude: row.latitude,
      longitude: row.longitude,
      timeZone: row.time_zone,
    },
    distance: roundMiles(milesBetween(from, row)),
    rating: ratingOf(row),
    ...feesOf(row),
    verified: { body: row.professional_body, on: checkedOn(row.verified_at, row.time_zone) },
    modes: modesOfFeatures(row.features),
    nextFree: isoOrNull(times?.nextFree ?? null),
    days: times?.days ?? [],
  }
}

/** Result cards of the matches, in their order; their times are read in one statement. */
export async function cardsOf(
  db: Db,
  matches: readonly (Match & CardRow)[],
  { from, now }: { from: Point; now: Instant },
): Promise<ProviderCard[]> {
  const times = await nextDays(
    db,
    bookableFrom(now),
    matches.map(({ providerNo, placeNo, siblings, nextFree, minutes, bufferMinutes, ...row }) => ({
      providerNo,
      nextFree,
      timeZone: row.time_zone,
      ...(minutes > 0 ? { visit: { minutes, bufferMinutes } } : {}),
      ...(siblings === 1 ? { placeNo } : {}),
    })),
  )
  const severals = matches.filter(({ siblings }) => siblings === 1)
  const zones = await listMainZones(
    db,
    severals.map(({ providerNo }) => providerNo),
  )
  return matches.map((match) => {
    const card = cardOf(match, times.get(match.providerNo), from)
    if (match.siblings !== 1) return card
    const several = { ...card, isOneOfSeveral: true as const }
    const mainZone = zones.get(match.providerNo) ?? match.time_zone
    return mainZone === match.time_zone ? several : { ...several, mainZone }
  })
}

type Priced = Pick<ProviderRow, 'amount_minor' | 'follow_amount_minor' | 'currency'>

/** The two fees: first visit and follow-up. */
export function feesOf(row: Priced): { fee: Money; followUpFee: Money } {
  return {
    fee: { minor: row.amount_minor, currency: row.currency },
    followUpFee: { minor: row.follow_amount_minor, currency: row.currency },
  }
}

/** The mean of the stars with one decimal, or null without ratings. */
export function ratingOf(row: Pick<ProviderRow, 'rating_sum' | 'rating_count'>) {
  if (row.rating_count === 0) return null
  return {
    average: Math.round((row.rating_sum / row.rating_count) * 10) / 10,
    count: row.rating_count,
  }
}

/** The start of a slot as ISO text, or null for "none" and "never". */
export function isoOrNull(instant: Instant | null): string | null {
  return instant === null || instant === NEVER ? null : slotText(instant)
}

/** The date of the last register check, in the clinic's time zone. */
export function checkedOn(verifiedAt: Instant | null, timeZone: string): string {
  return clinicDayOf(timeZone, verifiedAt ?? 0).date
}
