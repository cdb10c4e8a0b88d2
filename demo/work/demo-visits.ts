import type { Insertable } from 'kysely'
import type { Database, Db } from '#db/engine.ts'
import { specialties } from '#db/reference/specialties.ts'
import type { AccountRow } from '#db/tables/auth.ts'
import { idFrom } from '#demo/ids.ts'
import { claimMeta, readMeta } from '#demo/meta.ts'
import { scheduleOf } from '#demo/practice/schedule.ts'
import type { Reindex } from '#demo/practice/slots.ts'
import {
  type PlannedVisit,
  PURPOSES,
  planVisits,
  type Visited,
  type VisitMix,
} from './visit-plan.ts'
import { writeVisit } from './write-visit.ts'

const VISITS_KEY = 'demo_visits'
const PATIENT = 'patient@demo.example'

/** Patients nobody can sign in as; they fill the calendars of the demo's providers. */
const GUESTS = [
  ['Tom', 'Hartley'],
  ['Grace', 'Adeyemi'],
  ['Owen', 'Pritchard'],
  ['Lucia', 'Romano'],
  ['Priya', 'Nair'],
  ['Caleb', 'Morgan'],
] as const

/** Not a valid PHC string, so no password matches it. */
const NO_PASSWORD = 'guest'

const guestEmail = (first: string, last: string) =>
  `${first}.${last}.guest@demo.example`.toLowerCase()
const guestEmails = GUESTS.map(([first, last]) => guestEmail(first, last))

async function writeGuests(db: Db, now: number): Promise<Map<string, number>> {
  const rows = GUESTS.map(([first_name, last_name]): Insertable<AccountRow> => {
    const email = guestEmail(first_name, last_name)
    return {
      id: idFrom('usr', `account ${email}`),
      kind: 'patient',
      email,
      password_hash: NO_PASSWORD,
      first_name,
      last_name,
      phone_number: '020 7946 0100',
      email_verified_at: now,
      totp_last_step: 0,
      must_change_password: 0,
      default_radius: 10,
      terms_accepted_at: now,
      created_at: now,
      updated_at: now,
    }
  })
  await db.insertInto('accounts').values(rows).execute()
  const accounts = await db
    .selectFrom('accounts')
    .select(['no', 'email'])
    .where('kind', '=', 'patient')
    .where('email', 'in', [PATIENT, ...guestEmails])
    .execute()
  return new Map(accounts.map(({ no, email }) => [email, no]))
}

/** Other providers the demo's patient sees, and why. */
const OTHER_PROVIDERS = [
  ['dentist', 'A check-up, and a tooth that hurts with cold drinks'],
  ['dermatologist', 'A mole on my shoulder that has changed its colour'],
  ['ophthalmologist', 'Reading has become blurred over the last months'],
] as const

const isAccount = (email: string) => /^provider(?:-us)?@demo\.example$/.test(email)

/** The provider accounts, and the nearest providers of other specialties to the first of them. */
async function listVisited(db: Db) {
  const rows = await db
    .selectFrom('providers as p')
    .innerJoin('places as l', 'l.provider_no', 'p.no')
    .selectAll('p')
    .select(['l.no as place_no', 'l.time_zone', 'l.latitude', 'l.longitude'])
    .where('p.email', 'like', '%@demo.example')
    .where('p.verification_status', '=', 'Verified')
    .where('l.position', '=', 0)
    .orderBy('p.no')
    .execute()
  const accounts = rows.filter(({ email }) => isAccount(email))
  const home = accounts.find(({ region }) => region === 'uk')
  // Near enough for choosing: a degree of longitude is shorter than one of latitude here.
  const farness = (row: (typeof rows)[number]) =>
    Math.hypot(row.latitude - (home?.latitude ?? 0), (row.longitude - (home?.longitude ?? 0)) * 0.6)
  const byFarness = rows
    .filter(({ region }) => region === 'uk')
    .toSorted((a, b) => farness(a) - farness(b) || a.no - b.no)
  const nearest = OTHER_PROVIDERS.flatMap(([slug, purpose]) => {
    const entry = specialties.find((one) => one.slug === slug)
    const row = byFarness.find((one) => one.specialty_no === entry?.no)
    const amount = { past: 1, older: false, today: 0, upcoming: 1 }
    const wanted: VisitMix = { ...amount, guests: [PATIENT], purposes: [purpose] }
    return row === undefined ? [] : [{ row, wanted }]
  })
  return [...accounts.map((row) => ({ row, wanted: visitMixOf(row.region) })), ...nearest]
}

type Chosen = Awaited<ReturnType<typeof listVisited>>[number]

function visitMixOf(region: 'uk' | 'usa'): VisitMix {
  const [first = '', ...rest] = guestEmails
  const guests = region === 'uk' ? [first, PATIENT, ...rest] : [first, ...rest]
  return { past: 20, older: true, today: 5, upcoming: 6, guests, purposes: PURPOSES }
}

async function planFor(db: Db, { row, wanted: mix }: Chosen, now: number): Promise<PlannedVisit[]> {
  const free = await db
    .selectFrom('slots')
    .select('start_at')
    .where('provider_no', '=', row.no)
    .where('free', '=', 1)
    .where('start_at', '>', now)
    .orderBy('start_at')
    .execute()
  const visited: Visited = {
    no: row.no,
    id: row.id,
    timeZone: row.time_zone,
    schedule: scheduleOf({ id: row.id, email: row.email, minutes: row.consultation_minutes }),
    free: free.map((slot) => slot.start_at),
  }
  return planVisits(visited, mix, now)
}

async function writeVisits(db: Db, { now, reindex }: Options): Promise<void> {
  const accounts = await writeGuests(db, now)
  const visited = await listVisited(db)
  for (const chosen of visited) {
    for (const visit of await planFor(db, chosen, now)) {
      const patientNo = accounts.get(visit.guest)
      if (patientNo === undefined) continue
      await writeVisit(db, { provider: chosen.row, visit, patientNo, now })
    }
  }
  await reindex(
    db,
    now,
    visited.map(({ row }) => row.no),
  )
}

type Options = { now: number; reindex: Reindex }

/**
 * Writes the demo's visits once, after its accounts: past and upcoming ones of the patient people sign in as
 * and of both providers, booked and paid. Returns whether this call wrote them.
 */
export async function seedVisits(database: Database, options: Options): Promise<boolean> {
  if ((await readMeta(database.db, VISITS_KEY)) !== undefined) return false
  return database.transaction(async (db) => {
    if (!(await claimMeta(db, VISITS_KEY, '1'))) return false
    await writeVisits(db, options)
    return true
  })
}
