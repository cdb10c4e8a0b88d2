import { alternate, type Bar, type BenchOptions, type Measure, percentile } from '#bench/bar.ts'
import { type DataSpec, NOW } from '#bench/data.ts'
import {
  type BenchData,
  bigSpec,
  fullSearch,
  openBenchData,
  productSearch,
  questions,
} from '#bench/searching.ts'
import { type Clinic, nextDays } from '#server/availability/slots/free-times.ts'

/** The same data set with a twentieth of the slots. */
function fewerSlots(spec: DataSpec): DataSpec {
  return { ...spec, providers: spec.providers / 20 }
}

type PageQuery = { question: Parameters<typeof productSearch>[1]; clinics: Clinic[] }

/** Searches that fill a page, each with the ten providers on it. */
async function fullPages(
  data: BenchData,
  count: number,
  specialties: number,
): Promise<PageQuery[]> {
  const pages: PageQuery[] = []
  for (const question of await questions(count, specialties)) {
    const { matches } = await productSearch(data, question)
    const clinics = matches.map((match) => ({ ...match, timeZone: 'Europe/London' }))
    if (clinics.length === 10) pages.push({ question, clinics })
  }
  return pages
}

const timesOn =
  ({ database }: BenchData) =>
  ({ clinics }: PageQuery) =>
    nextDays(database.db, NOW, clinics)

/** Pairs each page with one of the other data set, so that both are measured under the same conditions. */
function paired(ones: readonly PageQuery[], others: readonly PageQuery[]) {
  return ones.flatMap((one, n) => {
    const other = others[n]
    return other === undefined ? [] : [{ one, other }]
  })
}

async function run(options: BenchOptions): Promise<Measure[]> {
  const spec = bigSpec(options)
  const big = await openBenchData(spec, options)
  const small = await openBenchData(fewerSlots(spec), options)
  const count = options.quick ? 1_500 : 4_000
  try {
    const pages = await fullPages(big, count, spec.specialties)
    const [search = [], narrow = [], times = []] = await alternate(pages, 300, [
      ({ question }) => fullSearch(big, question),
      ({ question }) => productSearch(big, question),
      timesOn(big),
    ])
    const pairs = paired(pages, await fullPages(small, count, spec.specialties))
    const [many = [], few = []] = await alternate(pairs, 300, [
      ({ one }) => timesOn(big)(one),
      ({ other }) => timesOn(small)(other),
    ])
    const median = percentile(times, 0.5)
    return [
      {
        name: 'free times of the ten on a page, against the whole search',
        ours: median,
        limit: percentile(search, 0.5),
        unit: 'ms',
        bar: { atMost: 0.3 },
      },
      {
        // The target taken literally: the whole search includes the free times.
        name: 'free times of the ten, against page and total alone',
        ours: median,
        limit: percentile(narrow, 0.5),
        unit: 'ms',
        bar: null,
      },
      {
        name: 'free times, twenty times as many slots',
        ours: percentile(many, 0.5),
        limit: percentile(few, 0.5),
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
