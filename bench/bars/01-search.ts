import type { Bar, BenchOptions, Measure } from '#bench/bar.ts'
import { type TreeSearch, treeSearches } from '#bench/kd-tree.ts'
import { alternate, percentile, type Times } from '#bench/measure.ts'
import {
  type BenchData,
  bigSpec,
  openBenchData,
  productSearch,
  type Question,
  questions,
  RADIUS,
} from '#bench/searching.ts'

const WARM_UP = 400

/** The same texts as the product reads, by statements prepared once. */
function readTexts({ raw }: BenchData) {
  const statements = Array.from({ length: 11 }, (_, count) =>
    raw.prepare(`select l.no, l.provider_no, l.name, l.locality, l.postcode, l.latitude, l.longitude,
      l.time_zone, p.id, p.region, p.title, p.first_name, p.last_name, p.specialty_no, p.photo,
      p.professional_body, p.verified_at, p.languages, p.offers_in_person, p.offers_video,
      p.amount_minor, p.follow_amount_minor, p.currency, p.rating_sum, p.rating_count
      from places l join providers p on p.no = l.provider_no
      where l.no in (${Array<string>(Math.max(1, count)).fill('?').join(', ')})`),
  )
  return (numbers: number[]) =>
    numbers.length === 0 ? [] : statements[numbers.length]?.all(numbers)
}

async function assertSameResults(
  data: BenchData,
  tree: TreeSearch,
  asked: readonly Question[],
): Promise<void> {
  for (const question of asked) {
    const ours = await productSearch(data, question)
    const theirs = tree(question.centre, RADIUS, question.specialty)
    const same = ours.matches.every(({ providerNo }, n) => providerNo === theirs.numbers[n])
    if (!same || ours.total !== theirs.total || ours.matches.length !== theirs.numbers.length) {
      throw new Error(`The two searches differ at ${JSON.stringify(question)}`)
    }
  }
}

function lines(what: string, ours: Times, limit: Times): Measure[] {
  const bars = { 0.5: { atMost: 2 }, 0.99: { atMost: 1 } } as const
  return ([0.5, 0.99] as const).map((share) => ({
    name: `search and total, p${share * 100}, against ${what}`,
    ours: percentile(ours, share),
    limit: percentile(limit, share),
    unit: 'ms',
    bar: bars[share],
  }))
}

async function run(options: BenchOptions): Promise<Measure[]> {
  const spec = bigSpec(options)
  const data = await openBenchData(spec, options)
  try {
    const { sorting, selecting } = treeSearches(data.raw)
    const fill = readTexts(data)
    const asked = await questions(options.quick ? 2_000 : 6_000, spec.specialties)
    await assertSameResults(data, sorting, asked.slice(0, 100))
    const through = (tree: TreeSearch) => (q: Question) =>
      fill(tree(q.centre, RADIUS, q.specialty).numbers)
    const [ours = [], sorted = [], selected = []] = await alternate(asked, WARM_UP, [
      (question) => productSearch(data, question),
      through(sorting),
      through(selecting),
    ])
    return [
      ...lines('a kd-tree in memory', ours, sorted),
      ...lines('one that keeps ten', ours, selected).map((line) => ({ ...line, bar: null })),
    ]
  } finally {
    await data.close()
  }
}

export const bar: Bar = { no: 1, title: 'Search within 25 miles', run }
