import { PostgresAdapter, type SqlBool, sql } from 'kysely'
import type { Db } from '#db/engine.ts'
import type { People } from './history-narrow-store.ts'

/** Whoever searches for a name that more people have has to add the other name. */
const MOST_PEOPLE = 1_000

/** Comes after whatever begins with a text. */
const LAST = '\u{10ffff}'

/** SQLite makes small letters of A to Z alone. */
const small = (text: string) => text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase())

/** What the index of either engine may keep of a name: that of "Émile" begins small, or large. */
function variants(word: string): string[] {
  const large = word.slice(0, 1).toUpperCase() + word.slice(1)
  return [...new Set([small(word), small(large), word.toLowerCase()])]
}

type Column = 'first_name' | 'last_name'

function begins(db: Db, column: Column, word: string) {
  const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter
  const name = sql`lower(${sql.ref(column)})`
  // Ordered by bytes, as the index is, so that a beginning is a range.
  const text = isPostgres ? sql`${name} collate "C"` : name
  const ranges = variants(word).map((one) => sql`(${text} >= ${one} and ${text} < ${one + LAST})`)
  return sql`${sql.join(ranges, sql` or `)}`
}

function isNamed(db: Db, words: readonly string[]) {
  const each = words.map(
    (word) => sql`(${begins(db, 'last_name', word)} or ${begins(db, 'first_name', word)})`,
  )
  return sql<SqlBool>`${sql.join(each, sql` and `)}`
}

/** Whoever has an address, as a patient or as a provider. */
export async function findByEmail(db: Db, email: string): Promise<People> {
  const rows = await db
    .selectFrom('accounts')
    .select(['no', 'provider_no'])
    .where('kind', 'in', ['patient', 'provider'])
    .where('email', '=', email)
    .where('erased_at', 'is', null)
    .execute()
  return {
    patientNos: rows.flatMap(({ no, provider_no: provider }) => (provider === null ? [no] : [])),
    providerNos: rows.flatMap(({ provider_no: provider }) => (provider === null ? [] : [provider])),
  }
}

/** Patients and providers of whose names each word begins one; of many only the first thousand. */
export async function findPeople(db: Db, words: readonly string[]): Promise<People> {
  const [patients, providers] = await Promise.all([
    db
      .selectFrom('accounts')
      .select('no')
      .where(sql<SqlBool>`kind = 'patient'`)
      .where('erased_at', 'is', null)
      .where(isNamed(db, words))
      .limit(MOST_PEOPLE)
      .execute(),
    db.selectFrom('providers').select('no').where(isNamed(db, words)).limit(MOST_PEOPLE).execute(),
  ])
  return {
    patientNos: patients.map(({ no }) => no),
    providerNos: providers.map(({ no }) => no),
  }
}
