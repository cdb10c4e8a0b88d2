import type Sqlite from 'better-sqlite3'
import KDBush from 'kdbush'
import {
  alternate,
  type Bar,
  type BenchOptions,
  type Measure,
  percentile,
  type Times,
} from '#bench/bar.ts'
import {
  type BenchData,
  bigSpec,
  openBenchData,
  productSearch,
  type Question,
  questions,
  RADIUS,
} from '#bench/searching.ts'
import type { Point } from '#db/geo/points.ts'
import { unitVector } from '#server/search/circle.ts'

type Tree = {
  tree: KDBush
  numbers: Int32Array
  x: Float64Array
  y: Float64Array
  z: Float64Array
}

export type Found = { total: number; numbers: number[] }
type TreeSearch = (centre: Point, miles: number, specialty: number) => Found

const RADIANS = Math.PI / 180
const PAGE = 10

type Row = { specialty: number; no: number; longitude: number; x: number; y: number; z: number }

function indexRows(file: Sqlite.Database): Row[] {
  return file
    .prepare<[], Row>(
      'select specialty_no as specialty, provider_no as no, longitude, x, y, z from search_index',
    )
    .all()
}

/** All providers in memory, one kd-tree per specialty: a lower bound for search time. */
function buildTrees(file: Sqlite.Database): Map<number, Tree> {
  const bySpecialty = new Map<number, Row[]>()
  for (const row of indexRows(file)) {
    const list = bySpecialty.get(row.specialty)
    if (list === undefined) bySpecialty.set(row.specialty, [row])
    else list.push(row)
  }
  return new Map([...bySpecialty].map(([specialty, list]) => [specialty, treeOf(list)]))
}

function treeOf(rows: readonly Row[]): Tree {
  const tree = new KDBush(rows.length)
  for (const row of rows) tree.add(row.longitude, Math.asin(row.z) / RADIANS)
  tree.finish()
  return {
    tree,
    numbers: Int32Array.from(rows, (row) => row.no),
    x: Float64Array.from(rows, (row) => row.x),
    y: Float64Array.from(rows, (row) => row.y),
    z: Float64Array.from(rows, (row) => row.z),
  }
}

type Visit = (index: number, dot: number) => void

function makeWalk(file: Sqlite.Database) {
  const trees = buildTrees(file)
  return (question: { centre: Point; miles: number; specialty: number }, visit: Visit): Tree => {
    const { centre, miles, specialty } = question
    const found = trees.get(specialty)
    if (found === undefined) throw new Error(`no specialty ${specialty}`)
    const { tree, x, y, z } = found
    const angle = miles / 3958.7613
    const c = unitVector(centre)
    const north = angle / RADIANS
    const east = Math.asin(Math.sin(angle) / Math.cos(centre.latitude * RADIANS)) / RADIANS
    const least = Math.cos(angle)
    const { latitude, longitude } = centre
    const ids = tree.range(longitude - east, latitude - north, longitude + east, latitude + north)
    for (const id of ids) {
      const dot = (x[id] ?? 0) * c.x + (y[id] ?? 0) * c.y + (z[id] ?? 0) * c.z
      if (dot >= least) visit(id, dot)
    }
    return found
  }
}

/** Two searches over the same trees: sorting all hits, and keeping only the ten nearest. */
function treeSearches(file: Sqlite.Database): {
  sorting: TreeSearch
  selecting: TreeSearch
} {
  const walk = makeWalk(file)
  return {
    sorting: (centre, miles, specialty) => {
      const hits: { id: number; dot: number }[] = []
      const { numbers } = walk({ centre, miles, specialty }, (id, dot) => hits.push({ id, dot }))
      hits.sort((a, b) => b.dot - a.dot)
      return {
        total: hits.length,
        numbers: hits.slice(0, PAGE).map(({ id }) => numbers[id] ?? 0),
      }
    },
    selecting: (centre, miles, specialty) => {
      const best: { id: number; dot: number }[] = []
      let total = 0
      const { numbers } = walk({ centre, miles, specialty }, (id, dot) => {
        total++
        let place = best.length
        if (place === PAGE) {
          if (dot <= (best[PAGE - 1]?.dot ?? -2)) return
          place--
        }
        for (; place > 0 && (best[place - 1]?.dot ?? 2) < dot; place--) {
          const moved = best[place - 1]
          if (moved !== undefined) best[place] = moved
        }
        best[place] = { id, dot }
      })
      return { total, numbers: best.map(({ id }) => numbers[id] ?? 0) }
    },
  }
}

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
