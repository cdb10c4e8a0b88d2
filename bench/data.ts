import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rename, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { NEVER } from '#db/columns.ts'
import { openDatabase } from '#db/engine.ts'
import { readCities } from '#db/geo/packages.ts'
import type { Point } from '#db/geo/points.ts'
import { migrateToLatest } from '#db/migrate.ts'
import { bandOf, unitVector } from '#server/search/circle.ts'
import { rebuildCells } from '#server/search/index-store.ts'
import type { BenchOptions } from './bar.ts'

/** Random numbers in [0, 1), repeatable by seed (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed | 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
}

type Town = Point & { weight: number }

/** Postcode sectors are a mile or two across, American towns several. */
const SCATTER_DEGREES = { uk: 0.02, usa: 0.08 }

async function ukSectors(): Promise<Town[]> {
  const file = new URL('../db/geo/uk-sectors.tsv', import.meta.url)
  const lines = (await readFile(file, 'utf8')).trim().split('\n').slice(1)
  return lines.map((line) => {
    const [, latitude, longitude, postcodes] = line.split('\t')
    return {
      latitude: Number(latitude),
      longitude: Number(longitude),
      weight: Number(postcodes),
    }
  })
}

/** Parts of a town are left out: their people are counted with the town. */
function usTowns(): Town[] {
  return readCities(new Set(['US']))
    .filter(({ featureCode }) => featureCode !== 'PPLX')
    .map(({ latitude, longitude, population }) => ({ latitude, longitude, weight: population }))
}

/** Picks a town at random, weighted by population. */
function townSampler(towns: readonly Town[], random: () => number): () => Town {
  const ends: number[] = []
  let total = 0
  for (const { weight } of towns) ends.push((total += weight))
  return () => {
    const drawn = random() * total
    let low = 0
    let high = ends.length - 1
    while (low < high) {
      const middle = (low + high) >> 1
      if ((ends[middle] ?? 0) <= drawn) low = middle + 1
      else high = middle
    }
    return towns[low] ?? { latitude: 0, longitude: 0, weight: 0 }
  }
}

export type Somewhere = Point & { region: 'uk' | 'usa' }

/**
 * Picks random populated places: half in the UK and half in the USA, as in the demo data, weighted by
 * population within each.
 */
export async function peopleSampler(random: () => number): Promise<() => Somewhere> {
  const samplers = {
    uk: townSampler(await ukSectors(), random),
    usa: townSampler(usTowns(), random),
  }
  return () => {
    const region = random() < 0.5 ? 'uk' : 'usa'
    const town = samplers[region]()
    const scatter = () => (random() + random() + random() - 1.5) * SCATTER_DEGREES[region]
    return {
      region,
      latitude: town.latitude + scatter(),
      longitude: town.longitude + 1.5 * scatter(),
    }
  }
}

/** Monday at 09:00 UTC: the current time in all measurements. */
export const NOW = Date.parse('2026-03-02T09:00:00Z')
const DAY = 86_400_000
const STEP = 1_800_000

const root = join(import.meta.dirname, '..')
const cacheFolder = join(root, '.cache', 'bench')

/** Size of a data set: providers, their specialties, and upcoming slots per provider. */
export type DataSpec = { providers: number; specialties: number; slots: number }

/** Hash of the files and folders a cached data set depends on; a changed hash rebuilds the set. */
async function fingerprint(sources: readonly string[]): Promise<string> {
  const hash = createHash('sha256')
  for (const source of sources) {
    const names = source.endsWith('.ts')
      ? [source]
      : (await readdir(join(root, source))).map((name) => `${source}/${name}`)
    for (const name of names.toSorted()) {
      if (/\.(?:ts|tsv)$/.test(name) && !name.endsWith('.test.ts')) {
        hash.update(name).update(await readFile(join(root, name)))
      }
    }
  }
  return hash.digest('hex').slice(0, 12)
}

/** Path of a cached data set; older versions of it are deleted. */
export async function cachePath(name: string, sources: readonly string[]): Promise<string> {
  await mkdir(cacheFolder, { recursive: true })
  const path = join(cacheFolder, `${name}-${await fingerprint(sources)}`)
  for (const entry of await readdir(cacheFolder)) {
    if (entry.startsWith(`${name}-`) && !entry.startsWith(basename(path))) {
      await rm(join(cacheFolder, entry), { recursive: true, force: true })
    }
  }
  return path
}

type Person = Somewhere & {
  no: number
  specialty: number
  fee: number
  features: number
  first: number
}

const PROVIDER_COLUMNS = `no, id, region, title, first_name, last_name, gender, email, specialty_no,
  professional_body, membership_number, verification_status, verified_at, photo, about,
  qualifications, languages, offers_in_person, offers_video, amount_minor, follow_amount_minor,
  currency, consultation_minutes, created_at, updated_at`

const ABOUT =
  'Sees people of all ages, by appointment, and explains every step before it is taken. '

