import type { Bar, BenchOptions, Measure } from '#bench/bar.ts'
import { alternate, percentile } from '#bench/measure.ts'
import { bigSpec, CHOSEN, openGround, questions, wholeSearch } from '#bench/searching.ts'

async function run(options: BenchOptions): Promise<Measure[]> {
  const spec = bigSpec(options)
  const ground = await openGround(spec, options)
  try {
    const asked = await questions(options.quick ? 1_500 : 5_000, spec.specialties)
    const [filtered = [], all = []] = await alternate(asked, 300, [
      (question) => wholeSearch(ground, question, { ...CHOSEN, available: '3' }),
      (question) => wholeSearch(ground, question),
    ])
    return [
      {
        name: 'free within three days with total, against the plain search',
        ours: percentile(filtered, 0.5),
        limit: percentile(all, 0.5),
        unit: 'ms',
        bar: { atMost: 1.5 },
      },
    ]
  } finally {
    await ground.close()
  }
}

export const bar: Bar = { no: 6, title: 'Free within three days', run }
