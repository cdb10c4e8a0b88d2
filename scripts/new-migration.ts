import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
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
 * Adds the next numbered migration to `folder` and to its registry; returns the new file's name.
 * `topic` is a kebab-case noun such as `bank-accounts`.
 */
export function addMigration(folder: string, topic: string): string {
  if (!TOPIC.test(topic)) throw new Error(NAME_IT)
  const taken = readdirSync(folder).filter((name) => /^\d{4}-.+\.ts$/.test(name))
  const last = Math.max(0, ...taken.map((name) => Number(name.slice(0, 4))))
  const name = `${String(last + 1).padStart(4, '0')}-${topic}`
  const registry = join(folder, 'registry.ts')
  const text = register(readFileSync(registry, 'utf8'), name, topic)
  writeFileSync(join(folder, `${name}.ts`), BODY)
  writeFileSync(registry, text)
  return `${name}.ts`
}

/** The registry's text with one more import and one more line at the end of its list. */
function register(text: string, name: string, topic: string): string {
  const camel = topic.replace(/-([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())
  const alias = text.includes(`import * as ${camel} `)
    ? `${camel}${Number(name.slice(0, 4))}`
    : camel
  const lastImport = text.lastIndexOf('\nimport ')
  const importEnd = text.indexOf('\n', lastImport + 1)
  const listEnd = text.indexOf('\n}', importEnd)
  if (lastImport === -1 || listEnd === -1)
    throw new Error('migrations/registry.ts has an unexpected format.')
  return [
    text.slice(0, importEnd),
    `\nimport * as ${alias} from './${name}.ts'`,
    text.slice(importEnd, listEnd),
    `\n  '${name}': ${alias},`,
    text.slice(listEnd),
  ].join('')
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
