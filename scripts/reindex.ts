/**
 * Rebuilds the search index from the providers in the database the server uses (DATA_DIR or DATABASE_URL).
 * The server may be running. For use after a restore, or when a search finds what it should not.
 *
 *     npm run apposite -- reindex
 */
import { env, stdout } from 'node:process'
import { openDatabase } from '#db/engine.ts'
import { now } from '#server/kernel/clock.ts'
import { readConfig } from '#server/kernel/config/config.ts'
import { reindexProviders } from '#server/search/reindex.ts'
import { COMMANDS } from './commands.ts'
import { assertDatabaseExists } from './database-file.ts'
import { runCommand } from './run-command.ts'

async function main(): Promise<number> {
  const started = performance.now()
  const config = readConfig(env)
  assertDatabaseExists(config)
  const database = openDatabase(config.databaseUrl)
  try {
    await database.transaction((db) => reindexProviders(db, now()))
    stdout.write(`Indexed in ${((performance.now() - started) / 1000).toFixed(1)} s.\n`)
    return 0
  } finally {
    await database.close()
  }
}

await runCommand(COMMANDS.reindex, main, { failed: 2 })
