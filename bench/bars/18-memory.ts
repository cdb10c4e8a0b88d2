import { readFile } from 'node:fs/promises'
import type { Bar, BenchOptions, Measure } from '#bench/bar.ts'
import { makeBookings } from '#bench/booking.ts'
import { startOwnDemo } from '#bench/demo-server.ts'
import { type Question, queryPath, sendRequests } from '#bench/load.ts'
import { memoryText } from '#bench/memory.ts'
import { seeded } from '#bench/random.ts'
import { RADII, SORTS } from '#contract/search.ts'
import { specialtyByNo } from '#db/reference/specialties.ts'

const MAX_MB = 300
const STAGES = 5
const FULL = { searches: 100_000, bookings: 10_000 }

/** Enough addresses that none reaches its rate limit. */
const ADDRESSES = 4_000

/** Random searches: any place, specialty, order and page, from thousands of networks. */
async function searches(): Promise<() => Question> {
  const file = new URL('../../db/geo/uk-sectors.tsv', import.meta.url)
  const sectors = (await readFile(file, 'utf8')).split('\n').slice(1, -1)
  const random = seeded(4)
  const one = <T>(list: readonly T[]): T | undefined => list[Math.floor(random() * list.length)]
  let count = 0
  return () => {
    const address = count++ % ADDRESSES
    const path = queryPath('search.providers', {
      postcode: one(sectors)?.split('\t')[0],
      specialty: specialtyByNo(1 + Math.floor(random() * 30)).slug,
      radius: one(RADII),
      sort: one(SORTS),
      page: 1 + Math.floor(random() * 3),
      ...(random() < 0.3 ? { available: '3' } : {}),
    })
    return { path, headers: { 'x-forwarded-for': `10.1.${address >> 8}.${address & 255}` } }
  }
}

async function run(options: BenchOptions): Promise<Measure[]> {
  const total = options.quick ? { searches: 8_000, bookings: 100 } : FULL
  const server = await startOwnDemo(options, { TRUSTED_PROXIES: '127.0.0.1' })
  try {
    const { port } = server
    const next = await searches()
    const memory: number[] = []
    let resident = Number.NaN
    for (let stage = 0; stage < STAGES; stage++) {
      await sendRequests({ port, connections: 8, next }, total.searches / STAGES)
      await makeBookings(server, total.bookings / STAGES)
      const now = server.memory()
      // Pages of the mapped database file are excluded: the system reclaims them when it needs memory.
      const own = now.total - (now.kinds.get('database file') ?? 0)
      options.say(`After ${stage + 1} of ${STAGES} parts: ${own.toFixed(0)} of ${memoryText(now)}`)
      resident = now.total
      memory.push(own)
    }
    const last = memory.at(-1) ?? Number.NaN
    return [
      {
        name: `memory after ${total.searches} searches and ${total.bookings} bookings`,
        ours: last,
        limit: MAX_MB,
        unit: 'MB',
        bar: { atMost: 1 },
      },
      {
        name: 'memory at the end, against two fifths of the way',
        ours: last,
        limit: memory[1] ?? Number.NaN,
        unit: 'MB',
        bar: { atMost: 1.1 },
      },
      {
        name: 'the same with the pages of the database file',
        ours: resident,
        limit: MAX_MB,
        unit: 'MB',
        bar: null,
      },
    ]
  } finally {
    await server.close()
  }
}

export const bar: Bar = { no: 18, title: 'Memory', run }
