import {
  alternate,
  type Bar,
  type BenchOptions,
  type Measure,
  percentile,
  type Times,
} from '#bench/bar.ts'
import { openPostgres, postgisPrograms, searchPostgis } from '#bench/postgis.ts'
import {
  bigSpec,
  DEFAULT,
  fullSearch,
  productSearch,
  type Question,
  questions,
  smallSpec,
} from '#bench/searching.ts'
import type { Database } from '#db/engine.ts'

const WARM_UP = 200

/** Tolerated difference: the two spheres differ slightly in size, so a place at the very edge may differ. */
const TOLERANCE = 0.01

async function assertSameResults(database: Database, asked: readonly Question[]): Promise<void> {
  for (const question of asked) {
    const { total } = await productSearch({ database }, question)
    const theirs = await searchPostgis(database, question)
    if (Math.abs(total - theirs.total) > Math.max(2, TOLERANCE * total)) {
      throw new Error(`${total} and ${theirs.total} at ${JSON.stringify(question)}`)
    }
  }
}

function lines(how: string, ours: Times, theirs: Times): Measure[] {
  return ([0.5, 0.99] as const).map((share) => ({
    name: `search and total, p${share * 100}, ${how}`,
    ours: percentile(ours, share),
    limit: percentile(theirs, share),
    unit: 'ms',
    bar: { atMost: 0.5 },
  }))
}

async function run(options: BenchOptions): Promise<Measure[]> {
  const programs = postgisPrograms()
  if (programs === null) {
    options.say('Left out: install postgresql-15-postgis-3 to compare with PostGIS')
    return []
  }
  // Free times are not measured here.
  const specs = {
    big: { ...bigSpec(options), slots: 0 },
    small: { ...smallSpec(options), slots: 0 },
  }
  const { big, small, pooled, close } = await openPostgres(programs, specs, options)
  try {
    const asked = await questions(options.quick ? 1_000 : 3_000, specs.big.specialties)
    await assertSameResults(big, asked.slice(0, 50))
    const [ours = [], theirs = [], oursPooled = [], theirsPooled = []] = await alternate(
      asked,
      WARM_UP,
      [big, pooled].flatMap((database) => [
        (question: Question) => productSearch({ database }, question),
        (question: Question) => searchPostgis(database, question),
      ]),
    )
    const [large = [], little = []] = await alternate(asked, WARM_UP, [
      (question) => fullSearch({ database: big }, question, DEFAULT),
      (question) => fullSearch({ database: small }, question, DEFAULT),
    ])
    const beside = [
      ...lines('against PostGIS', ours, theirs),
      ...lines('behind a pooler', oursPooled, theirsPooled).map((line) => ({ ...line, bar: null })),
    ]
    const growth: Measure = {
      name: 'default search, a hundred times as many providers',
      ours: percentile(large, 0.5),
      limit: percentile(little, 0.5),
      unit: 'ms',
      bar: { atMost: 2.5 },
    }
    return [...beside, growth]
  } finally {
    await close()
  }
}

export const bar: Bar = { no: 22, title: 'Search on Postgres beside PostGIS', run }
