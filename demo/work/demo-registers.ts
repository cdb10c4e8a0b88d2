import type { ProfessionalBody } from '#contract/people.ts'
import {
  type CheckOutcome,
  DEMO_REGISTRANT,
  type Difference,
  type Standing,
} from '#contract/verification.ts'
import { toJson } from '#db/columns.ts'
import type { Database, Db } from '#db/engine.ts'
import type { CheckRow, ProviderStandingRow, RegisterEntryRow } from '#db/tables/verification.ts'
import { insertMany } from '#demo/bulk.ts'
import { idFrom } from '#demo/ids.ts'
import { claimMeta, readMeta } from '#demo/meta.ts'

const REGISTERS_KEY = 'demo_registers'
const HOUR = 3_600_000
const DAY = 24 * HOUR
/** The hour of the nightly check, UTC. */
const NIGHT_AT = 2 * HOUR

const BODIES = ['GMC', 'GDC', 'NPI'] as const

const GOOD: Record<ProfessionalBody, string> = {
  GMC: 'Registered with licence to practise',
  GDC: 'Registered',
  NPI: 'Active',
}

const STRUCK_OFF: Record<ProfessionalBody, [string, Standing]> = {
  GMC: ['Not registered - erased after fitness to practise panel hearing', 'struck_off'],
  GDC: ['Not registered - erased', 'struck_off'],
  NPI: ['Deactivated', 'deactivated'],
}

const IDLE: Record<ProfessionalBody, [string, Standing]> = {
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
type Told = {
  entry: { name: string; status: string } | null
  standing: Standing
  outcome: CheckOutcome
  differences: Difference[]
  /** The provider has looked it up already. */
  isAsked: boolean
}

/** The name as the register writes it: NPPES uses capitals. */
function written(row: Row, name = `${row.first_name} ${row.last_name}`): string {
  return row.body === 'NPI' ? name.toUpperCase() : name
}

function match(row: Row, isAsked: boolean): Told {
  const entry = { name: written(row), status: GOOD[row.body] }
  return { entry, standing: 'good', outcome: 'match', differences: [], isAsked }
}

function badly(row: Row, [status, standing]: [string, Standing]): Told {
  const outcome = 'not_in_standing'
  const differences: Difference[] = ['standing']
  return { entry: { name: written(row), status }, standing, outcome, differences, isAsked: true }
}

/** What staff meet in their queue: every possible case, in turn. */
const CASES: readonly ((row: Row) => Told)[] = [
  (row) => match(row, true),
  (row) => ({
    entry: {
      name: written(row, `${row.first_name} ${row.last_name}-Hart`),
      status: GOOD[row.body],
    },
    standing: 'good',
    outcome: 'differs',
    differences: ['name'],
    isAsked: true,
  }),
  (row) => badly(row, STRUCK_OFF[row.body]),
  () => ({
    entry: null,
    standing: 'unknown',
    outcome: 'not_found',
    differences: ['number'],
    isAsked: true,
  }),
  (row) => badly(row, IDLE[row.body]),
  (row) => match(row, false),
]

const ACCOUNT = 'unverified@demo.example'
/** Verified accounts that people try: they see what the register was asked, and what it answered. */
const VERIFIED_ACCOUNTS = new Set(['provider@demo.example', 'provider-us@demo.example'])

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

type Telling = { row: Row; told: Told; askedAt: number }

/** Who gets which case; the account people try waits with a number that matches and was not looked up yet. */
function tell(rows: readonly Row[], now: number): Telling[] {
  let waiting = 0
  return rows.map((row) => {
    const askedAt = Math.floor(now / HOUR) * HOUR - (waiting + 3) * 5 * HOUR
    if (row.isVerified) {
      const told = match(row, VERIFIED_ACCOUNTS.has(row.email))
      return { row, told, askedAt: row.verifiedAt ?? now }
    }
    if (row.email === ACCOUNT) return { row, told: match(row, false), askedAt }
    const told = CASES[waiting % CASES.length]?.(row) ?? match(row, false)
    waiting += 1
    return { row, told, askedAt }
  })
}

function checkOf({ row, told, askedAt }: Telling): Omit<CheckRow, 'no'> {
  const { entry } = told
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
    standing: entry === null ? null : told.standing,
    status_text: entry?.status ?? null,
    source: 'demo',
    outcome: told.outcome,
    differences: toJson(told.differences),
    decision: null,
    reason: null,
  }
}

function standingOf({ row, told, askedAt }: Telling, dueAt: number): ProviderStandingRow {
  return {
    provider_no: row.no,
    state: row.isVerified ? 'verified' : 'waiting',
    since: askedAt,
    reason: null,
    is_match: told.isAsked && told.outcome === 'match' ? 1 : 0,
    asked_at: askedAt,
    checked_at: row.isVerified || told.isAsked ? askedAt : null,
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
async function writeRegister(handle: Handle, body: ProfessionalBody, told: readonly Telling[]) {
  const { db } = handle
  const known = await db
    .selectFrom('register_loads')
    .select('no')
    .where('body', '=', body)
    .where('state', '=', 'current')
    .executeTakeFirst()
  if (known !== undefined) return
  const those = told.filter(({ row }) => row.body === body)
  const at = Math.max(0, ...those.map(({ askedAt }) => askedAt))
  const { no } = await db
    .insertInto('register_loads')
    .values({
      body,
      state: 'current',
      source: 'demo',
      entries: those.filter((one) => one.told.entry !== null).length + 1,
      started_at: at,
      finished_at: at,
    })
    .returning('no')
    .executeTakeFirstOrThrow()
  const entries = those.flatMap(({ row, told: { entry } }): RegisterEntryRow[] =>
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
    status_text: GOOD[body],
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
  if ((await readMeta(database.db, REGISTERS_KEY)) !== undefined) return false
  const dueAt = Math.floor((now - NIGHT_AT) / DAY) * DAY + DAY + NIGHT_AT
  return database.transaction(async (db) => {
    if (!(await claimMeta(db, REGISTERS_KEY, '1'))) return false
    const handle = { db, engine: database.engine }
    const told = tell(await listProviders(db), now)
    for (const body of BODIES) await writeRegister(handle, body, told)
    await insertAll(
      handle,
      'verification_checks',
      told.filter((one) => one.told.isAsked).map(checkOf),
    )
    await insertAll(
      handle,
      'provider_standings',
      told.map((one) => standingOf(one, dueAt)),
    )
    return true
  })
}
