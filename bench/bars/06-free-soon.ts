import { alternate, type Bar, type BenchOptions, type Measure, percentile } from '#bench/bar.ts'
import { NOW } from '#bench/data.ts'
import {
  bigSpec,
  CHOSEN,
  fullSearch,
  openBenchData,
  productSearch,
  questions,
} from '#bench/searching.ts'
import { endOfDayAfter } from '#server/availability/rules.ts'

async function run(options: BenchOptions): Promise<Measure[]> {
  const spec = bigSpec(options)
  const data = await openBenchData(spec, options)
  try {
    const asked = await questions(options.quick ? 1_500 : 5_000, spec.specialties)
    const [filtered = [], all = []] = await alternate(asked, 300, [
      (question) => fullSearch(data, question, { ...CHOSEN, available: '3' }),
      (question) => fullSearch(data, question),
    ])
    const soon = endOfDayAfter('Europe/London', NOW, 3)
    const [narrow = [], narrowAll = []] = await alternate(asked, 300, [
      (question) => productSearch(data, question, soon),
      (question) => productSearch(data, question),
    ])
    return [
      {
        name: 'free within three days with total, against the plain search',
        ours: percentile(filtered, 0.5),
        limit: percentile(all, 0.5),
        unit: 'ms',
        bar: { atMost: 1.5 },
      },
      {
        name: 'the same, page and total alone',
        ours: percentile(narrow, 0.5),
        limit: percentile(narrowAll, 0.5),
        unit: 'ms',
        bar: null,
      },
    ]
  } finally {
    await data.close()
  }
}

export const bar: Bar = { no: 6, title: 'Free within three days', run }
