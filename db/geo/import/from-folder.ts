import type { Database } from '#db/engine.ts'
import { importFile, readStamps, stampOf, writeStamp } from './import-file.ts'
import { type ListFile, listFiles } from './list-files.ts'
import { formatCount, formatImported, ImportProblem, Rejects } from './report.ts'

type Report = (line: string) => void

async function importOne(database: Database, file: ListFile, report: Report): Promise<void> {
  const rejects = new Rejects()
  try {
    const done = await importFile(database, file, { includeNorthernIreland: false, rejects })
    for (const line of formatImported(file.name, done, rejects)) report(line)
  } catch (error) {
    if (!(error instanceof ImportProblem)) throw error
    report(error.message)
    // A damaged file is reported at every start without reading it again; a file of another kind is not reported.
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
 * Imports the new files of a folder, recognised by name, size and modification time; reads nothing else when there are
 * none. A file that cannot be imported is reported in a sentence and does not stop the start: the product ships coarser
 * tables. Northern Irish postcodes are left out, because nobody has confirmed a licence.
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
  if (fresh.length > 0) report(`Importing ${formatCount(fresh.length, 'new file')} of ${folder}`)
  for (const file of fresh) await importOne(database, file, report)
}
