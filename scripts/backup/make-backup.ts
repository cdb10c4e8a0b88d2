import { copyFile, mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pid } from 'node:process'
import { copySqlite } from '#db/sqlite-copy.ts'
import type { Config } from '#server/kernel/config/config.ts'
import {
  DATABASE,
  entryOf,
  FOLDERS,
  type Manifest,
  manifestIn,
  namesIn,
  sqliteFile,
  verifyCopy,
} from './backup-set.ts'

const UNFINISHED = '.unfinished-'

function isRunning(process_: number): boolean {
  try {
    return process.kill(process_, 0)
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
  if (names.length > 0) await mkdir(to, { recursive: true, mode: 0o700 })
  for (const name of names) {
    await copyFile(join(from, name), join(to, name)).catch((error: unknown) => {
      if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error
    })
  }
}

async function fillBackup(config: Config, folder: string, now: number): Promise<Manifest> {
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
  return { format: 1, madeAt: new Date(now).toISOString(), auditHead, files }
}

/**
 * Makes a backup of a running SQLite installation in `folder` and returns its path: the database as it was at
 * one moment, pictures and documents, and `backup.json` with their hashes. Keys are not included. The copy
 * has been opened and checked, and its audit log walked. The backup is either complete under its name, or not
 * there at all.
 */
export async function makeBackup(
  config: Config,
  folder: string,
  now: number,
): Promise<{ path: string; manifest: Manifest }> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await removeLeftovers(folder)
  const draft = join(folder, `${UNFINISHED}${pid}`)
  await mkdir(draft, { mode: 0o700 })
  try {
    const manifest = await fillBackup(config, draft, now)
    await writeFile(manifestIn(draft), `${JSON.stringify(manifest, null, 2)}\n`, { mode: 0o600 })
    const path = join(folder, `apposite-${manifest.madeAt.replaceAll(/[:.]/g, '-')}`)
    await rename(draft, path)
    return { path, manifest }
  } catch (error) {
    await rm(draft, { recursive: true, force: true })
    throw error
  }
}
