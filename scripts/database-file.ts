import { existsSync } from 'node:fs'
import { type Config, ConfigError } from '#server/kernel/config/config.ts'

const SQLITE = 'sqlite:'

type WithUrl = Pick<Config, 'databaseUrl'>

/** Whether the file of a SQLite database is there; always true for Postgres. */
export function databaseExists({ databaseUrl }: WithUrl): boolean {
  return !databaseUrl.startsWith(SQLITE) || existsSync(databaseUrl.slice(SQLITE.length))
}

/** Opening a SQLite database makes its file: a command with a wrong DATA_DIR must not leave an empty one. */
export function assertDatabaseExists(config: WithUrl): void {
  if (databaseExists(config)) return
  throw new ConfigError([`There is no database at ${config.databaseUrl.slice(SQLITE.length)}.`])
}
