import { existsSync } from 'node:fs'
import { copyFile, mkdir, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type Config, ConfigError } from '#server/kernel/config/config.ts'
import {
  DATABASE,
  entryOf,
  type Manifest,
  readManifest,
  sqliteFile,
  verifyCopy,
} from './backup-set.ts'

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
  if (existsSync(target)) {
    throw new ConfigError([`${target} is there already. Stop the server and move it away first.`])
  }
  const manifest = await readManifest(folder)
  await assertIntact(folder, manifest)
  await mkdir(dirname(target), { recursive: true, mode: 0o700 })
  const draft = `${target}.restoring`
  try {
    await copyFile(join(folder, DATABASE), draft)
    await verifyCopy(config, draft, manifest.auditHead)
    for (const { path } of manifest.files) {
      if (path === DATABASE) continue
      const file = join(config.dataDir, path)
      await mkdir(dirname(file), { recursive: true, mode: 0o700 })
      await copyFile(join(folder, path), file)
    }
    await rename(draft, target)
  } finally {
    for (const end of ['', '-wal', '-shm']) await rm(`${draft}${end}`, { force: true })
  }
  return manifest
}
