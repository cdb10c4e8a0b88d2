import { type Clinic, nextDays } from '#server/availability/next-days.ts'
import type { Bar, BenchOptions, Measure } from '../bar.ts'
import { NOW } from '../data.ts'
import { alternate, percentile } from '../measure.ts'
import { bigSpec, type Ground, openGround, productSearch, questions } from '../searching.ts'

function specs(options: BenchOptions) {
  const big = bigSpec(options)
  const providers = options.quick ? 5_000 : 50_000
  return {
    big: { ...big, slots: options.quick ? 10 : 20, providers: big.providers },
    small: { providers, specialties: big.specialties, slots: options.quick ? 10 : 20 },
  }
}

type Page = { clinics: Clinic[] }

async function pages(ground: Ground, count: number, specialties: number): Promise<Page[]> {
  const found: Page[] = []
  for (const question of await questions(count, specialties)) {
    const { matches } = await productSearch(ground, question)
    const clinics = matches.map((match) => ({ ...match, timeZone: 'Europe/London' }))
    if (clinics.length === 10) found.push({ clinics })
  }
  return found
}

async function run(options: BenchOptions): Promise<Measure[]> {
  const { big: bigData, small: smallData } = specs(options)
  const big = await openGround(bigData, options)
  const small = await openGround(smallData, options)
  try {
    const count = options.quick ? 1_200 : 4_000
    const asked = await questions(count, bigData.specialties)
    const onBig = await pages(big, count, bigData.specialties)
    const onSmall = await pages(small, count, bigData.specialties)
    const turns = Math.min(onBig.length, onSmall.length, asked.length)
    const inputs = Array.from({ length: turns }, (_, n) => n)
    const slotsOf = (ground: Ground, found: readonly Page[]) => (n: number) =>
      nextDays(ground.database.db, NOW, found[n]?.clinics ?? [])
    const [search = [], slots = [], fewer = []] = await alternate(inputs, 300, [
      (n) => {
        const question = asked[n]
        return question === undefined ? undefined : productSearch(big, question)
      },
      slotsOf(big, onBig),
      slotsOf(small, onSmall),
    ])
    const median = percentile(slots, 0.5)
    return [
      {
        name: 'free times of the ten on a page, against the search',
        ours: median,
        limit: percentile(search, 0.5),
        unit: 'ms',
        bar: { atMost: 0.3 },
      },
      {
        name: 'free times, twenty times as many slots',
        ours: median,
        limit: percentile(fewer, 0.5),
        unit: 'ms',
        bar: { atMost: 2 },
      },
    ]
  } finally {
    await big.close()
    await small.close()
  }
}

export const bar: Bar = { no: 5, title: 'Next free times', run }
