import { Migrator } from 'kysely/migration'
import type { Database } from '#db/engine.ts'
import type { Step } from '#migrations/step.ts'
import { breaksOf } from './breaks.ts'
import { readPostgres } from './read-postgres.ts'
import { readSqlite } from './read-sqlite.ts'
import type { Schema } from './schema.ts'

/** Removals, of things that the previous version may have stopped using a release ago. */
const CONTRACTION = /^(?:drops|changes|requires|forbids) /

type Released = { steps: Record<string, Step>; released: string }

function readSchema({ db, engine }: Database): Promise<Schema> {
  return engine === 'sqlite' ? readSqlite(db) : readPostgres(db)
}

/** Why a `contracts` mark is wrong; null when it is right, or absent. */
function wrongMark({ contracts }: Step, { steps, released }: Released): string | null {
  if (contracts === undefined) return null
  const named = Object.keys(steps).find((name) => name.startsWith(`${contracts}-`))
  if (named === undefined) return `contracts ${contracts}, which is no migration`
  return named > released ? `contracts ${contracts}, which is not released yet` : null
}

function isBorne({ accepts = {}, contracts }: Step, what: string): boolean {
  if (contracts !== undefined && CONTRACTION.test(what)) return true
  return (accepts[what] ?? '').trim() !== ''
}

/**
 * Runs the migrations on an empty database and returns what in later ones may break the version that ends at
 * `released`, beyond what they accept or contract: `0048-name: drops column t.c`. What is added and removed
 * after the release affects no released version.
 */
export async function checkMigrations(database: Database, of: Released): Promise<string[]> {
  const { steps, released } = of
  const provider = { getMigrations: () => Promise.resolve(steps) }
  const migrator = new Migrator({ db: database.db, provider })
  const moveTo = async (name: string) => {
    const { error } = await migrator.migrateTo(name)
    if (error !== undefined) throw new Error(`${name} failed`, { cause: error })
  }
  await moveTo(released)
  const before = await readSchema(database)
  const known = new Set<string>()
  const findings: string[] = []
  for (const [name, step] of Object.entries(steps)) {
    if (name <= released) continue
    await moveTo(name)
    const mark = wrongMark(step, of)
    if (mark !== null) findings.push(`${name}: ${mark}`)
    const after = await readSchema(database)
    const breaks = breaksOf({ before, after, engine: database.engine })
    for (const what of breaks) {
      if (known.has(what)) continue
      known.add(what)
      if (!isBorne(step, what)) findings.push(`${name}: ${what}`)
    }
  }
  return findings
}
