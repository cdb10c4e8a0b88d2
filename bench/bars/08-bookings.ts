import { closeSync, fdatasyncSync, openSync, writeSync } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Bar, BenchOptions, Measure } from '#bench/bar.ts'
import { percentile, type Times } from '#bench/measure.ts'
import { openDatabase } from '#db/engine.ts'
import { migrateToLatest } from '#db/migrate.ts'
import { holdSlot } from '#server/booking/hold-slot.ts'
import { newId } from '#server/kernel/ids.ts'
import { makeCrowd, makeOffer, type Wish } from '#tests/engines/race-crowd.ts'
import { signedInAs } from '#tests/harness/patients.ts'
import { bookVisit } from '#tests/harness/visits.ts'
import { makeWorld, type World } from '#tests/harness/world.ts'

const folder = join(import.meta.dirname, '..', '..', '.cache', 'bench', 'bookings')
const IN_FLIGHT = 32
const STEP = 1_800_000
const BLOCK = 4_096

/** The disk's own rate is the limit: a block written and flushed, again and again. */
function makeDisk(path: string) {
  const file = openSync(path, 'w')
  const block = Buffer.alloc(BLOCK, 7)
  let at = 0
  return {
    flush: () => {
      // A log that is written over and over, as SQLite's is.
      writeSync(file, block, 0, BLOCK, (at++ % 1_000) * BLOCK)
      fdatasyncSync(file)
    },
    close: () => closeSync(file),
  }
}

/** Patients who each want a time nobody else wants, of two hundred providers. */
async function makeWishes(world: World, count: number): Promise<Wish[]> {
  const start = world.services.now() + STEP
  const crowd = await makeCrowd(world, count)
  const providers = 200
  const each = Math.ceil(count / providers)
  const offers: string[] = []
  for (let n = 0; n < providers; n += 1) {
    const slots = Array.from({ length: each }, (_, k) => ({ start: start + k * STEP, minutes: 30 }))
    offers.push(await makeOffer(world, slots))
  }
  return crowd.map((who, n) => ({
    who,
    providerId: offers[n % providers] ?? '',
    startsAt: new Date(start + Math.floor(n / providers) * STEP).toISOString(),
  }))
}

type Act = (wish: Wish) => Promise<unknown>

const TURN = 32

/**
 * Milliseconds for each act, beside those of a flush. They take turns, so that a slow moment of the
 * disk hits both alike. `inFlight` acts run at a time.
 */
async function compare(
  wishes: readonly Wish[],
  ways: { act: Act; flush: () => void; inFlight: number },
): Promise<{ acts: Times; flushes: Times }> {
  const acts: Times = []
  const flushes: Times = []
  for (let from = 0; from + TURN <= wishes.length; from += TURN) {
    const turn = wishes.slice(from, from + TURN)
    const start = performance.now()
    if (ways.inFlight === 1) for (const wish of turn) await ways.act(wish)
    else await Promise.all(turn.map(ways.act))
    const middle = performance.now()
    for (let n = 0; n < TURN; n += 1) ways.flush()
    const end = performance.now()
    if (from < 2 * TURN) continue
    acts.push((middle - start) / TURN)
    flushes.push((end - middle) / TURN)
  }
  return { acts, flushes }
}

const rate = (times: Times) => 1_000 / percentile(times, 0.5)

async function run(options: BenchOptions): Promise<Measure[]> {
  const count = options.quick ? 480 : 3_200
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  const database = openDatabase(`sqlite:${join(folder, 'bookings.db')}`)
  const disk = makeDisk(join(folder, 'raw'))
  try {
    await migrateToLatest(database)
    const world = await makeWorld({ database, newId })
    const wishes = await makeWishes(world, 4 * count)
    const as = ({ who }: Wish) => signedInAs(world.services, who)
    const hold: Act = (wish) =>
      holdSlot(as(wish), { providerId: wish.providerId, startsAt: wish.startsAt })
    const whole: Act = (wish) => bookVisit(as(wish), wish)
    const measured: { name: string; ours: number; limit: number }[] = []
    const lines = [
      ['held, claimed, owed and audited, one by one (aim 0.5)', hold, 1],
      ['the same, 32 in flight (aim 2.5)', hold, IN_FLIGHT],
      ['held, proved, paid and confirmed, one by one', whole, 1],
      ['the same, 32 in flight', whole, IN_FLIGHT],
    ] as const
    for (const [at, [name, act, inFlight]] of lines.entries()) {
      const mine = wishes.slice(at * count, (at + 1) * count)
      const { acts, flushes } = await compare(mine, { act, flush: disk.flush, inFlight })
      measured.push({ name, ours: rate(acts), limit: rate(flushes) })
    }
    const [alone, together] = measured
    return [
      // Not judged: what a quick disk makes of this ratio is told in docs/decisions/015.
      ...measured.map((one) => ({ ...one, unit: '/s', bar: null })),
      {
        name: 'bookings 32 in flight, against one by one',
        ours: together?.ours ?? Number.NaN,
        limit: alone?.ours ?? Number.NaN,
        unit: '/s',
        bar: { atLeast: 1.2 },
      },
    ]
  } finally {
    disk.close()
    await database.close()
    await rm(folder, { recursive: true, force: true })
  }
}

export const bar: Bar = { no: 8, title: 'Durable bookings, against the disk’s own flushes', run }
