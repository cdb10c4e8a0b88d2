import type { Db } from '#db/engine.ts'
import type { ListFile } from './files.ts'

/** What makes a file another one: its name, size and time of change. */
export function stampOf(file: ListFile): string {
  return `import:${file.name.replace(/^.*\//, '')}:${file.bytes}:${file.changed}`
}

/** Stamps of the files dealt with, each with the problem there was, or an empty text. */
export async function readStamps(db: Db): Promise<Map<string, string>> {
  const rows = await db
    .selectFrom('geo_meta')
    .selectAll()
    .where('key', 'like', 'import:%')
    .execute()
  return new Map(rows.map((row) => [row.key, row.value]))
}

/** Notes that a file has been dealt with, so that the next start passes it by. */
export async function writeStamp(db: Db, file: ListFile, problem = ''): Promise<void> {
  await db
    .insertInto('geo_meta')
    .values({ key: stampOf(file), value: problem })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ value: problem }))
    .execute()
}
