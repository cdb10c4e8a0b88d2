/**
 * Backs up an installation on SQLite (DATA_DIR, SECRET_KEY), which may be running: database,
 * pictures and documents, in a new folder inside FOLDER. The copy is opened and checked.
 *
 *     npm run backup -- FOLDER
 */
import { createHash } from 'node:crypto'
import { createReadStream, existsSync } from 'node:fs'
import {
  copyFile,
  link,
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { cwd, env, pid, stdout } from 'node:process'
import { pipeline } from 'node:stream/promises'
import * as z from 'zod/mini'
import { openDatabase } from '#db/engine.ts'
import { copySqlite, findCorruption } from '#db/sqlite.ts'
import { verifyAudit } from '#server/audit/audit.ts'
import { now } from '#server/kernel/clock.ts'
import { type Config, ConfigError, readConfig } from '#server/kernel/config/config.ts'
import { makeFolder } from '#server/kernel/make-folder.ts'
import { makeSecrets, readMasterKey } from '#server/kernel/security/secrets.ts'
import { COMMANDS } from './commands.ts'
import { assertDatabaseExists, assertKeyExists } from './database-file.ts'
import { runCommand } from './run-command.ts'

/** The database's name in a backup. */
const DATABASE = 'apposite.db'

/** Subfolders of the data folder that a backup includes: public pictures, and encrypted documents. */
const FOLDERS = ['media', 'documents'] as const

const MANIFEST = 'backup.json'

/** Endings of the files of a SQLite database in use. */
const SQLITE_FILES = ['', '-wal', '-shm'] as const

const Head = z.strictObject({ position: z.int(), seal: z.string() })

/** The description of a backup, in `backup.json`; written last. */
const Manifest = z.strictObject({
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
type Manifest = z.infer<typeof Manifest>

/** The SQLite file a configuration names. Postgres has its own tools, see docs/operating.md. */
function sqliteFile({ databaseUrl }: Config): string {
  const file = /^sqlite:(?!:memory:)(.+)$/.exec(databaseUrl)?.[1]
  if (file !== undefined) return file
  throw new ConfigError([
    'The database is Postgres: back it up and restore it as docs/operating.md says, and copy media and documents of DATA_DIR.',
  ])
}

/** The file names in a folder; none when it does not exist. Drafts begin with a dot. */
async function namesIn(folder: string): Promise<string[]> {
  try {
    return (await readdir(folder)).filter((name) => !name.startsWith('.')).toSorted()
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
    throw error
  }
}

/** The entry of a file for the manifest. */
async function entryOf(folder: string, path: string): Promise<Manifest['files'][number]> {
  const file = join(folder, path)
  const hash = createHash('sha256')
  await pipeline(createReadStream(file), hash)
  return { path, bytes: (await stat(file)).size, sha256: hash.digest('hex') }
}

/** The manifest of a backup. Throws `ConfigError` with a sentence for a folder that is not a backup. */
async function readManifest(folder: string): Promise<Manifest> {
  try {
    return Manifest.parse(JSON.parse(await readFile(join(folder, MANIFEST), 'utf8')))
  } catch {
    throw new ConfigError([
      `${folder} is not a backup, or is an unfinished one: its ${MANIFEST} is missing or damaged.`,
    ])
  }
}

const manifestIn = (folder: string): string => join(folder, MANIFEST)

/**
 * Opens a copy, looks for damage and walks the audit log to its end, which is returned. Throws
 * `ConfigError` when the copy is damaged or SECRET_KEY is not the one it was written with.
 */
async function verifyCopy(
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

const UNFINISHED = '.unfinished-'

/** Whether another process has this id; in containers a killed backup often had this process's own. */
function isRunning(id: number): boolean {
  try {
    return id !== pid && process.kill(id, 0)
  } catch {
    return false
  }
}

/** Removes what a killed backup has left. */
async function removeLeftovers(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!name.startsWith(UNFINISHED) || isRunning(Number(name.slice(UNFINISHED.length)))) continue
    await rm(join(folder, name), { recursive: true, force: true })
  }
}

/** Copies a folder's files. One that disappears meanwhile was removed by its owner. */
async function copyFolder(from: string, to: string): Promise<void> {
  const names = await namesIn(from)
  if (names.length > 0) await makeFolder(to, 0o700)
  for (const name of names) {
    await copyFile(join(from, name), join(to, name)).catch((error: unknown) => {
      if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error
    })
  }
}

async function fillBackup(config: Config, folder: string, at: number): Promise<Manifest> {
  await copySqlite(sqliteFile(config), join(folder, DATABASE))
  const auditHead = await verifyCopy(config, join(folder, DATABASE), null)
  // After the database: files are written before the rows that name them.
  for (const name of FOLDERS) await copyFolder(join(config.dataDir, name), join(folder, name))
  const paths = [DATABASE]
  for (const name of FOLDERS) {
    paths.push(...(await namesIn(join(folder, name))).map((file) => `${name}/${file}`))
  }
  const files: Manifest['files'] = []
  for (const path of paths) files.push(await entryOf(folder, path))
  return { format: 1, madeAt: new Date(at).toISOString(), auditHead, files }
}

/**
 * Makes a backup of a running SQLite installation in `folder` and returns its path: the database as it was at
 * one moment, pictures and documents, and `backup.json` with their hashes. Keys are not included. The copy
 * has been opened and checked, and its audit log walked. The backup is either complete under its name, or not
 * there at all.
 */
async function makeBackup(
  config: Config,
  folder: string,
  at: number,
): Promise<{ path: string; manifest: Manifest }> {
  // Postgres and a wrong DATA_DIR are refused before a folder is made.
  sqliteFile(config)
  assertDatabaseExists(config)
  assertKeyExists(config)
  await makeFolder(folder, 0o700)
  await removeLeftovers(folder)
  const draft = join(folder, `${UNFINISHED}${pid}`)
  await mkdir(draft, { mode: 0o700 })
  try {
    const manifest = await fillBackup(config, draft, at)
    await writeFile(manifestIn(draft), `${JSON.stringify(manifest, null, 2)}\n`, { mode: 0o600 })
    const path = join(folder, `apposite-${manifest.madeAt.replaceAll(/[:.]/g, '-')}`)
    await rename(draft, path)
    return { path, manifest }
  } catch (error) {
    await rm(draft, { recursive: true, force: true })
    throw error
  }
}

function isThereAlready(file: string): ConfigError {
  return new ConfigError([`${file} is there already. Stop the server and move it away first.`])
}

function isTaken(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EEXIST'
}

/** Throws for the first file that does not match the manifest. */
async function assertIntact(folder: string, { files }: Manifest): Promise<void> {
  for (const file of files) {
    const found = await entryOf(folder, file.path).catch(() => null)
    if (found?.sha256 === file.sha256) continue
    const what = found === null ? 'is missing' : 'is not as it was written'
    throw new ConfigError([`${file.path} of the backup ${what}. Take another backup.`])
  }
}

/**
 * Restores a backup where there is no database. It never overwrites one: problems with the backup, the key or
 * the target are thrown as `ConfigError`, and then nothing has changed except pictures and documents. The
 * database comes last, so that a server can only start on a complete one.
 */
export async function restoreBackup(config: Config, folder: string): Promise<Manifest> {
  const target = sqliteFile(config)
  assertKeyExists(config)
  for (const end of SQLITE_FILES) {
    // SQLite would apply the log of another database to the restored one.
    if (existsSync(`${target}${end}`)) throw isThereAlready(`${target}${end}`)
  }
  const manifest = await readManifest(folder)
  await assertIntact(folder, manifest)
  await makeFolder(dirname(target), 0o700)
  const draft = `${target}.restoring`
  const removeDraft = async () => {
    for (const end of SQLITE_FILES) await rm(`${draft}${end}`, { force: true })
  }
  // What a killed restore has left: SQLite would apply its log to this copy.
  await removeDraft()
  try {
    await copyFile(join(folder, DATABASE), draft)
    await verifyCopy(config, draft, manifest.auditHead)
    for (const { path } of manifest.files) {
      if (path === DATABASE) continue
      const file = join(config.dataDir, path)
      await makeFolder(dirname(file), 0o700)
      await copyFile(join(folder, path), file)
    }
    // Unlike a rename, fails if a server was started meanwhile, which has made a database.
    await link(draft, target).catch((error: unknown) => {
      throw isTaken(error) ? isThereAlready(target) : error
    })
  } finally {
    await removeDraft()
  }
  return manifest
}

async function main(folder: string): Promise<number> {
  // npm runs scripts in the project's folder; paths are relative to where the person is.
  const to = resolve(env['INIT_CWD'] ?? cwd(), folder)
  const { path, manifest } = await makeBackup(readConfig(env), to, now())
  const bytes = manifest.files.reduce((sum, file) => sum + file.bytes, 0)
  stdout.write(
    `${path}: ${manifest.files.length} files, ${(bytes / 1e6).toFixed(1)} MB, checked.\n` +
      'SECRET_KEY and BANK_KEYS are not included. Keep them separately: without them this backup cannot be restored.\n',
  )
  return 0
}

if (import.meta.main) await runCommand(COMMANDS.backup, ({ words: [folder = ''] }) => main(folder))
