import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, describe, inject } from 'vitest'
import { type Database, openDatabase } from '#db/engine.ts'
import {
  createDatabase,
  createWithPlaces,
  MIGRATED_TEMPLATE,
  openEmptyDatabase,
  openWithPlaces,
} from './empty-database.ts'

/** What a new database holds: nothing at all, the schema, or the schema and all places. */
type Content = 'nothing' | 'schema' | 'places'

type MakeDatabase = (content?: Content) => Promise<Database>

function inMemory(content: Content): Promise<Database> {
  if (content === 'places') return openWithPlaces()
  return content === 'schema'
    ? openEmptyDatabase()
    : Promise.resolve(openDatabase('sqlite::memory:'))
}

/** Runs a suite once on SQLite in memory and once on a real Postgres with several connections. */
export function describeEngines(name: string, suite: (makeDatabase: MakeDatabase) => void): void {
  describe.each(['sqlite', 'postgres'] as const)(`${name} on %s`, (engine) => {
    const opened: Database[] = []
    const created: string[] = []
    // One for the whole suite: connecting is slow compared with creating a database.
    let admin: Database | undefined

    async function makeDatabase(content: Content = 'schema'): Promise<Database> {
      const database = await (engine === 'sqlite' ? inMemory(content) : onServer(content))
      opened.push(database)
      return database
    }

    async function onServer(content: Content): Promise<Database> {
      const server = inject('postgresUrl')
      const fresh = `t_${randomBytes(8).toString('hex')}`
      admin ??= openDatabase(`${server}/postgres`, { poolSize: 1 })
      if (content === 'places') await createWithPlaces(server, fresh)
      else
        await createDatabase(admin, fresh, content === 'schema' ? MIGRATED_TEMPLATE : 'template0')
      created.push(fresh)
      return openDatabase(`${server}/${fresh}`, { poolSize: 8 })
    }

    afterAll(async () => {
      for (const database of opened.splice(0)) await database.close()
      if (admin === undefined) return
      for (const old of created.splice(0)) {
        await sql`drop database ${sql.id(old)}`.execute(admin.db)
      }
      await admin.close()
      admin = undefined
    })

    suite(makeDatabase)
  })
}
