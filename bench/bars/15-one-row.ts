import { alternate, type Bar, type BenchOptions, type Measure, percentile } from '#bench/bar.ts'
import { openBenchData, smallSpec } from '#bench/searching.ts'

/** Reads per timed turn, because a single read is shorter than the clock's resolution. */
const READS = 50

async function run(options: BenchOptions): Promise<Measure[]> {
  const spec = smallSpec(options)
  const data = await openBenchData(spec, options)
  const { db } = data.database
  const prepared = data.raw.prepare(
    'select id, first_name, last_name, email, about from providers where no = ?',
  )
  try {
    const inputs = Array.from({ length: options.quick ? 300 : 1_000 }, (_, n) => n)
    const numberAt = (n: number, k: number) => 1 + ((n * READS + k) % spec.providers)
    const [ours = [], limit = []] = await alternate(inputs, 100, [
      async (n) => {
        for (let k = 0; k < READS; k++) {
          await db
            .selectFrom('providers')
            .select(['id', 'first_name', 'last_name', 'email', 'about'])
            .where('no', '=', numberAt(n, k))
            .executeTakeFirst()
        }
      },
      (n) => {
        for (let k = 0; k < READS; k++) prepared.get(numberAt(n, k))
      },
    ])
    return [
      {
        name: 'one row through Kysely, against a prepared statement',
        ours: (percentile(ours, 0.5) / READS) * 1_000,
        limit: (percentile(limit, 0.5) / READS) * 1_000,
        unit: 'µs',
        bar: { atMost: 3 },
      },
    ]
  } finally {
    await data.close()
  }
}

export const bar: Bar = { no: 15, title: 'One-row read', run }