function writeTexts(file: Sqlite.Database, people: readonly Person[]): void {
  const provider = file.prepare(`insert into providers (${PROVIDER_COLUMNS}) values (?, ?, ?, 'Dr',
    'Alexandra', ?, 'female', ?, ?, 'GMC', ?, 'Verified', ${NOW - 50 * DAY},
    '/media/0123456789abcdef0123456789abcdef.webp', ?, '["MBBS","MRCGP"]', '["en","fr"]', 1, 1, ?,
    4000, 'GBP', 30, 0, 0)`)
  const place = file.prepare(`insert into places (no, id, provider_no, position, name, address,
    locality, postcode, latitude, longitude, time_zone, phone) values (?, ?, ?, 0, 'The Surgery',
    '1 High Street', 'Town', 'SE1 6ET', ?, ?, 'Europe/London', '020 7946 0000')`)
  for (const { no, region, fee, specialty, latitude, longitude } of people) {
    const digits = String(no).padStart(26, '0')
    const email = `p${no}@clinic.example`
    provider.run(
      no,
      `prv_${digits}`,
      region,
      `Person ${no}`,
      email,
      specialty,
      String(7_000_000 + no),
      ABOUT.repeat(4),
      fee,
    )
    place.run(no, `plc_${digits}`, no, latitude, longitude)
  }
  file.exec(`insert into visit_types
    (id, provider_no, position, name, minutes, first_minor, follow_minor, mode)
    select 'vtp_' || substr(id, 5), no, 0, 'Consultation', 30, amount_minor, 4000, 'both'
    from providers`)
}

/** Seven slots a day from a provider's first one on, most of them free. */
function writeSlots(file: Sqlite.Database, people: readonly Person[], each: number): number[] {
  const insert = file.prepare('insert into slots values (?, ?, ?, 30, ?)')
  const random = seeded(3)
  const nextFree: number[] = []
  for (const { no, first } of people) {
    let next = NEVER
    for (let n = 0; n < each; n++) {
      const start = first + Math.floor(n / 7) * DAY + (n % 7) * STEP
      const isFree = first !== NEVER && random() < 0.8
      if (isFree && start >= NOW) next = Math.min(next, start)
      insert.run(no, first === NEVER ? NOW + n * DAY : start, no, isFree ? 1 : 0)
    }
    nextFree[no] = each === 0 ? first : next
  }
  return nextFree
}

function writeIndex(file: Sqlite.Database, people: readonly Person[], nextFree: number[]): void {
  const insert = file.prepare(
    'insert into search_index values (?,?,?,?,?,?,?,?,?,?,?,?,0,?,0,0,null,null,null,null,null,null)',
  )
  // In primary key order, as in a vacuumed database.
  const inOrder = people.toSorted(
    (a, b) =>
      a.specialty - b.specialty ||
      bandOf(a.latitude) - bandOf(b.latitude) ||
      a.longitude - b.longitude,
  )
  for (const person of inOrder) {
    const { no, specialty, latitude, longitude, fee, features } = person
    const { x, y, z } = unitVector(person)
    const next = nextFree[no] ?? NEVER
    const key = `person ${no} alexandra`
    const place = [specialty, bandOf(latitude), longitude, no, no, x, y, z]
    insert.run(...place, next, fee, features, 9, key)
  }
}

async function samplePeople({ providers, specialties }: DataSpec): Promise<Person[]> {
  const random = seeded(1)
  const somewhere = await peopleSampler(random)
  return Array.from({ length: providers }, (_, n) => ({
    ...somewhere(),
    no: n + 1,
    specialty: 1 + Math.floor(random() * specialties),
    fee: 3_000 + 500 * Math.floor(random() * 40),
    features: 32 | 1 | 4,
    // Many providers are free soon, some in weeks, a few not at all.
    first:
      random() < 0.1
        ? NEVER
        : NOW + Math.floor(random() * random() * 20) * DAY + Math.floor(random() * 12) * STEP,
  }))
}

/** Path of a database file with that many providers, made once and kept. */
export async function dataFile(spec: DataSpec, { say }: BenchOptions): Promise<string> {
  const name = `search-${spec.providers}-${spec.specialties}-${spec.slots}`
  const path = await cachePath(name, ['migrations', 'bench/data.ts'])
  if (existsSync(path)) return path
  say(`Making ${spec.providers} providers with ${spec.slots} slots each`)
  const unfinished = `${path}.part`
  for (const ending of ['', '-wal', '-shm']) await rm(unfinished + ending, { force: true })
  const database = openDatabase(`sqlite:${unfinished}`)
  await migrateToLatest(database)
  await database.close()
  const people = await samplePeople(spec)
  const file = new Sqlite(unfinished)
  file.pragma('journal_mode = off')
  file.pragma('synchronous = off')
  file.pragma('cache_size = -400000')
  file.transaction(() => {
    writeTexts(file, people)
    writeIndex(file, people, writeSlots(file, people, spec.slots))
  })()
  file.close()
  const finished = openDatabase(`sqlite:${unfinished}`)
  await rebuildCells(finished.db)
  await finished.close()
  await rename(unfinished, path)
  return path
}
