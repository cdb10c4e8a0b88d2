/**
 * Verifies the audit log of the database the server uses (DATA_DIR or DATABASE_URL, SECRET_KEY): whether
 * every row is unchanged since it was sealed. Exits with 1 when one is not, with 2 when it cannot tell.
 *
 *     npm run audit:verify -- [POSITION SEAL]
 *
 * POSITION and SEAL are a head that the server has logged ("the head of the audit log"): with them a
 * log that was cut off at its end is detected as well.
 */
import { env, stderr, stdout } from 'node:process'
import { openDatabase } from '#db/engine.ts'
import { type KnownHead, type Verdict, verifyAudit } from '#server/audit/audit.ts'
import { isoText } from '#server/kernel/clock.ts'
import { type Config, ConfigError, readConfig } from '#server/kernel/config/config.ts'
import { makeSecrets, readMasterKey } from '#server/kernel/security/secrets.ts'
import { UsageError } from './bootstrap/command-line.mjs'
import { COMMANDS } from './commands.ts'
import { assertKeyExists, databaseExists } from './database-file.ts'
import { runCommand } from './run-command.ts'

const BOTH = 'Give both POSITION and SEAL as they were logged, or neither.'
const NO_LOG_YET = 'There is no audit log yet. Start the server once.'

/** The head named on the command line. */
function readHead([position, seal]: string[]): KnownHead | undefined {
  if (position === undefined) return undefined
  // A seal with a character missing would be reported as a changed log.
  const isHead = /^[1-9]\d{0,14}$/.test(position) && /^[\w-]{43}$/.test(seal ?? '')
  if (!isHead || seal === undefined) throw new UsageError(BOTH)
  return { position: Number(position), seal }
}

function printVerdict({ sealed, brokenAt, brokenRow, unsealed, unsealedSince }: Verdict): void {
  stdout.write(`${sealed} sealed rows are intact.\n`)
  if (unsealedSince !== null) {
    stdout.write(
      `${unsealed} rows have been waiting for their seal since ${isoText(unsealedSince)}.\n`,
    )
  }
  if (brokenAt === null) return
  const found =
    brokenRow === null ? 'it and everything after it are missing' : `found: ${brokenRow}`
  stderr.write(`The log is broken at position ${brokenAt}; ${found}.\n`)
  if (brokenAt === 1) stderr.write('Or SECRET_KEY is not the one it was sealed with.\n')
}

async function verify(config: Config, known: KnownHead | undefined): Promise<boolean> {
  if (!databaseExists(config)) throw new ConfigError([NO_LOG_YET])
  assertKeyExists(config)
  const database = openDatabase(config.databaseUrl)
  try {
    const tables = await database.db.introspection.getTables()
    if (!tables.some(({ name }) => name === 'audit')) throw new ConfigError([NO_LOG_YET])
    const secrets = makeSecrets(await readMasterKey(config))
    const verdict = await verifyAudit({ database, secrets }, known)
    printVerdict(verdict)
    return verdict.brokenAt === null
  } finally {
    await database.close()
  }
}

// A failure is never 1, which says that the log is broken.
await runCommand(
  COMMANDS['audit:verify'],
  async ({ words }) => ((await verify(readConfig(env), readHead(words))) ? 0 : 1),
  { failed: 2 },
)
