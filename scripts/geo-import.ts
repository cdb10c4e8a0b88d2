/**
 * Loads a full list of UK postcodes, US ZIP codes, or towns and villages into the database the server uses
 * (DATA_DIR or DATABASE_URL), so that searches start from the exact postcode. Loading a file twice changes
 * nothing.
 *
 *     npm run geo:import -- FILE [--include-bt]
 */
import { mkdir } from 'node:fs/promises'
import { resolve } from 'node:path'
import { cwd, env, stdout } from 'node:process'
import { type Database, openDatabase } from '#db/engine.ts'
import { importFile } from '#db/geo/import/import-file.ts'
import { type ListFile, listFiles } from '#db/geo/import/list-files.ts'
import { formatCount, formatImported, ImportProblem, Rejects } from '#db/geo/import/report.ts'
import { loadReference } from '#db/geo/load.ts'
import { migrateToLatest, withStartLock } from '#db/migrate.ts'
import { type Config, ConfigError, readConfig } from '#server/kernel/config/config.ts'
import { parseOptions, runCommand } from './run-command.ts'

const HELP = `Name the file or folder to read: npm run geo:import -- FILE

It may be packed as it was fetched (.zip, .gz):
  Code-Point Open         UK, from Ordnance Survey
  ONSPD or NSPL           UK, from the Office for National Statistics
  postcode,lat,lon        UK, a CSV with this first line
  Census gazetteer        USA, "ZIP Code Tabulation Areas"
  GeoNames postal codes   USA, US.txt
  GeoNames places         both, towns and villages: GB.txt, US.txt or cities500.txt

  --include-bt   Take Northern Irish postcodes as well. They are not open data: this confirms
                 that you hold a licence of Land & Property Services for them.
`

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
  await mkdir(config.dataDir, { recursive: true })
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

type Arguments = { source: string; includeBt: boolean }

/** The parsed arguments; null when only the usage is wanted. */
function readArguments(): Arguments | null {
  const { values, positionals } = parseOptions({
    'include-bt': { type: 'boolean' },
    help: { type: 'boolean', short: 'h' },
  })
  if (values.help === true) return null
  const [source, ...rest] = positionals
  if (source === undefined) throw new ConfigError([HELP])
  if (rest.length > 0) throw new ConfigError(['One file or folder at a time, please.'])
  return { source, includeBt: values['include-bt'] ?? false }
}

async function main(): Promise<number> {
  const wanted = readArguments()
  if (wanted === null) {
    stdout.write(HELP)
    return 0
  }
  const { source, includeBt } = wanted
  // npm runs scripts in the project's folder; paths are relative to where the person is.
  const files = await listFiles(resolve(env['INIT_CWD'] ?? cwd(), source))
  if (files.length === 0) throw new ConfigError([`There are no lists in ${source}.`])
  await importInto(readConfig(env), files, includeBt)
  return 0
}

await runCommand(main, { failed: 1 })
