import { readFile } from 'node:fs/promises'
import type { Point } from '#server/search/circle.ts'

/** About a mile, so that people of one sector do not all stand on one spot. */
const SCATTER_DEGREES = 0.02

/** Draws places in proportion to where people live: postcode sectors, weighted by postcodes. */
export async function peopleSampler(random: () => number): Promise<() => Point> {
  const file = new URL('../db/geo/uk-sectors.tsv', import.meta.url)
  const lines = (await readFile(file, 'utf8')).trim().split('\n').slice(1)
  const sectors = lines.map((line) => {
    const [, latitude, longitude, postcodes] = line.split('\t')
    return {
      latitude: Number(latitude),
      longitude: Number(longitude),
      weight: Number(postcodes),
    }
  })
  const ends: number[] = []
  let total = 0
  for (const { weight } of sectors) ends.push((total += weight))
  const scatter = () => (random() + random() + random() - 1.5) * SCATTER_DEGREES
  return () => {
    const drawn = random() * total
    let low = 0
    let high = ends.length - 1
    while (low < high) {
      const middle = (low + high) >> 1
      if ((ends[middle] ?? 0) <= drawn) low = middle + 1
      else high = middle
    }
    const sector = sectors[low] ?? { latitude: 0, longitude: 0 }
    return {
      latitude: sector.latitude + scatter(),
      longitude: sector.longitude + 1.6 * scatter(),
    }
  }
}
