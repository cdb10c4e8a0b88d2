import type { Region } from '#contract/region.ts'
import type { Heritage } from './names-kit.ts'
import {
  american,
  british,
  hispanic,
  persian,
  slavic,
  southEuropean,
  turkish,
} from './names-west.ts'
import {
  arab,
  chinese,
  eastAfrican,
  filipino,
  hindu,
  japanese,
  korean,
  muslimSouthAsian,
  punjabi,
  vietnamese,
  westAfrican,
} from './names-world.ts'

/** Origins of the demo's providers by region, and how common each is. */
export const HERITAGES: Record<Region, readonly (readonly [Heritage, number])[]> = {
  uk: [
    [british, 54],
    [hindu, 11],
    [muslimSouthAsian, 9],
    [westAfrican, 6],
    [punjabi, 3],
    [arab, 3.5],
    [slavic, 3.5],
    [southEuropean, 3.5],
    [chinese, 3],
    [persian, 1],
    [eastAfrican, 1],
    [turkish, 0.9],
    [filipino, 0.6],
  ],
  usa: [
    [american, 52],
    [hispanic, 15],
    [hindu, 8],
    [chinese, 4.5],
    [westAfrican, 3],
    [arab, 2.5],
    [muslimSouthAsian, 3],
    [korean, 2.5],
    [vietnamese, 2.5],
    [slavic, 2.5],
    [filipino, 2],
    [persian, 1.5],
    [southEuropean, 1.5],
    [japanese, 0.8],
    [punjabi, 0.7],
    [eastAfrican, 0.5],
  ],
}
