import { sql } from 'kysely'
import { verifyAudit } from '#server/audit/verify-audit.ts'
import { sealAudit } from '#server/jobs/seal-audit.ts'
import { readBooks } from '#tests/engines/race-crowd.ts'
import type { TestApp } from '#tests/harness/test-app.ts'

/** Patterns of internals that must not leak: stack traces, files, statements, table names. */
const LEAKS: readonly (readonly [string, RegExp])[] = [
  ['a stack', /\n\s*at \S+ .*:\d+:\d+|\bat (?:async )?[\w.<>#]+ \(.*:\d+:\d+\)/],
  ['a file', /node_modules|file:\/\/|node:internal|\.[cm]?[jt]sx?:\d+|\/(?:work|home|usr|tmp)\//],
  [
    'a statement',
    /\b(?:select|insert into|update|delete from)\b[^<]{0,200}\b(?:from|values|where)\b\s*["(]/i,
  ],
  [
    'words of a database',
    /SQLITE_|SqliteError|syntax error at|violates \w+ constraint|constraint failed/i,
  ],
  [
    'a table',
    /\b(?:no such (?:table|column)|relation "\w+"|search_index|slot_claims|app_meta|geo_uk_\w+|booking_months)\b/i,
  ],
  [
    'a slip of the program',
    /TypeError|ReferenceError|RangeError|is not a function|of undefined|Cannot read/,
  ],
]

/** The kind of leak in a text; null when there is none. */
function leakIn(text: string): string | null {
  return LEAKS.find(([, form]) => form.test(text))?.[0] ?? null
}

/** What is wrong with a response; null when nothing is. */
export function faultOf(response: Response, text: string): string | null {
  const { status, headers } = response
  if (status >= 500) return `status ${status}`
  const where = [...headers].map(([name, value]) => `${name}: ${value}`).join('\n')
  const leak = leakIn(where) ?? leakIn(text)
  if (leak !== null) return `${leak} in the answer`
  const isJson = headers.get('content-type')?.startsWith('application/json') === true
  if (isJson && text !== '') {
    try {
      JSON.parse(text)
    } catch {
      return 'JSON that is none'
    }
  }
  return null
}

/** The server's logged failures since the last call; clears the log. */
export function takeDefects(testApp: TestApp): string[] {
  const lines = testApp.logged.splice(0)
  return lines.filter(({ level }) => Number(level) >= 50).map((line) => JSON.stringify(line))
}

async function sqliteFaults({ database: { db } }: TestApp): Promise<string[]> {
  const whole = await sql<{ integrity_check: string }>`pragma integrity_check`.execute(db)
  const keys = await sql`pragma foreign_key_check`.execute(db)
  const broken = whole.rows.map((row) => row.integrity_check).filter((one) => one !== 'ok')
  return [...broken, ...keys.rows.map((row) => `a reference into nowhere: ${JSON.stringify(row)}`)]
}

/** Violated invariants of the database; empty when all hold. */
export async function findBroken(testApp: TestApp): Promise<string[]> {
  const { database, services, app } = testApp
  const wrong = database.engine === 'sqlite' ? await sqliteFaults(testApp) : []
  const { overlapping } = await readBooks(database.db)
  if (overlapping > 0) wrong.push(`${overlapping} live bookings overlap`)
  await sealAudit(services)
  const { brokenAt, unsealed } = await verifyAudit(services)
  if (brokenAt !== null) wrong.push(`the audit log is broken at ${brokenAt}`)
  if (unsealed > 0) wrong.push(`${unsealed} audit rows have no seal`)
  const superusers = await database.db
    .selectFrom('accounts')
    .select('no')
    .where('role', '=', 'superuser')
    .where('suspended_at', 'is', null)
    .where('erased_at', 'is', null)
    .execute()
  if (superusers.length === 0) wrong.push('no superuser is left')
  const health = await app.fetch(new Request('http://localhost:3000/healthz'))
  if (health.status !== 200) wrong.push(`health answers ${health.status}`)
  return wrong
}
