import { type Kysely, sql } from 'kysely'
import { drop, run } from './dialect.ts'

/** Facts about the database itself, such as which demo data it holds. */
export function up(db: Kysely<unknown>): Promise<void> {
  return run(db, [
    sql`create table app_meta (
      key text primary key,
      value text not null
    )`,
  ])
}

export function down(db: Kysely<unknown>): Promise<void> {
  return drop(db, ['app_meta'])
}
