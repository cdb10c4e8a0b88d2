import { endOfDayAfter } from '#server/availability/rules.ts'
import type { Bar, BenchOptions, Measure } from '../bar.ts'
import { NOW } from '../data.ts'
import { alternate, percentile } from '../measure.ts'
import { bigSpec, openGround, productSearch, questions } from '../searching.ts'

async function run(options: BenchOptions): Promise<Measure[]> {
  const spec = bigSpec(options)
  const ground = await openGround(spec, options)
  const soon = endOfDayAfter('Europe/London', NOW, 3)
  try {
    const asked = await questions(options.quick ? 1_500 : 5_000, spec.specialties)
    const [filtered = [], all = []] = await alternate(asked, 300, [
      (question) => productSearch(ground, question, soon),
      (question) => productSearch(ground, question),
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
