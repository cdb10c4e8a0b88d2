import { alternate, type Bar, type BenchOptions, type Measure, percentile } from '#bench/bar.ts'
import {
  bigSpec,
  DEFAULT,
  fullSearch,
  openBenchData,
  productSearch,
  questions,
  smallSpec,
} from '#bench/searching.ts'

async function run(options: BenchOptions): Promise<Measure[]> {
  const big = await openBenchData(bigSpec(options), options)
  const small = await openBenchData(smallSpec(options), options)
  try {
    const asked = await questions(options.quick ? 1_500 : 4_000, bigSpec(options).specialties)
    const [large = [], little = []] = await alternate(asked, 300, [
      (question) => fullSearch(big, question, DEFAULT),
      (question) => fullSearch(small, question, DEFAULT),
    ])
    const [narrow = [], narrowLittle = []] = await alternate(asked, 300, [
      (question) => productSearch(big, question),
      (question) => productSearch(small, question),
    ])
    return [
      {
        name: 'default search, a hundred times as many providers',
        ours: percentile(large, 0.5),
        limit: percentile(little, 0.5),
        unit: 'ms',
        bar: { atMost: 2.5 },
      },
      {
        // The literal reading of the target. Ten thousand providers seldom fill a page within 25 miles.
        name: 'page and total within 25 miles, a hundred times as many',
        ours: percentile(narrow, 0.5),
        limit: percentile(narrowLittle, 0.5),
        unit: 'ms',
        bar: null,
      },
    ]
  } finally {
    await big.close()
    await small.close()
  }
}

export const bar: Bar = { no: 3, title: 'Growth from 10,000 to 1,000,000', run }
