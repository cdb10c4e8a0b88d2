/**
 * Backs up an installation on SQLite (DATA_DIR, SECRET_KEY), which may be running: database,
 * pictures and documents, in a new folder inside FOLDER. The copy is opened and checked.
 *
 *     npm run backup -- FOLDER
 */
import { resolve } from 'node:path'
import { argv, cwd, env, stderr, stdout } from 'node:process'
import { now } from '#server/kernel/clock.ts'
import { ConfigError, readConfig } from '#server/kernel/config/config.ts'
import { makeBackup } from './backup/backup-set.ts'

const HELP = 'Name the folder to back up to: npm run backup -- FOLDER\n'

async function main(): Promise<number> {
  const [folder, ...rest] = argv.slice(2)
  if (folder === undefined || rest.length > 0) {
    stderr.write(HELP)
    return 2
  }
  try {
    // npm runs scripts in the project's folder; paths are relative to where the person is.
    const to = resolve(env['INIT_CWD'] ?? cwd(), folder)
    const { path, manifest } = await makeBackup(readConfig(env), to, now())
    const bytes = manifest.files.reduce((sum, file) => sum + file.bytes, 0)
    stdout.write(
      `${path}: ${manifest.files.length} files, ${(bytes / 1e6).toFixed(1)} MB, checked.\n` +
        'SECRET_KEY and BANK_KEYS are not included. Keep them separately: without them this backup cannot be restored.\n',
    )
    return 0
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    stderr.write(`${error.problems.join('\n')}\n`)
    return 1
  }
}

process.exitCode = await main()
