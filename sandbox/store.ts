import Sqlite from 'better-sqlite3'
import * as z from 'zod/mini'
import type { Kind, Records } from './records.ts'

/** A response stored under an idempotency key. */
export type StoredResponse = { fingerprint: string; status: number; body: string; at: number }

/** Another process has the data folder's store open; the process that holds the file is the sandbox. */
export class TakenError extends Error {
  override readonly name = 'TakenError'
}

const SCHEMA = `
create table if not exists record (
  kind text not null, id text not null, seq integer not null, body text not null,
  primary key (kind, id)) without rowid;
create index if not exists record_newest on record (kind, seq);
create index if not exists delivery_due on record (json_extract(body, '$.nextAt'))
  where kind = 'delivery' and json_extract(body, '$.nextAt') is not null;
create index if not exists session_open on record (json_extract(body, '$.expiresAt'))
  where kind = 'session' and json_extract(body, '$.status') = 'open';
create table if not exists kept (key text primary key, body text not null) without rowid;
create table if not exists setting (name text primary key, body text not null) without rowid;
`

function textOf(value: unknown): string {
  if (typeof value !== 'string') throw new Error('a column of text that holds none')
  return value
}

/** Trusts what this store wrote: its shape is not validated again. */
function parseBody<T>(body: unknown): T {
  return z.parse(z.custom<T>(), JSON.parse(textOf(body)))
}

/** The sandbox's database: one table of records, stored responses, and settings. Synchronous. */
export class Store {
  readonly #db: Sqlite.Database
  #seq: number

  /** Opens `file` (`:memory:` for a test) exclusively, or throws `TakenError`. */
  constructor(file: string) {
    this.#db = new Sqlite(file, { timeout: 0 })
    try {
      this.#db.pragma('locking_mode = EXCLUSIVE')
      this.#db.pragma('journal_mode = WAL')
      this.#db.pragma('synchronous = NORMAL')
      this.#db.exec('begin exclusive; commit')
    } catch (error) {
      this.#db.close()
      throw new TakenError('Another sandbox holds this file.', { cause: error })
    }
    this.#db.exec(SCHEMA)
    this.#seq = Number(this.#db.prepare('select coalesce(max(seq), 0) from record').pluck().get())
  }

  /** Runs `work` in a transaction; it must not await anything. */
  atomically<T>(work: () => T): T {
    return this.#db.inTransaction ? work() : this.#db.transaction(work).immediate()
  }

  put<K extends Kind>(kind: K, record: Records[K]): void {
    this.#seq += 1
    this.#db
      .prepare(
        `insert into record (kind, id, seq, body) values (?, ?, ?, ?)
         on conflict (kind, id) do update set body = excluded.body`,
      )
      .run(kind, record.id, this.#seq, JSON.stringify(record))
  }

  find<K extends Kind>(kind: K, id: string): Records[K] | undefined {
    const body = this.#db
      .prepare('select body from record where kind = ? and id = ?')
      .pluck()
      .get(kind, id)
    return body === undefined ? undefined : parseBody<Records[K]>(body)
  }

  /** Newest first. */
  list<K extends Kind>(kind: K, limit = 10_000): Records[K][] {
    return this.#db
      .prepare('select body from record where kind = ? order by seq desc limit ?')
      .pluck()
      .all(kind, limit)
      .map((body) => parseBody<Records[K]>(body))
  }

  /** Deliveries whose next try is due, the oldest first. Epoch milliseconds. */
  dueDeliveries(now: number): Records['delivery'][] {
    return this.#db
      .prepare(
        `select body from record where kind = 'delivery'
         and json_extract(body, '$.nextAt') is not null and json_extract(body, '$.nextAt') <= ?
         order by seq limit 500`,
      )
      .pluck()
      .all(now)
      .map((body) => parseBody<Records['delivery']>(body))
  }

  /** Ids of open sessions that have expired. Seconds. */
  overdueSessions(now: number): string[] {
    return this.#db
      .prepare(
        `select id from record where kind = 'session'
         and json_extract(body, '$.status') = 'open' and json_extract(body, '$.expiresAt') <= ?`,
      )
      .pluck()
      .all(now)
      .map(textOf)
  }

  keep(key: string, answer: StoredResponse): void {
    this.#db
      .prepare('insert or replace into kept (key, body) values (?, ?)')
      .run(key, JSON.stringify(answer))
  }

  kept(key: string): StoredResponse | undefined {
    const body = this.#db.prepare('select body from kept where key = ?').pluck().get(key)
    return body === undefined ? undefined : parseBody<StoredResponse>(body)
  }

  setting(name: string): string | undefined {
    const body = this.#db.prepare('select body from setting where name = ?').pluck().get(name)
    return body === undefined ? undefined : textOf(body)
  }

  set(name: string, body: string): void {
    this.#db.prepare('insert or replace into setting (name, body) values (?, ?)').run(name, body)
  }

  close(): void {
    this.#db.close()
  }
}
