import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { stdout } from 'node:process'
import { UsageError } from './bootstrap/command-line.mjs'
import { TOOLS } from './commands.ts'
import { runCommand } from './run-command.ts'

const TOPIC = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/
const NAME_IT = 'Name the migration in kebab case, such as bank-accounts.'

const BODY = `import type { Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.createTable('rename_me').execute()
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await db.schema.dropTable('rename_me').execute()
}
`

/**
 * Adds the next numbered migration to `folder`, where it is found; returns the new file's name.
 * `topic` is a kebab-case noun such as `bank-accounts`.
 */
export function addMigration(folder: string, topic: string): string {
  if (!TOPIC.test(topic)) throw new Error(NAME_IT)
  const taken = readdirSync(folder).filter((name) => /^\d{4}-.+\.ts$/.test(name))
  const last = Math.max(0, ...taken.map((name) => Number(name.slice(0, 4))))
  const name = `${String(last + 1).padStart(4, '0')}-${topic}.ts`
  writeFileSync(join(folder, name), BODY)
  return name
}

if (import.meta.main) {
  await runCommand(TOOLS['migration:new'], ({ words: [topic = ''] }) => {
    if (!TOPIC.test(topic)) throw new UsageError(NAME_IT)
    stdout.write(
      `migrations/${addMigration(join(import.meta.dirname, '..', 'migrations'), topic)}\n`,
    )
    return 0
  })
}
