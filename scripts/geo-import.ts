/**
 * Loads a full list of UK postcodes, US ZIP codes, or towns and villages into the database the server uses
 * (DATA_DIR or DATABASE_URL), so that searches start from the exact postcode. Loading a file twice changes
 * nothing.
 *
 *     npm run geo:import -- FILE [--include-bt]
 */
import { resolve } from 'node:path'
import { cwd, env, stdout } from 'node:process'
import { type Database, openDatabase } from '#db/engine.ts'
import { importFile } from '#db/geo/import/import-file.ts'
import { type ListFile, listFiles } from '#db/geo/import/list-files.ts'
import { formatCount, formatImported, ImportProblem, Rejects } from '#db/geo/import/report.ts'
import { loadReference } from '#db/geo/load.ts'
import { migrateToLatest, withStartLock } from '#db/migrate.ts'
import { type Config, ConfigError, readConfig } from '#server/kernel/config/config.ts'
import { makeFolder } from '#server/kernel/make-folder.ts'
import { COMMANDS } from './commands.ts'
import { runCommand } from './run-command.ts'

const PLAIN_LINE_EVERY_MS = 5_000
const BAR_EVERY_MS = 100
const BAR_CELLS = 30

/** A progress bar that redraws itself on a terminal, and an occasional line anywhere else. */
class Progress {
  readonly #totalBytes: number
  readonly #started = performance.now()
  readonly #onTerminal = stdout.isTTY
  #before = 0
  #shown = performance.now()

  constructor(files: readonly ListFile[]) {
    this.#totalBytes = files.reduce((sum, file) => sum + file.bytes, 0)
  }

  show(file: ListFile, part: number): void {
    const now = performance.now()
    if (now - this.#shown < (this.#onTerminal ? BAR_EVERY_MS : PLAIN_LINE_EVERY_MS)) return
    this.#shown = now
    const done = Math.min(1, (this.#before + part * file.bytes) / this.#totalBytes)
    const percent = `${Math.floor(done * 100)} %`.padStart(5)
    const seconds = `${((now - this.#started) / 1000).toFixed(0)} s`
    if (this.#onTerminal) {
      const bar = '█'.repeat(Math.round(done * BAR_CELLS)).padEnd(BAR_CELLS, '░')
      stdout.write(`\r\x1b[2K${bar} ${percent}, ${seconds}, ${file.name}`)
    } else stdout.write(`${percent}, ${seconds}, ${file.name}\n`)
  }

  /** Ends the output for a file, whether it succeeded or not; what follows starts on a new line. */
  next(file: ListFile): void {
    this.#before += file.bytes
    if (this.#onTerminal) stdout.write('\r\x1b[2K')
  }

  seconds(): string {
    return ((performance.now() - this.#started) / 1000).toFixed(1)
  }
}

async function importAll(
  database: Database,
  files: readonly ListFile[],
  includeNorthernIreland: boolean,
): Promise<{ problems: string[]; rows: number }> {
  const progress = new Progress(files)
  const problems: string[] = []
  let rows = 0
  for (const file of files) {
    const rejects = new Rejects()
    const onProgress = (part: number) => progress.show(file, part)
    try {
      const done = await importFile(database, file, { includeNorthernIreland, rejects, onProgress })
      progress.next(file)
      for (const line of formatImported(file.name, done, rejects)) stdout.write(`${line}\n`)
      rows += done.postcodes + done.zips + done.places
    } catch (error) {
      progress.next(file)
      if (!(error instanceof ImportProblem)) throw error
      // Downloads contain read-mes and tables of names besides the list.
      if (files.length === 1 || error.kind !== 'unknown') problems.push(error.message)
    }
  }
  stdout.write(`${formatCount(rows, 'row')} in ${progress.seconds()} s\n`)
  return { problems, rows }
}

async function importInto(config: Config, files: ListFile[], includeBt: boolean): Promise<void> {
  await makeFolder(config.dataDir)
  const database = openDatabase(config.databaseUrl)
  try {
    await withStartLock(config.databaseUrl, async () => {
      await migrateToLatest(database)
      await loadReference(database, (line) => stdout.write(`${line}\n`))
    })
    const { problems, rows } = await importAll(database, files, includeBt)
    if (rows === 0 && problems.length === 0) problems.push('Nothing in it could be imported.')
    if (problems.length > 0) throw new ConfigError(problems)
  } finally {
    await database.close()
  }
}

async function main(source: string, includeBt: boolean): Promise<number> {
  // npm runs scripts in the project's folder; paths are relative to where the person is.
  const files = await listFiles(resolve(env['INIT_CWD'] ?? cwd(), source))
  if (files.length === 0) throw new ConfigError([`There are no lists in ${source}.`])
  await importInto(readConfig(env), files, includeBt)
  return 0
}

await runCommand(COMMANDS['geo:import'], ({ words: [source = ''], values }) =>
  main(source, values['include-bt']),
)
