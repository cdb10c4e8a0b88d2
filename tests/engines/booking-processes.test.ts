import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { sql } from 'kysely'
import { expect, inject, test } from 'vitest'
import * as z from 'zod/mini'
import { openDatabase } from '#db/engine.ts'
import { migrateToLatest } from '#db/migrate.ts'
import { makeWorld } from '#tests/harness/world.ts'
import { countVerdicts, makeCrowd, makeOffer, readBooks, type Wish } from './race-crowd.ts'

const TOMORROW = Date.parse('2026-03-03T09:00:00Z')
const CLIENTS = 1_000

type Racer = { process: ChildProcess; lines: AsyncIterator<string> }

async function nextLine({ lines }: Racer): Promise<string> {
  const line = await lines.next()
  if (line.done === true) throw new Error('A process ended before it had told.')
  return line.value
}

async function startRacer(url: string, wishes: Wish[]): Promise<Racer> {
  const script = join(import.meta.dirname, 'race-child.ts')
  const job = JSON.stringify({ url, wishes })
  const child = spawn(process.execPath, [script, job], { stdio: ['pipe', 'pipe', 'inherit'] })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const racer = { process: child, lines }
  expect(await nextLine(racer)).toBe('ready')
  return racer
}

/** So many processes on one database, all clients after one time. */
async function race(url: string, processes: number) {
  const database = openDatabase(url)
  try {
    await migrateToLatest(database)
    await using world = await makeWorld({ database })
    const providerId = await makeOffer(world, [{ start: TOMORROW, minutes: 30 }])
    const startsAt = new Date(TOMORROW).toISOString()
    const crowd = await makeCrowd(world, CLIENTS)
    const wishes = crowd.map((who) => ({ who, providerId, startsAt }))
    const racers = await Promise.all(
      Array.from({ length: processes }, (_, n) =>
        startRacer(
          url,
          wishes.filter((__, at) => at % processes === n),
        ),
      ),
    )
    const ended = racers.map((racer) => once(racer.process, 'exit'))
    for (const racer of racers) racer.process.stdin?.write('go\n')
    const told = await Promise.all(racers.map(nextLine))
    await Promise.all(ended)
    const verdicts = told.flatMap((line) => z.array(z.string()).parse(JSON.parse(line)))
    return { verdicts: countVerdicts(verdicts), books: await readBooks(database.db) }
  } finally {
    await database.close()
  }
}

const oneWinner = {
  verdicts: { booked: 1, slot_taken: CLIENTS - 1 },
  books: { live: 1, overlapping: 0, confirmed: 1, told: 1, audited: 1, claims: 1 },
}

test('1,000 clients of four processes on one SQLite file: one of them has the time', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'apposite-race-'))
  try {
    expect(await race(`sqlite:${join(folder, 'race.db')}`, 4)).toEqual(oneWinner)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}, 180_000)

test('1,000 clients of two processes on Postgres: one of them has the time', async () => {
  const server = inject('postgresUrl')
  const name = `race_${randomBytes(6).toString('hex')}`
  const admin = openDatabase(`${server}/postgres`, { poolSize: 1 })
  try {
    await sql`create database ${sql.id(name)} encoding 'UTF8' template template0`.execute(admin.db)
    expect(await race(`${server}/${name}`, 2)).toEqual(oneWinner)
    await sql`drop database ${sql.id(name)}`.execute(admin.db)
  } finally {
    await admin.close()
  }
}, 180_000)
