import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { type Bar, type BenchOptions, type Measure, percentile } from '#bench/bar.ts'
import { dataFile } from '#bench/data.ts'
import { type Question, queryPath, rate } from '#bench/load.ts'
import { bigSpec, questions, RADIUS } from '#bench/searching.ts'
import { specialtyByNo } from '#db/reference/specialties.ts'

const CONNECTIONS = 8
const WARM_UP = 3

/** Many short rounds, so that a slow moment of the machine affects few of them. */
const ROUND_MS = 500
const child = join(import.meta.dirname, '..', 'http-child.ts')

type Ports = { product: number; bare: number }

function isPorts(value: unknown): value is Ports {
  return typeof value === 'object' && value !== null && 'product' in value && 'bare' in value
}

async function portsOf(process: ChildProcess): Promise<Ports> {
  if (process.stdout === null) throw new Error('no output')
  for await (const line of createInterface({ input: process.stdout })) {
    const ports: unknown = JSON.parse(line)
    if (isPorts(ports)) return ports
  }
  throw new Error('The server of the measurement did not start.')
}

async function paths(options: BenchOptions): Promise<string[]> {
  const asked = await questions(2_000, bigSpec(options).specialties)
  return asked.map(({ centre, specialty }) =>
    queryPath('search.providers', {
      selectedRegion: centre.region,
      latitude: centre.latitude,
      longitude: centre.longitude,
      specialty: specialtyByNo(specialty).slug,
      radius: RADIUS,
      distance_filter_clicked: true,
    }),
  )
}

const median = (values: number[]) => percentile(values, 0.5)

function cycle(all: readonly string[]): () => Question {
  let n = 0
  return () => ({ path: all[n++ % all.length] ?? '' })
}

async function run(options: BenchOptions): Promise<Measure[]> {
  const file = await dataFile(bigSpec(options), options)
  const server = spawn(process.execPath, [child, file], { stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = once(server, 'exit')
  try {
    const ports = await portsOf(server)
    const next = cycle(await paths(options))
    const reach = (port: number) => rate({ port, connections: CONNECTIONS, next }, ROUND_MS)
    const rounds = options.quick ? 12 : 40
    const found: { product: number; bare: number }[] = []
    for (let round = 0; round < WARM_UP + rounds; round++) {
      const product = await reach(ports.product)
      const bare = await reach(ports.bare)
      if (round >= WARM_UP) found.push({ product, bare })
    }
    return [
      {
        name: 'search over HTTP, against the same behind node:http',
        ours: median(found.map(({ product }) => product)),
        limit: median(found.map(({ bare }) => bare)),
        // Compares neighbouring rounds, which ran under the same load.
        ratio: median(found.map(({ product, bare }) => product / bare)),
        unit: '/s',
        bar: { atLeast: 0.6 },
      },
    ]
  } finally {
    server.kill()
    await ended
  }
}

export const bar: Bar = { no: 10, title: 'Search over HTTP', run }
