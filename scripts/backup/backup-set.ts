import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import * as z from 'zod'
import { openDatabase } from '#db/engine.ts'
import { findCorruption } from '#db/sqlite-copy.ts'
import { verifyAudit } from '#server/audit/verify-audit.ts'
import { type Config, ConfigError } from '#server/kernel/config/config.ts'
import { readMasterKey } from '#server/kernel/security/secret-key.ts'
import { makeSecrets } from '#server/kernel/security/secrets.ts'

/** The database's name in a backup. */
export const DATABASE = 'apposite.db'

/** Subfolders of the data folder that a backup includes: public pictures, and encrypted documents. */
export const FOLDERS = ['media', 'documents'] as const

const MANIFEST = 'backup.json'

const Head = z.strictObject({ position: z.int(), seal: z.string() })

/** The description of a backup, in `backup.json`; written last. */
export const Manifest = z.strictObject({
  format: z.literal(1),
  madeAt: z.iso.datetime(),
  /** The end of the audit log; null when nothing is sealed yet. */
  auditHead: z.nullable(Head),
  files: z.array(
    z.strictObject({
      // A path cannot lead outside of the backup.
      path: z.string().check(z.regex(/^(?:apposite\.db|(?:media|documents)\/[\w.-]+)$/)),
      bytes: z.int(),
      sha256: z.string(),
    }),
  ),
})
export type Manifest = z.infer<typeof Manifest>

/** The SQLite file a configuration names. Postgres has its own tools, see docs/operating.md. */
export function sqliteFile({ databaseUrl }: Config): string {
  const file = /^sqlite:(?!:memory:)(.+)$/.exec(databaseUrl)?.[1]
  if (file !== undefined) return file
  throw new ConfigError([
    'The database is Postgres: back it up and restore it as docs/operating.md says, and copy media and documents of DATA_DIR.',
  ])
}

/** The file names in a folder; none when it does not exist. Drafts begin with a dot. */
export async function namesIn(folder: string): Promise<string[]> {
  try {
    return (await readdir(folder)).filter((name) => !name.startsWith('.')).toSorted()
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
    throw error
  }
}

/** The entry of a file for the manifest. */
export async function entryOf(folder: string, path: string): Promise<Manifest['files'][number]> {
  const file = join(folder, path)
  const hash = createHash('sha256')
  await pipeline(createReadStream(file), hash)
  return { path, bytes: (await stat(file)).size, sha256: hash.digest('hex') }
}

/** The manifest of a backup. Throws `ConfigError` with a sentence for a folder that is not a backup. */
export async function readManifest(folder: string): Promise<Manifest> {
  try {
    return Manifest.parse(JSON.parse(await readFile(join(folder, MANIFEST), 'utf8')))
  } catch {
    throw new ConfigError([
      `${folder} is not a backup, or is an unfinished one: its ${MANIFEST} is missing or damaged.`,
    ])
  }
}

export const manifestIn = (folder: string): string => join(folder, MANIFEST)

/**
 * Opens a copy, looks for damage and walks the audit log to its end, which is returned. Throws
 * `ConfigError` when the copy is damaged or SECRET_KEY is not the one it was written with.
 */
export async function verifyCopy(
  config: Config,
  file: string,
  known: Manifest['auditHead'],
): Promise<Manifest['auditHead']> {
  const faults = findCorruption(file)
  if (faults.length > 0)
    throw new ConfigError([`The copy of the database is damaged: ${faults.join('; ')}.`])
  const secrets = makeSecrets(await readMasterKey(config))
  const database = openDatabase(`sqlite:${file}`)
  try {
    const { brokenAt, head } = await verifyAudit({ database, secrets }, known ?? undefined)
    if (brokenAt === null) return head
    const why =
      brokenAt === 1
        ? 'SECRET_KEY is not the one it was written with, or the log was changed.'
        : 'Find out what changed it before you rely on this copy.'
    throw new ConfigError([`The audit log in the copy is broken at position ${brokenAt}. ${why}`])
  } finally {
    await database.close()
  }
}
