import { copyFile } from 'node:fs/promises'
import Sqlite from 'better-sqlite3'
import { CompiledQuery } from 'kysely'
import type { Database } from '#db/engine.ts'

type Values = readonly unknown[]
type RecordedStatement = { sql: string; values: Values }
type Run = (this: Sqlite.Statement, values: Values) => unknown

/** Statements that SQLite ran, in order, whichever code issued them. */
export type Script = readonly RecordedStatement[]

/**
 * Records every statement that any SQLite connection of this process runs, with its values. `take` returns
 * the statements recorded since the last call; `stop` ends recording.
 */
export function recordStatements(): { take(): Script; stop(): void } {
  const some = new Sqlite(':memory:')
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const statements = Object.getPrototypeOf(some.prepare('select 1')) as { all: Run; run: Run }
  some.close()
  const { all, run } = statements
  let recorded: RecordedStatement[] = []
  const isRecording = (original: Run): Run =>
    function note(values) {
      recorded.push({ sql: this.source, values })
      return original.call(this, values)
    }
  statements.all = isRecording(all)
  statements.run = isRecording(run)
  return {
    take: () => {
      const script = recorded
      recorded = []
      return script
    },
    stop: () => Object.assign(statements, { all, run }),
  }
}

/**
 * A copy of the database at its current state in `file`, driven by the SQLite binding alone: statements are
 * prepared once and run one after the other. Settings, including flushing, are those of `db/sqlite.ts`.
 */
export async function copyBare(database: Database, file: string) {
  await database.db.executeQuery(CompiledQuery.raw('pragma wal_checkpoint(truncate)'))
  const copy = `${file}-bare`
  await copyFile(file, copy)
  const raw = new Sqlite(copy)
  const settings = ['journal_mode = WAL', 'synchronous = FULL', 'foreign_keys = ON']
  const room = ['temp_store = MEMORY', 'cache_size = -4000', 'mmap_size = 2147418112']
  for (const setting of [...settings, ...room]) raw.pragma(setting)
  const prepared = new Map<string, Sqlite.Statement>()
  return {
    replay(script: Script): void {
      for (const { sql, values } of script) {
        let statement = prepared.get(sql)
        if (statement === undefined) {
          statement = raw.prepare(sql)
          prepared.set(sql, statement)
        }
        if (statement.reader) statement.all(values)
        else statement.run(values)
      }
    },
    bookings: () => Number(raw.prepare('select count(*) from bookings').pluck().get()),
    close: () => raw.close(),
  }
}
