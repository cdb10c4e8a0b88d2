import type { Region } from '#contract/region.ts'
import type { SearchFilters, SearchPlace } from '#contract/search.ts'
import type { Db } from '#db/engine.ts'
import { findPlace } from '#db/geo/lookup.ts'
import { zoneAt } from '#db/geo/zones.ts'
import { AppError } from '#server/kernel/errors.ts'
import type { Point } from './circle.ts'
import { roundCoordinate } from './rules.ts'

/** The centre of a search: the exact point for internal use, the rounded one for the response. */
export type Centre = { point: Point; timeZone: string; place: SearchPlace }

type CentreInput = Pick<SearchFilters, 'selectedRegion' | 'postcode' | 'latitude' | 'longitude'>

/** A point of the map, when one was sent; half a point is refused. */
function pointOf({ latitude, longitude }: CentreInput): Point | null {
  if (latitude === undefined && longitude === undefined) return null
  if (latitude === undefined || longitude === undefined) throw new AppError('coordinates_invalid')
  return { latitude, longitude }
}

function rounded({ latitude, longitude }: Point): Point {
  return { latitude: roundCoordinate(latitude), longitude: roundCoordinate(longitude) }
}

function centreAt(point: Point, { selectedRegion, postcode }: CentreInput): Centre {
  const shown = rounded(point)
  const label = postcode.trim()
  return {
    point,
    timeZone: zoneAt(selectedRegion, point.latitude, point.longitude),
    place: {
      label: label === '' ? `${shown.latitude}, ${shown.longitude}` : label,
      level: 'point',
      isApproximate: false,
      ...shown,
    },
  }
}

function codeDetails({ code, near }: { code: string; near?: string }, region: Region) {
  return near === undefined ? { code, region } : { code, region, near }
}

/** The centre of a search; throws an `AppError` with one of the place codes when there is none. */
export async function centreOf(db: Db, input: CentreInput): Promise<Centre> {
  const point = pointOf(input)
  if (point !== null) return centreAt(point, input)
  const region = input.selectedRegion
  const answer = await findPlace(db, region, input.postcode)
  switch (answer.kind) {
    case 'found': {
      const found = { latitude: answer.lat, longitude: answer.lon }
      const { label, level, isApproximate, timeZone, others, insteadOf, standsIn } = answer
      const doubts = {
        ...(others !== undefined && others.length > 0 && { others }),
        ...(insteadOf !== undefined && { insteadOf }),
        ...(standsIn !== undefined && { standsIn }),
      }
      const place = { label, level, isApproximate, ...rounded(found), ...doubts }
      return { point: found, timeZone, place }
    }
    case 'empty':
      throw new AppError('place_missing', { region })
    case 'invalid':
      throw new AppError('place_invalid', { region })
    case 'unknown_code':
      throw new AppError('postcode_unknown', codeDetails(answer, region))
    case 'unknown_place':
      throw new AppError('place_unknown', { text: answer.text, region })
    case 'no_place':
      throw new AppError('postcode_without_place', codeDetails(answer, region))
    case 'military':
      throw new AppError('postcode_military', { code: answer.code, region })
    case 'other_region':
      throw new AppError('place_in_other_region', {
        label: answer.label,
        region,
        otherRegion: answer.region,
      })
  }
}
