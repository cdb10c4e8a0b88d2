import type { ProfessionalBody } from '#contract/base/people.ts'
import { DAY_MS } from '#contract/base/time.ts'
import {
  type CheckOutcome,
  DEMO_REGISTRANT,
  type Difference,
  type RegistrationStatus,
} from '#contract/verification.ts'
import { toJson } from '#db/columns.ts'
import type { Database, Db } from '#db/engine.ts'
import { DEMO_PROVIDER, DEMO_US_PROVIDER } from '#db/reference/demo.ts'
import type { CheckRow, ProviderStandingRow, RegisterEntryRow } from '#db/tables/verification.ts'
import { idFrom } from '#demo/random.ts'
import { insertMany, seedOnce } from '#demo/store.ts'

const REGISTERS_KEY = 'demo_registers'
const HOUR = 3_600_000
/** The hour of the nightly check, UTC. */
const NIGHTLY_CHECK_MS = 2 * HOUR

const BODIES = ['GMC', 'GDC', 'NPI'] as const

/** How each register writes that somebody is in good standing. */
export const GOOD_STATUS: Record<ProfessionalBody, string> = {
  GMC: 'Registered with licence to practise',
  GDC: 'Registered',
  NPI: 'Active',
}

const STRUCK_OFF: Record<ProfessionalBody, [string, RegistrationStatus]> = {
  GMC: ['Not registered - erased after fitness to practise panel hearing', 'struck_off'],
  GDC: ['Not registered - erased', 'struck_off'],
  NPI: ['Deactivated', 'deactivated'],
}

const IDLE: Record<ProfessionalBody, [string, RegistrationStatus]> = {
  GMC: ['Registered without a licence to practise', 'no_licence'],
  GDC: ['Not registered - retired', 'not_registered'],
  NPI: ['Deactivated', 'deactivated'],
}

type Row = {
  no: number
  id: string
  email: string
  first_name: string
  last_name: string
  body: ProfessionalBody
  number: string
  isVerified: boolean
  verifiedAt: number | null
}

/** The register's entry for somebody in the demo, and the result of comparing it. */
type RegisterResult = {
  entry: { name: string; status: string } | null
  standing: RegistrationStatus
  outcome: CheckOutcome
  differences: Difference[]
  /** The provider has looked it up already. */
  isAsked: boolean
}

/** The name as the register writes it: NPPES uses capitals. */
function nameInRegister(row: Row, name = `${row.first_name} ${row.last_name}`): string {
  return row.body === 'NPI' ? name.toUpperCase() : name
}

function matching(row: Row, isAsked: boolean): RegisterResult {
  const entry = { name: nameInRegister(row), status: GOOD_STATUS[row.body] }
  return { entry, standing: 'good', outcome: 'match', differences: [], isAsked }
}

function notInGoodStanding(
  row: Row,
  [status, standing]: [string, RegistrationStatus],
): RegisterResult {
  const outcome = 'not_in_standing'
  const differences: Difference[] = ['standing']
  return {
    entry: { name: nameInRegister(row), status },
    standing,
    outcome,
    differences,
    isAsked: true,
  }
}

/** Every possible case of the staff's queue, in turn. */
const CASES: readonly ((row: Row) => RegisterResult)[] = [
  (row) => matching(row, true),
  (row) => ({
    entry: {
      name: nameInRegister(row, `${row.first_name} ${row.last_name}-Hart`),
      status: GOOD_STATUS[row.body],
    },
    standing: 'good',
    outcome: 'differs',
    differences: ['name'],
    isAsked: true,
  }),
  (row) => notInGoodStanding(row, STRUCK_OFF[row.body]),
  () => ({
    entry: null,
    standing: 'unknown',
    outcome: 'not_found',
    differences: ['number'],
    isAsked: true,
  }),
  (row) => notInGoodStanding(row, IDLE[row.body]),
  (row) => matching(row, false),
]

const ACCOUNT = 'unverified@demo.example'
/** Verified accounts that people try: they see what the register was asked, and what it answered. */
const VERIFIED_ACCOUNTS = new Set([DEMO_PROVIDER, DEMO_US_PROVIDER])

async function listProviders(db: Db): Promise<Row[]> {
  const rows = await db
    .selectFrom('providers')
    .select([
      'no',
      'id',
      'email',
      'first_name',
      'last_name',
      'professional_body as body',
      'membership_number as number',
      'verification_status',
      'verified_at',
    ])
    .where('email', 'like', '%@demo.example')
    .orderBy('no')
    .execute()
  return rows.map(({ verification_status: status, verified_at, ...row }) => ({
    ...row,
    isVerified: status === 'Verified',
    verifiedAt: verified_at,
  }))
}

type AssignedCase = { row: Row; result: RegisterResult; askedAt: number }

