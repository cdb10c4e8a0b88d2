import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { type Config, ConfigError } from '#server/kernel/config/config.ts'
import { KEY_FILE } from '#server/kernel/security/secrets.ts'

const SQLITE = 'sqlite:'

type WithUrl = Pick<Config, 'databaseUrl'>

/** Whether the file of a SQLite database is there; always true for Postgres. Throws `ConfigError` for a folder. */
export function databaseExists({ databaseUrl }: WithUrl): boolean {
  if (!databaseUrl.startsWith(SQLITE)) return true
  const file = databaseUrl.slice(SQLITE.length)
  if (!existsSync(file)) return false
  if (!statSync(file).isDirectory()) return true
  throw new ConfigError([`${file} is a folder, and has to be the file of the database.`])
}

/** Opening a SQLite database makes its file: a command with a wrong DATA_DIR must not leave an empty one. */
export function assertDatabaseExists(config: WithUrl): void {
  if (databaseExists(config)) return
  throw new ConfigError([`There is no database at ${config.databaseUrl.slice(SQLITE.length)}.`])
}

/** Reading a missing key makes one: a command without SECRET_KEY must not go on with a key nobody else has. */
export function assertKeyExists({
  secretKey,
  dataDir,
}: Pick<Config, 'secretKey' | 'dataDir'>): void {
  if (secretKey !== null || existsSync(join(dataDir, KEY_FILE))) return
  throw new ConfigError(['SECRET_KEY is missing. It has to be the one of the server.'])
}
