import { type MigrationResultSet, Migrator, NO_MIGRATIONS } from 'kysely/migration'
import { migrations } from '#migrations/registry.ts'
import type { Database } from './engine.ts'

function migratorFor(database: Database): Migrator {
  return new Migrator({
    db: database.db,
    provider: { getMigrations: () => Promise.resolve(migrations) },
  })
}

function namesDone(outcome: MigrationResultSet): string[] {
  if (outcome.error !== undefined) {
    throw new Error('A migration failed; the schema is as it was before it.', {
      cause: outcome.error,
    })
  }
  return (outcome.results ?? []).map((result) => result.migrationName)
}

/** Brings the schema up to date and returns the names of the migrations that ran. */
export async function migrateToLatest(database: Database): Promise<string[]> {
  return namesDone(await migratorFor(database).migrateToLatest())
}

/** Takes everything down again; for tests and for starting over. */
export async function migrateToNothing(database: Database): Promise<string[]> {
  return namesDone(await migratorFor(database).migrateTo(NO_MIGRATIONS))
}