/** Who gets which case; the account people try waits with a number that matches and was not looked up yet. */
function assignCases(rows: readonly Row[], now: number): AssignedCase[] {
  let waiting = 0
  return rows.map((row) => {
    const askedAt = Math.floor(now / HOUR) * HOUR - (waiting + 3) * 5 * HOUR
    if (row.isVerified) {
      const result = matching(row, VERIFIED_ACCOUNTS.has(row.email))
      return { row, result, askedAt: row.verifiedAt ?? now }
    }
    if (row.email === ACCOUNT) return { row, result: matching(row, false), askedAt }
    const result = CASES[waiting % CASES.length]?.(row) ?? matching(row, false)
    waiting += 1
    return { row, result, askedAt }
  })
}

function checkOf({ row, result, askedAt }: AssignedCase): Omit<CheckRow, 'no'> {
  const { entry } = result
  return {
    id: idFrom('chk', `check ${row.id}`),
    provider_no: row.no,
    kind: 'look_up',
    at: askedAt,
    actor_kind: 'provider',
    actor_id: null,
    body: row.body,
    claimed_number: row.number,
    claimed_name: `${row.first_name} ${row.last_name}`,
    answer_number: entry === null ? null : row.number,
    answer_name: entry?.name ?? null,
    standing: entry === null ? null : result.standing,
    status_text: entry?.status ?? null,
    source: 'demo',
    outcome: result.outcome,
    differences: toJson(result.differences),
    decision: null,
    reason: null,
  }
}

function statusRowOf({ row, result, askedAt }: AssignedCase, dueAt: number): ProviderStandingRow {
  return {
    provider_no: row.no,
    state: row.isVerified ? 'verified' : 'waiting',
    since: askedAt,
    reason: null,
    is_match: result.isAsked && result.outcome === 'match' ? 1 : 0,
    asked_at: askedAt,
    checked_at: row.isVerified || result.isAsked ? askedAt : null,
    due_at: row.isVerified ? dueAt : null,
    doubt_since: null,
    asked_again_at: null,
    answered_at: null,
  }
}

type Handle = { db: Db; engine: Database['engine'] }

async function insertAll<T extends { [Key in keyof T]: string | number | null }>(
  handle: Handle,
  table: Parameters<typeof insertMany>[1]['table'],
  rows: readonly T[],
): Promise<void> {
  const [first] = rows
  if (first === undefined) return
  const values = rows.map((row) => Object.values<string | number | null>(row))
  await insertMany(handle, { table, columns: Object.keys(first) }, values)
}

/** A list that the operator has imported is left unchanged. */
async function writeRegister(
  handle: Handle,
  body: ProfessionalBody,
  cases: readonly AssignedCase[],
) {
  const { db } = handle
  const known = await db
    .selectFrom('register_loads')
    .select('no')
    .where('body', '=', body)
    .where('state', '=', 'current')
    .executeTakeFirst()
  if (known !== undefined) return
  const those = cases.filter(({ row }) => row.body === body)
  const at = Math.max(0, ...those.map(({ askedAt }) => askedAt))
  const { no } = await db
    .insertInto('register_loads')
    .values({
      body,
      state: 'current',
      source: 'demo',
      entries: those.filter((one) => one.result.entry !== null).length + 1,
      started_at: at,
      finished_at: at,
    })
    .returning('no')
    .executeTakeFirstOrThrow()
  const entries = those.flatMap(({ row, result: { entry } }): RegisterEntryRow[] =>
    entry === null
      ? []
      : [
          {
            load_no: no,
            registration_number: row.number,
            name: entry.name,
            status_text: entry.status,
          },
        ],
  )
  const { first_name: first, last_name: last, numbers } = DEMO_REGISTRANT
  entries.push({
    load_no: no,
    registration_number: numbers[body],
    name: `${first} ${last}`,
    status_text: GOOD_STATUS[body],
  })
  await insertAll(handle, 'register_entries', entries)
}

/**
 * Fills the demo's registers once: an entry for everybody who is Verified, and for those who wait every
 * case that staff may meet. Comes after the providers. Returns whether this call wrote them.
 */
export async function seedRegisters(
  database: Database,
  { now }: { now: number },
): Promise<boolean> {
  const dueAt = Math.floor((now - NIGHTLY_CHECK_MS) / DAY_MS) * DAY_MS + DAY_MS + NIGHTLY_CHECK_MS
  return seedOnce(database, REGISTERS_KEY, async (db) => {
    const handle = { db, engine: database.engine }
    const cases = assignCases(await listProviders(db), now)
    for (const body of BODIES) await writeRegister(handle, body, cases)
    await insertAll(
      handle,
      'verification_checks',
      cases.filter((one) => one.result.isAsked).map(checkOf),
    )
    await insertAll(
      handle,
      'provider_standings',
      cases.map((one) => statusRowOf(one, dueAt)),
    )
  })
}
