/**
 * Imports the list of a professional register into the database the server uses (DATA_DIR or
 * DATABASE_URL), replacing the previous one. Providers are compared with it.
 *
 *     npm run registry:import -- gmc FILE.csv [--force]
 */
import { resolve } from 'node:path'
import { cwd, env, stderr, stdout } from 'node:process'
import { ProfessionalBody } from '#contract/base/people.ts'
import { openDatabase } from '#db/engine.ts'
import { listFiles } from '#db/geo/import/list-files.ts'
import { ImportProblem } from '#db/geo/import/report.ts'
import { migrateToLatest, withStartLock } from '#db/migrate.ts'
import { now } from '#server/kernel/clock.ts'
import { type Config, readConfig } from '#server/kernel/config/config.ts'
import { makeFolder } from '#server/kernel/make-folder.ts'
import { importRegister } from '#server/verification/register/import-register.ts'
import { UsageError } from './bootstrap/command-line.mjs'
import { COMMANDS } from './commands.ts'
import { runCommand } from './run-command.ts'

const SHOWN = 20

type Arguments = { body: ProfessionalBody; path: string; isForced: boolean }

async function importInto(config: Config, { body, path, isForced }: Arguments): Promise<void> {
  // npm runs scripts in the project's folder; paths are relative to where the person is.
  const [file, ...others] = await listFiles(resolve(env['INIT_CWD'] ?? cwd(), path))
  if (file === undefined || others.length > 0) {
    throw new ImportProblem('missing', `${path} is not one file.`)
  }
  await makeFolder(config.dataDir)
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

await runCommand(COMMANDS['registry:import'], async ({ words: [name = '', path = ''], values }) => {
  const body = ProfessionalBody.safeParse(name.toUpperCase())
  if (!body.success) throw new UsageError(`There is no register ${name}: choose gmc, gdc or npi.`)
  await importInto(readConfig(env), { body: body.data, path, isForced: values.force })
  return 0
})
