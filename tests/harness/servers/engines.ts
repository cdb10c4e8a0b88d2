import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, describe, inject } from 'vitest'
import { type Database, openDatabase } from '#db/engine.ts'
import { createDatabase, MIGRATED, onPostgres, openEmpty } from './empty-database.ts'

type MakeDatabase = (options?: { migrate?: boolean }) => Promise<Database>

/** Runs a suite once on SQLite in memory and once on a real Postgres with several connections. */
export function describeEngines(name: string, suite: (makeDatabase: MakeDatabase) => void): void {
  describe.each(['sqlite', 'postgres'] as const)(`${name} on %s`, (engine) => {
    const opened: Database[] = []
    const created: string[] = []

    async function makeDatabase(options: { migrate?: boolean } = {}): Promise<Database> {
      const { migrate = true } = options
      const database = await (engine === 'sqlite' ? inMemory(migrate) : onServer(migrate))
      opened.push(database)
      return database
    }

    async function inMemory(migrate: boolean): Promise<Database> {
      return migrate ? openEmpty() : openDatabase('sqlite::memory:')
    }

    async function onServer(migrate: boolean): Promise<Database> {
      const server = inject('postgresUrl')
      const fresh = `t_${randomBytes(8).toString('hex')}`
      await onPostgres(server, (admin) =>
        createDatabase(admin, fresh, migrate ? MIGRATED : 'template0'),
      )
      created.push(fresh)
      return openDatabase(`${server}/${fresh}`, { poolSize: 8 })
    }

    afterAll(async () => {
      for (const database of opened.splice(0)) await database.close()
      const names = created.splice(0)
      if (names.length === 0) return
      await onPostgres(inject('postgresUrl'), async (admin) => {
        for (const old of names) await sql`drop database ${sql.id(old)}`.execute(admin.db)
      })
    })

    suite(makeDatabase)
  })
}
