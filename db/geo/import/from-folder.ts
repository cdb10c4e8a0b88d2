import type { Database } from '#db/engine.ts'
import { type ListFile, listFiles } from './files.ts'
import { importFile, readStamps, stampOf, writeStamp } from './import-file.ts'
import { ImportProblem, Rejects } from './problem.ts'
import { counted, tellImported } from './tell.ts'

type Report = (line: string) => void

async function importOne(database: Database, file: ListFile, report: Report): Promise<void> {
  const rejects = new Rejects()
  try {
    const done = await importFile(database, file, { includeNorthernIreland: false, rejects })
    for (const line of tellImported(file.name, done, rejects)) report(line)
  } catch (error) {
    if (!(error instanceof ImportProblem)) throw error
    report(error.message)
    // Damage is said at every start, without reading up to it again; other files belong there.
    if (error.kind === 'damaged') await writeStamp(database.db, file, error.message)
    else if (error.kind !== 'unreadable') await writeStamp(database.db, file)
  }
}

async function filesIn(folder: string, report: Report): Promise<ListFile[]> {
  try {
    return await listFiles(folder)
  } catch (error) {
    if (!(error instanceof ImportProblem)) throw error
    report(`GEO_DATA_DIR: ${error.message}`)
    return []
  }
}

/**
 * Imports the files of a folder that were not imported yet, by name, size and time of change; looks
 * at no more than that when there is nothing to do. What cannot be imported is reported as a
 * sentence and keeps nobody from starting: the product has coarser tables of its own. Northern
 * Irish postcodes are left out, because nobody is there to confirm a licence.
 */
export async function importFromFolder(
  database: Database,
  folder: string,
  report: Report = () => undefined,
): Promise<void> {
  const files = await filesIn(folder, report)
  const stamps = await readStamps(database.db)
  const fresh = files.filter((file) => !stamps.has(stampOf(file)))
  for (const file of files) {
    const problem = stamps.get(stampOf(file)) ?? ''
    if (problem !== '') report(problem)
  }
  if (fresh.length > 0) report(`Importing ${counted(fresh.length, 'new file')} of ${folder}`)
  for (const file of fresh) await importOne(database, file, report)
}
