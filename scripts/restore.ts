/**
 * Restores a backup into the data folder the server is to use (DATA_DIR, SECRET_KEY), which must hold
 * no database yet. Checks the backup, its audit log and the key first.
 *
 *     npm run restore -- BACKUP
 */
import { resolve } from 'node:path'
import { argv, cwd, env, stderr, stdout } from 'node:process'
import { readConfig } from '#server/kernel/config/config.ts'
import { restoreBackup } from './backup.ts'
import { runCommand } from './run-command.ts'

const HELP = 'Name the backup: npm run restore -- BACKUP\n'

async function main(): Promise<number> {
  const [backup, ...rest] = argv.slice(2)
  if (backup === undefined || rest.length > 0) {
    stderr.write(HELP)
    return 2
  }
  const from = resolve(env['INIT_CWD'] ?? cwd(), backup)
  const { madeAt, files } = await restoreBackup(readConfig(env), from)
  stdout.write(
    `Restored as it was at ${madeAt}: ${files.length} files. Start the server.\n` +
      'Only the gateways know of payments and refunds made since then: compare their lists from that time on.\n',
  )
  return 0
}

await runCommand(main, { failed: 1 })
