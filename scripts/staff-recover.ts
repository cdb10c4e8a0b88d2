/**
 * Restores access for a superuser who has lost their password and their second factor, in the database the server uses
 * (DATA_DIR or DATABASE_URL, SECRET_KEY; PUBLIC_URL for the address to sign in at). Prints a temporary password
 * for one session, in which they choose another.
 * The audit log records it, and they are emailed.
 *
 *     npm run staff:recover -- EMAIL
 */
import { env, stderr, stdout } from 'node:process'
import { recoverSuperuser } from '#server/auth/accounts/accounts.ts'
import { readConfig } from '#server/kernel/config/config.ts'
import { makeLog } from '#server/kernel/log.ts'
import { makeServices } from '#server/start.ts'
import { COMMANDS } from './commands.ts'
import { assertDatabaseExists, assertKeyExists } from './database-file.ts'
import { runCommand } from './run-command.ts'

async function recover(email: string): Promise<number> {
  const config = readConfig(env)
  assertDatabaseExists(config)
  assertKeyExists(config)
  const { services } = await makeServices(
    config,
    makeLog({ level: config.logLevel, style: 'line' }),
  )
  try {
    const password = await recoverSuperuser(services, email)
    if (password === null) {
      stderr.write('No superuser has this email address.\n')
      return 1
    }
    const isAddressKnown = (env['PUBLIC_URL'] ?? '').trim() !== ''
    const page = isAddressKnown
      ? `${config.publicUrl}/admin-signin`
      : '/admin-signin of your site (its address is not known here, because PUBLIC_URL is not set)'
    stdout.write(`Sign in at ${page} with this password. It works once.\n${password}\n`)
    return 0
  } finally {
    await services.database.close()
  }
}

await runCommand(COMMANDS['staff:recover'], ({ words: [email = ''] }) => recover(email), {
  failed: 2,
})
