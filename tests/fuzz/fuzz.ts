import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import * as fc from 'fast-check'
import { sql } from 'kysely'
import { verifyAudit } from '#server/audit/audit.ts'
import { sealAudit } from '#server/jobs/seal-audit.ts'
import { procedures } from '#server/procedures.ts'
import { readBookingCounts } from '#tests/engines/booking-race.ts'
import { countSuperusers } from '#tests/harness/staff.ts'
import type { TestApp } from '#tests/harness/test-app.ts'
import { draftRequest, maybeMutatedRequest, type RequestDraft, requestOf } from './requests.ts'
import {
  addFixedData,
  endRound,
  type Round,
  readExistingValues,
  type Site,
  startRound,
} from './round.ts'
import { everyTarget, type Target } from './targets.ts'
import { type Caller, ownIdsOf, percent } from './values.ts'

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
function faultOf(response: Response, text: string): string | null {
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
function takeLoggedFailures(testApp: TestApp): string[] {
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
async function findBrokenInvariants(testApp: TestApp): Promise<string[]> {
  const { database, services, app } = testApp
  const wrong = database.engine === 'sqlite' ? await sqliteFaults(testApp) : []
  const { overlapping } = await readBookingCounts(database.db)
  if (overlapping > 0) wrong.push(`${overlapping} live bookings overlap`)
  await sealAudit(services)
  const { brokenAt, unsealed } = await verifyAudit(services)
  if (brokenAt !== null) wrong.push(`the audit log is broken at ${brokenAt}`)
  if (unsealed > 0) wrong.push(`${unsealed} audit rows have no seal`)
  if ((await countSuperusers(database.db)) === 0) wrong.push('no superuser is left')
  const health = await app.fetch(new Request('http://localhost:3000/healthz'))
  if (health.status !== 200) wrong.push(`health answers ${health.status}`)
  return wrong
}

/** `seed` is fast-check's; `count` is the number of requests. */
type FuzzOptions = { seed: number; count: number }

export type Report = {
  /** Number of responses by status. */
  statuses: ReadonlyMap<number, number>
  /** Targets that were tried, and those that accepted a request. */
  tried: ReadonlySet<string>
  passed: ReadonlySet<string>
  /** Description of the failure; empty when there was none. */
  failure: string
}

/** Requests per round, one second apart, so that sessions and step-ups do not expire. */
const REQUESTS_PER_ROUND = 240
const REREAD_EVERY = 40
const SECOND = 1_000

/** A request that takes longer counts as hanging; the first of a round also waits for the round's people. */
const REQUEST_TIMEOUT_MS = 120_000
const MAX_SHOWN_LENGTH = 700

/** A target's name in findings and statistics. */
export function nameOf(target: Target): string {
  if (target.kind === 'rest') return `${target.call.method} ${target.call.path}`
  return target.path
}

/** The procedure whose access rule applies. */
function procedureOf(target: Exclude<Target, { kind: 'upload' }>): string {
  return target.kind === 'trpc' ? target.path : (target.call.procedures[0] ?? '')
}

function describeRequest({ method, path, headers, body }: RequestDraft): string {
  const text = typeof body === 'string' ? body : body === null ? '' : `(${body.constructor.name})`
  const line = `${method} ${path}\n    ${JSON.stringify(headers)}\n    ${JSON.stringify(text)}`
  return line.length > MAX_SHOWN_LENGTH ? `${line.slice(0, MAX_SHOWN_LENGTH)}…` : line
}

/** The body as text; responses in this process are still compressed. */
async function textOf(response: Response): Promise<string> {
  const bytes = Buffer.from(await response.arrayBuffer())
  const encoding = response.headers.get('content-encoding')
  if (bytes.length === 0 || encoding === null) return bytes.toString('utf8')
  return (encoding === 'br' ? brotliDecompressSync(bytes) : gunzipSync(bytes)).toString('utf8')
}

/** State shared by the runs of the property, which use one test app one after another. */
class Run {
  readonly #site: Site
  readonly #testApp: TestApp
  readonly #everything: readonly Target[]
  readonly #anything: fc.Arbitrary<Target>
  #round: Round = { callers: [], known: [], slots: [] }
  #n = 0
  readonly counts = {
    statuses: new Map<number, number>(),
    tried: new Set<string>(),
    passed: new Set<string>(),
  }

  constructor(site: Site) {
    this.#site = site
    this.#testApp = site.testApp
    const { trpc, rest, uploads } = everyTarget()
    this.#everything = [...trpc, ...rest, ...uploads]
    this.#anything = fc.oneof(
      { weight: 50, arbitrary: fc.constantFrom(...trpc) },
      { weight: 47, arbitrary: fc.constantFrom(...rest) },
      { weight: 3, arbitrary: fc.constantFrom(...uploads) },
    )
  }

  /** Sends one request and checks the response. Throws an Error that describes the fault. */
  async one(g: fc.GeneratorValue): Promise<void> {
    const n = this.#n++
    const drawing = { ...this.#site, g }
    if (n % REQUESTS_PER_ROUND === 0) this.#round = await startRound(drawing)
    else if (n % REREAD_EVERY === 0) Object.assign(this.#round, await readExistingValues(drawing))
    // Every target once, then random ones.
    const target = this.#everything[n] ?? g(() => this.#anything)
    const who = this.#who(target, g)
    const { known, slots } = this.#round
    const slot = slots.length === 0 ? null : g(() => fc.constantFrom(...slots))
    const living = { known, slot, own: await ownIdsOf(this.#testApp, who) }
    const drawn = g(() => draftRequest(target, living))
    // The headers a browser always sends, unless the sketch or a twist overrides them.
    const whole = { ...drawn, headers: { ...who.browser.headers(), ...drawn.headers } }
    const made = g(() => maybeMutatedRequest(whole))
    const request = requestOf(made)
    if (request === null) return
    const address = `10.${g(fc.nat, 249)}.${g(fc.nat, 249)}.7`
    const response = await this.#testApp.app.fetch(request, address)
    const fault = faultOf(response, await textOf(response))
    this.#count(response.status, nameOf(target))
    const faults = [fault, ...takeLoggedFailures(this.#testApp)].filter((one) => one !== null)
    if (faults.length > 0) {
      const why = faults.join('\n    ').slice(0, 2_500)
      throw new Error(`request ${n} as ${who.name}: ${why}\n    ${describeRequest(made)}`)
    }
    this.#testApp.advance(SECOND)
  }

  /** Lets time pass and runs the jobs. Returns the failures they logged. */
  async end(): Promise<string[]> {
    await endRound(this.#testApp)
    return takeLoggedFailures(this.#testApp)
  }

  /** Usually a caller who is authorized, sometimes any caller. */
  #who(target: Target, g: fc.GeneratorValue): Caller {
    const { callers } = this.#round
    const may = target.kind === 'upload' ? undefined : procedures.get(procedureOf(target))?.meta.may
    const welcome = callers.filter(({ as, isSteppedUp: isProved, setupStep }) => {
      const isHale = isProved && setupStep === null
      return isHale && (may === undefined || may.includes(as))
    })
    const from = g(percent, 75) && welcome.length > 0 ? welcome : callers
    return g(() => fc.constantFrom(...from))
  }

  #count(status: number, name: string): void {
    const { statuses, tried, passed } = this.counts
    statuses.set(status, (statuses.get(status) ?? 0) + 1)
    tried.add(name)
    if (status < 300) passed.add(name)
  }
}

/** Sends `count` generated requests to a test app and reports what went wrong. */
export async function fuzz(site: Site, { seed, count }: FuzzOptions): Promise<Report> {
  await addFixedData(site.testApp)
  const run = new Run(site)
  for (let done = 0; done < count; done += REQUESTS_PER_ROUND) {
    // A generator keeps every arbitrary it was given: each round has its own.
    const property = fc.asyncProperty(fc.gen(), (g) => run.one(g))
    const { errorInstance: error } = await fc.check(property, {
      seed: seed + done,
      numRuns: Math.min(REQUESTS_PER_ROUND, count - done),
      plugins: [fc.timeout(REQUEST_TIMEOUT_MS)],
      // Shrinking is pointless, because the test app has changed since: the seed repeats all requests.
      endOnFailure: true,
    })
    if (error instanceof Error) return { ...run.counts, failure: error.stack ?? error.message }
    const defects = await run.end()
    if (defects.length > 0) return { ...run.counts, failure: `in the jobs: ${defects.join('\n')}` }
  }
  return { ...run.counts, failure: (await findBrokenInvariants(site.testApp)).join('\n') }
}
