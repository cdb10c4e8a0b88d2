import type { ProviderCard } from '#contract/search.ts'
import type { Instant } from '#db/columns.ts'
import type { Db } from '#db/engine.ts'
import { specialtyByNo } from '#db/reference/specialties.ts'
import { bookableFrom } from '#server/availability/hours/hours-rules.ts'
import { type NextDays, nextDays } from '#server/availability/slots/free-times.ts'
import { modesOf } from '#server/profiles/rules.ts'
import { milesBetween, type Point, roundMiles } from './circle.ts'
import { checkedOn, displayName, feesOf, isoOrNull, listOf, ratingOf } from './display.ts'
import type { Match } from './matches-store.ts'
import { type CardRow, listMainZones } from './store.ts'

function cardOf(row: CardRow, times: NextDays | undefined, from: Point): ProviderCard {
  const specialty = specialtyByNo(row.specialty_no)
  return {
    id: row.id,
    name: displayName(row),
    specialty: { slug: specialty.slug, name: specialty.name[row.region] },
    photo: row.photo,
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
    languages: listOf(row.languages),
    modes: modesOf(row),
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
    const several = { ...card, isOneOfSeveral: true } as const
    const mainZone = zones.get(match.providerNo) ?? match.time_zone
    return mainZone === match.time_zone ? several : { ...several, mainZone }
  })
}
