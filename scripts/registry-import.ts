/**
 * Imports the list of a professional register into the database the server uses (DATA_DIR or
 * DATABASE_URL), replacing the previous one. Providers are compared with it.
 *
 *     npm run registry:import -- gmc FILE.csv [--force]
 */
import { mkdir } from 'node:fs/promises'
import { resolve } from 'node:path'
import { cwd, env, stderr, stdout } from 'node:process'
import { ProfessionalBody } from '#contract/base/people.ts'
import { openDatabase } from '#db/engine.ts'
import { listFiles } from '#db/geo/import/list-files.ts'
import { ImportProblem } from '#db/geo/import/report.ts'
import { migrateToLatest, withStartLock } from '#db/migrate.ts'
import { now } from '#server/kernel/clock.ts'
import { type Config, ConfigError, readConfig } from '#server/kernel/config/config.ts'
import { importRegister } from '#server/verification/register/import-register.ts'
import { parseOptions, runCommand } from './run-command.ts'

const HELP = `Name the register and the file: npm run registry:import -- gmc FILE.csv

It may be packed (.zip, .gz). The first line names the columns, in any order; others are ignored:
  gmc   GMC Ref No, Given Name, Surname, Registration Status
        and, if there, FTP Conditions Exist, FTP Undertakings Exist (the list the GMC licenses)
  gdc   Registration Number, Forenames, Surname, Status
  npi   NPI, Provider First Name, Provider Last Name (Legal Name), NPI Deactivation Date
        and, if there, NPI Reactivation Date, Entity Type Code (the NPPES download)
  All three may also be named registration_number, first_name, last_name, status.

  --force   Replace the list even if many rows are bad, or most of its entries would go.
`

const SHOWN = 20

type Arguments = { body: ProfessionalBody; path: string; isForced: boolean }

/** The parsed arguments; null when only the usage is wanted. */
function readArguments(): Arguments | null {
  const { values, positionals } = parseOptions({
    force: { type: 'boolean' },
    help: { type: 'boolean', short: 'h' },
  })
  if (values.help === true) return null
  const [name, path, ...rest] = positionals
  const body = ProfessionalBody.safeParse(name?.toUpperCase())
  if (!body.success || path === undefined || rest.length > 0) throw new ConfigError([HELP])
  return { body: body.data, path, isForced: values.force === true }
}

async function importInto(config: Config, { body, path, isForced }: Arguments): Promise<void> {
  // npm runs scripts in the project's folder; paths are relative to where the person is.
  const [file, ...others] = await listFiles(resolve(env['INIT_CWD'] ?? cwd(), path))
  if (file === undefined || others.length > 0) {
    throw new ImportProblem('missing', `${path} is not one file.`)
  }
  await mkdir(config.dataDir, { recursive: true })
  const database = openDatabase(config.databaseUrl)
  try {
    await withStartLock(config.databaseUrl, () => migrateToLatest(database))
    const done = await importRegister(database, { body, file, now, isForced })
    for (const { line, why } of done.problems.slice(0, SHOWN)) {
      stderr.write(`${file.name}, line ${line}: ${why}\n`)
    }
    if (done.rejected > SHOWN) stderr.write(`and ${done.rejected - SHOWN} more\n`)
    stdout.write(
      `${body}: ${done.entries.toLocaleString('en-GB')} entries, ${done.rejected} left out, ${done.skipped} skipped\n`,
    )
  } finally {
    await database.close()
  }
}

async function main(): Promise<number> {
  const wanted = readArguments()
  if (wanted === null) stdout.write(HELP)
  else await importInto(readConfig(env), wanted)
  return 0
}

await runCommand(main, { failed: 1 })
