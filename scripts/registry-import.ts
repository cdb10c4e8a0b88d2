/**
 * Imports the list of a professional register into the database the server uses (DATA_DIR or
 * DATABASE_URL), replacing the previous one. Providers are compared with it.
 *
 *     npm run registry:import -- gmc FILE.csv [--force]
 */
import { mkdir } from 'node:fs/promises'
import { resolve } from 'node:path'
import { argv, cwd, env, stderr, stdout } from 'node:process'
import { parseArgs } from 'node:util'
import { ProfessionalBody } from '#contract/base/people.ts'
import { openDatabase } from '#db/engine.ts'
import { listFiles } from '#db/geo/import/list-files.ts'
import { ImportProblem } from '#db/geo/import/report.ts'
import { migrateToLatest, withStartLock } from '#db/migrate.ts'
import { now } from '#server/kernel/clock.ts'
import { type Config, ConfigError, readConfig } from '#server/kernel/config/config.ts'
import { importRegister } from '#server/verification/register/import-register.ts'

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

function fail(lines: readonly string[]): void {
  stderr.write(`${lines.join('\n')}\n`)
  process.exitCode = 1
}

/** The parsed arguments, or null after printing the usage. */
function readArguments(): Arguments | null {
  try {
    const { values, positionals } = parseArgs({
      args: argv.slice(2),
      allowPositionals: true,
      options: { force: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } },
    })
    const body = ProfessionalBody.safeParse(positionals[0]?.toUpperCase())
    const path = positionals[1]
    if (values.help === true) stdout.write(HELP)
    else if (!body.success || path === undefined || positionals.length > 2) fail([HELP])
    else return { body: body.data, path, isForced: values.force === true }
  } catch (error) {
    fail([error instanceof Error ? error.message : String(error)])
  }
  return null
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

async function main(): Promise<void> {
  const asked = readArguments()
  if (asked === null) return
  try {
    await importInto(readConfig(env), asked)
  } catch (error) {
    if (error instanceof ConfigError) fail(error.problems)
    else if (error instanceof ImportProblem) fail([error.message])
    else throw error
  }
}

await main()
