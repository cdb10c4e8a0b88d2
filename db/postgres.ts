import { PostgresDialect } from 'kysely'
import pg from 'pg'

const INT8 = 20
const MAX_EXACT = Number.MAX_SAFE_INTEGER

/** Counts and instants fit a double exactly; anything larger is a defect, not a rounding. */
function parseInt8(text: string): number {
  const value = Number(text)
  if (Math.abs(value) > MAX_EXACT) throw new Error(`int8 out of safe range: ${text}`)
  return value
}

/** The Postgres dialect for a URL, with several connections and numbers where we expect numbers. */
export function postgresDialect(url: string, poolSize: number): PostgresDialect {
  const types = new pg.TypeOverrides()
  types.setTypeParser(INT8, parseInt8)
  const pool = new pg.Pool({
    connectionString: url,
    max: poolSize,
    types,
    connectionTimeoutMillis: 5_000,
    idleTimeoutMillis: 30_000,
    application_name: 'apposite',
  })
  // A dropped idle connection is replaced at the next use; unheard it would end the process.
  pool.on('error', () => undefined)
  return new PostgresDialect({ pool })
}
