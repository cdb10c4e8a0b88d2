import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, describe, inject } from 'vitest'
import { type Database, openDatabase } from '#db/engine.ts'
import { migrateToLatest } from '#db/migrate.ts'

type MakeDatabase = (options?: { migrate?: boolean }) => Promise<Database>

async function onPostgres(server: string, work: (admin: Database) => Promise<unknown>) {
  const admin = openDatabase(`${server}/postgres`, { poolSize: 1 })
  try {
    await work(admin)
  } finally {
    await admin.close()
  }
}

/** Runs a suite once on SQLite in memory and once on a real Postgres with several connections. */
export function describeEngines(name: string, suite: (makeDatabase: MakeDatabase) => void): void {
  describe.each(['sqlite', 'postgres'] as const)(`${name} on %s`, (engine) => {
    const opened: Database[] = []
    const created: string[] = []

    async function makeDatabase(options: { migrate?: boolean } = {}): Promise<Database> {
      const database = engine === 'sqlite' ? openDatabase('sqlite::memory:') : await onServer()
      opened.push(database)
      if (options.migrate ?? true) await migrateToLatest(database)
      return database
    }

    async function onServer(): Promise<Database> {
      const server = inject('postgresUrl')
      const fresh = `t_${randomBytes(8).toString('hex')}`
      await onPostgres(server, (admin) =>
        sql`create database ${sql.id(fresh)} encoding 'UTF8' template template0`.execute(admin.db),
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
