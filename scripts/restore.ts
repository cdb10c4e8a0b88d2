/**
 * Restores a backup into the data folder the server is to use (DATA_DIR, SECRET_KEY), which must hold
 * no database yet. Checks the backup, its audit log and the key first.
 *
 *     npm run restore -- BACKUP
 */
import { resolve } from 'node:path'
import { cwd, env, stdout } from 'node:process'
import { readConfig } from '#server/kernel/config/config.ts'
import { restoreBackup } from './backup.ts'
import { COMMANDS } from './commands.ts'
import { runCommand } from './run-command.ts'

async function main(backup: string): Promise<number> {
  const from = resolve(env['INIT_CWD'] ?? cwd(), backup)
  const { madeAt, files } = await restoreBackup(readConfig(env), from)
  stdout.write(
    `Restored as it was at ${madeAt}: ${files.length} files. Start the server.\n` +
      'Only the gateways know of payments and refunds made since then: compare their lists from that time on.\n',
  )
  return 0
}

await runCommand(COMMANDS.restore, ({ words: [backup = ''] }) => main(backup))
