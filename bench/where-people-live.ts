import { readFile } from 'node:fs/promises'
import { readCities } from '#db/geo/packages.ts'
import type { Point } from '#server/search/circle.ts'

type Town = Point & { weight: number }

/** Postcode sectors are a mile or two across, American towns several. */
const SCATTER_DEGREES = { uk: 0.02, usa: 0.08 }

async function ukSectors(): Promise<Town[]> {
  const file = new URL('../db/geo/uk-sectors.tsv', import.meta.url)
  const lines = (await readFile(file, 'utf8')).trim().split('\n').slice(1)
  return lines.map((line) => {
    const [, latitude, longitude, postcodes] = line.split('\t')
    return {
      latitude: Number(latitude),
      longitude: Number(longitude),
      weight: Number(postcodes),
    }
  })
}

/** Parts of a town are left out: their people are counted with the town. */
function usTowns(): Town[] {
  return readCities(new Set(['US']))
    .filter(({ featureCode }) => featureCode !== 'PPLX')
    .map(({ latitude, longitude, population }) => ({ latitude, longitude, weight: population }))
}

/** Picks a town at random, weighted by population. */
function townSampler(towns: readonly Town[], random: () => number): () => Town {
  const ends: number[] = []
  let total = 0
  for (const { weight } of towns) ends.push((total += weight))
  return () => {
    const drawn = random() * total
    let low = 0
    let high = ends.length - 1
    while (low < high) {
      const middle = (low + high) >> 1
      if ((ends[middle] ?? 0) <= drawn) low = middle + 1
      else high = middle
    }
    return towns[low] ?? { latitude: 0, longitude: 0, weight: 0 }
  }
}

export type Somewhere = Point & { region: 'uk' | 'usa' }

/**
 * Picks random populated places: half in the UK and half in the USA, as in the demo data, weighted by
 * population within each.
 */
export async function peopleSampler(random: () => number): Promise<() => Somewhere> {
  const samplers = {
    uk: townSampler(await ukSectors(), random),
    usa: townSampler(usTowns(), random),
  }
  return () => {
    const region = random() < 0.5 ? 'uk' : 'usa'
    const town = samplers[region]()
    const scatter = () => (random() + random() + random() - 1.5) * SCATTER_DEGREES[region]
    return {
      region,
      latitude: town.latitude + scatter(),
      longitude: town.longitude + 1.5 * scatter(),
    }
  }
}
