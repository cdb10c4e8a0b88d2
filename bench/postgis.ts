import { existsSync, readdirSync } from 'node:fs'
import { chmod, mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { sql } from 'kysely'
import { type Database, openDatabase } from '#db/engine.ts'
import { migrateToLatest } from '#db/migrate.ts'
import { readSql } from '#db/run-sql.ts'
import { type PostgresNode, startPrimary } from '#scripts/topology/postgres.ts'
import { type CardRow, SHOWN_COLUMNS } from '#server/search/store.ts'
import type { BenchOptions } from './bar.ts'
import { type DataSpec, dataFile } from './data.ts'
import { type Question, RADIUS } from './searching.ts'

const DEBIAN = '/usr/lib/postgresql'
const METRES_PER_MILE = 1_609.344

/** The tables a search reads, in the order of their foreign keys. */
const TABLES = ['providers', 'places', 'visit_types', 'search_index', 'search_cells']

/** As the manual advises for such a machine, without what only protects against crashes. */
const SETTINGS = [
  'shared_buffers=1GB',
  'effective_cache_size=3GB',
  'random_page_cost=1.1',
  'work_mem=32MB',
  'maintenance_work_mem=512MB',
  'max_wal_size=8GB',
  'fsync=off',
  'jit=off',
]

/** Path of the programs of Debian's Postgres with PostGIS (package `postgresql-NN-postgis-3`), or null. */
export function postgisPrograms(): string | null {
  const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN) : []
  const found = versions.find((version) =>
    existsSync(`/usr/share/postgresql/${version}/extension/postgis.control`),
  )
  return found === undefined ? null : join(DEBIAN, found, 'bin')
}

/** A value in a file for `copy`; the database holds only text and numbers. */
function cell(value: unknown): string {
  if (typeof value === 'number') return String(value)
  if (typeof value !== 'string') return '\\N'
  return value.replaceAll(/[\\\t\n\r]/g, (sign) => `\\${sign}`)
}

type Copy = { from: Sqlite.Database; to: Database; folder: string }

async function copyTable({ from, to, folder }: Copy, table: string): Promise<void> {
  const path = join(folder, `${table}.tsv`)
  const file = await open(path, 'w', 0o644)
  const rows = from.prepare(`select * from ${table}`)
  const columns = rows.columns().map(({ name }) => name)
  let lines: string[] = []
  for (const row of rows.raw().iterate()) {
    if (Array.isArray(row)) lines.push(row.map(cell).join('\t'))
    if (lines.length < 10_000) continue
    await file.write(`${lines.join('\n')}\n`)
    lines = []
  }
  if (lines.length > 0) await file.write(`${lines.join('\n')}\n`)
  await file.close()
  const names = sql.join(columns.map((name) => sql.id(name)))
  await sql`copy ${sql.id(table)} (${names}) from ${sql.lit(path)}`.execute(to.db)
  await rm(path)
}

function urlOf(node: PostgresNode, { providers }: DataSpec): string {
  return node.url.replace(/[^/]+$/, `providers_${providers}`)
}

/** Copies a data set to an empty, fully migrated Postgres on this machine. */
async function copyProviders(
  spec: DataSpec,
  to: Omit<Copy, 'from'>,
  options: BenchOptions,
): Promise<void> {
  const path = await dataFile(spec, options)
  options.say(`Copying ${spec.providers} providers to Postgres`)
  const from = new Sqlite(path, { readonly: true })
  for (const table of TABLES) await copyTable({ ...to, from }, table)
  from.close()
}

async function fill(node: PostgresNode, spec: DataSpec, options: BenchOptions): Promise<Database> {
  const name = `providers_${spec.providers}`
  await node.ask(({ db }) => sql`create database ${sql.id(name)}`.execute(db), 'postgres')
  const database = openDatabase(urlOf(node, spec), { isDirect: true })
  await migrateToLatest(database)
  await copyProviders(spec, { to: database, folder: node.place.folder }, options)
  await sql`vacuum analyze`.execute(database.db)
  return database
}

/** Adds the same places for PostGIS: points on the sphere, indexed by specialty and distance. */
async function addPoints({ db }: Database): Promise<void> {
  await sql`create extension postgis`.execute(db)
  await sql`create extension btree_gist`.execute(db)
  await sql`create table points as
    select place_no, s.specialty_no, st_setsrid(st_makepoint(l.longitude, l.latitude), 4326)::geography as point
    from search_index s join places l on l.no = s.place_no`.execute(db)
  await sql`create index points_near on points using gist (specialty_no, point)`.execute(db)
  await sql`vacuum analyze points`.execute(db)
}

const NEAR = `from points s where s.specialty_no = ?
    and st_dwithin(s.point, st_setsrid(st_makepoint(?, ?), 4326)::geography, ?, false)`

const TOTAL = `select count(*) as total ${NEAR}`

const PAGE = `with matches as (
      select s.place_no, s.point <-> st_setsrid(st_makepoint(?, ?), 4326)::geography as far ${NEAR}
      order by far limit 10)
    select ${SHOWN_COLUMNS.card}
    from matches m join places l on l.no = m.place_no join providers p on p.no = l.provider_no
    order by m.far`

type Found = { total: number; rows: CardRow[] }

/**
 * The number within 25 miles, and the nearest ten with their texts, as PostGIS queries: two statements, sent
 * in the same way as ours.
 */
export async function searchPostgis({ db }: Database, question: Question): Promise<Found> {
  const { specialty, centre } = question
  const at = [centre.longitude, centre.latitude]
  const near = [specialty, ...at, RADIUS * METRES_PER_MILE]
  const [counted] = await readSql<{ total: number }>(db, TOTAL, near)
  const rows = await readSql<CardRow>(db, PAGE, [...at, ...near])
  return { total: counted?.total ?? 0, rows }
}

/**
 * The databases over direct connections; `pooled` is the big one as behind a pooler, without cached plans.
 */
export type PostgresData = {
  big: Database
  small: Database
  pooled: Database
  close: () => Promise<void>
}

/** Loads both data sets into a new Postgres server, the big one with PostGIS points as well. */
export async function openPostgres(
  programs: string,
  specs: { big: DataSpec; small: DataSpec },
  options: BenchOptions,
): Promise<PostgresData> {
  const folder = await mkdtemp(join(tmpdir(), 'apposite-postgis-'))
  await chmod(folder, 0o755)
  const node = await startPrimary({ folder, settings: SETTINGS, programs })
  const big = await fill(node, specs.big, options)
  await addPoints(big)
  const small = await fill(node, specs.small, options)
  const pooled = openDatabase(urlOf(node, specs.big))
  const close = async () => {
    await big.close()
    await pooled.close()
    await small.close()
    await node.stop()
    await rm(folder, { recursive: true })
  }
  return { big, small, pooled, close }
}
