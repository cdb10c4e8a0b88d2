import type { Insertable } from 'kysely'
import { DAY_MS } from '#contract/base/time.ts'
import type { Database, Db } from '#db/engine.ts'
import { DEMO_PATIENT } from '#db/reference/demo.ts'
import { specialties } from '#db/reference/specialties.ts'
import type { AccountRow } from '#db/tables/auth.ts'
import { clocks, dayIn, type Schedule, scheduleOf, slotsOn } from '#demo/practice/schedule.ts'
import type { Reindex } from '#demo/practice/slots.ts'
import { hash32, idFrom, type Random, randomFor } from '#demo/random.ts'
import { seedOnce } from '#demo/store.ts'
import { type PlannedVisit, writeVisit } from './write-visit.ts'

/** A provider whose visits are made up, with their upcoming free times. */
export type Visited = {
  no: number
  id: string
  timeZone: string
  schedule: Schedule
  free: readonly number[]
}

/** How many visits a provider gets, which patients come, in turn, and for what. */
export type VisitMix = {
  /** Over the past ten weeks. */
  past: number
  /** Over the years before, about two a week: a history to browse. */
  older: boolean
  /** Some today, past and upcoming. */
  today: number
  upcoming: number
  guests: readonly string[]
  purposes: readonly string[]
}

const DAYS_BACK = 75
const OLDEST_DAYS_BACK = 900
/** One in this many older visits was cancelled. */
const CANCELLED_EVERY = 19
const HOUR_MS = 3_600_000

const wholeMinute = (at: number) => at - (at % 60_000)

/** What people see a family doctor for. */
const PURPOSES = [
  'A cough that has lasted three weeks, worse at night',
  'Headaches on most mornings since the start of the month',
  'My knee swells after running and hurts on the stairs',
  'A rash on both arms that comes and goes',
  'To talk about my blood pressure readings at home',
  'Tired all the time, although I sleep eight hours',
  'A second opinion on a treatment I was offered',
  'Stomach pain after meals, mostly in the evening',
  'My back is stiff every morning for an hour',
  'A check-up before a long journey',
]

/** One time on each of some past days, within the hours the provider had then; latest first. */
function pastStarts(visited: Visited, random: Random, span: { now: number; count: number }) {
  const clockFor = clocks()
  const today = dayIn(visited.timeZone, span.now)
  const starts: number[] = []
  for (let back = 1; back <= DAYS_BACK && starts.length < span.count; back += 1) {
    const day = today - back
    const slots = slotsOn(visited.schedule, day, clockFor(visited.timeZone, day))
    if (slots.length > 0 && random.chance(0.6)) starts.push(random.pick(slots).startAt)
  }
  return starts
}

/** One time on about two days a week, long ago; latest first. */
function olderStarts(visited: Visited, random: Random, now: number) {
  const clockFor = clocks()
  const today = dayIn(visited.timeZone, now)
  const starts: number[] = []
  for (let back = DAYS_BACK + 1; back <= OLDEST_DAYS_BACK; back += 1) {
    const day = today - back
    const slots = slotsOn(visited.schedule, day, clockFor(visited.timeZone, day))
    if (slots.length > 0 && random.chance(0.4)) starts.push(random.pick(slots).startAt)
  }
  return starts
}

/** Times today, evenly spread over the hours; upcoming ones only where free. */
function todayStarts(visited: Visited, span: { now: number; count: number }) {
  const { timeZone, schedule, free } = visited
  const today = dayIn(timeZone, span.now)
  const open = new Set(free)
  const starts = slotsOn(schedule, today, clocks()(timeZone, today))
    .map(({ startAt }) => startAt)
    .filter((startAt) => startAt <= span.now || open.has(startAt))
  const step = Math.max(1, Math.floor(starts.length / Math.max(1, span.count)))
  return starts.filter((_, n) => n % step === 0).slice(0, span.count)
}

/** One free time on each of some coming days, tomorrow at the earliest. */
function upcomingStarts(visited: Visited, random: Random, span: { now: number; count: number }) {
  const byDay = Map.groupBy(visited.free, (start) => dayIn(visited.timeZone, start))
  const today = dayIn(visited.timeZone, span.now)
  return [...byDay]
    .filter(([day]) => day > today)
    .toSorted(([a], [b]) => a - b)
    .slice(0, span.count)
    .map(([, starts]) => random.pick(starts))
}

/**
 * Visits in a provider's past ten weeks and next days, without overlaps. They are derived from the provider
 * and the day alone.
 */
function planVisits(visited: Visited, mix: VisitMix, now: number): PlannedVisit[] {
  const random = randomFor(hash32(`visits ${visited.id}`))
  const past = pastStarts(visited, random, { now, count: mix.past }).toReversed()
  const upcoming = upcomingStarts(visited, random, { now, count: mix.upcoming })
  const longAgo = randomFor(hash32(`older visits ${visited.id}`))
  const older = mix.older ? olderStarts(visited, longAgo, now).toReversed() : []
  const today = todayStarts(visited, { now, count: mix.today })
  const seen = new Set<string>()
  return [...older, ...past, ...today, ...upcoming].map((startAt, n) => {
    const guest = mix.guests[n % mix.guests.length] ?? ''
    const isLately = startAt > now - 30 * DAY_MS
    // A patient with a new problem pays for a first visit again.
    const isFollowUp = seen.has(guest) && isLately && n % 3 !== 0
    if (startAt < now) seen.add(guest)
    const lead = random.between(2, 9) * DAY_MS + random.between(1, 9) * HOUR_MS
    return {
      guest,
      startAt,
      bookedAt: wholeMinute(Math.min(startAt, now) - lead),
      followUp: !isFollowUp ? null : n % 4 === 1 ? 'self_declared' : 'history',
      purpose: random.pick(mix.purposes),
      method: random.chance(0.7) ? 'stripe' : 'paypal',
      isCancelled: n < older.length && n % CANCELLED_EVERY === CANCELLED_EVERY - 1,
    }
  })
}

const VISITS_KEY = 'demo_visits'

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
    .where('email', 'in', [DEMO_PATIENT, ...guestEmails])
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
  // Good enough to choose by, although a degree of longitude is shorter than one of latitude here.
  const farness = (row: (typeof rows)[number]) =>
    Math.hypot(row.latitude - (home?.latitude ?? 0), (row.longitude - (home?.longitude ?? 0)) * 0.6)
  const byFarness = rows
    .filter(({ region }) => region === 'uk')
    .toSorted((a, b) => farness(a) - farness(b) || a.no - b.no)
  const nearest = OTHER_PROVIDERS.flatMap(([slug, purpose]) => {
    const entry = specialties.find((one) => one.slug === slug)
    const row = byFarness.find((one) => one.specialty_no === entry?.no)
    const amount = { past: 1, older: false, today: 0, upcoming: 1 }
    const wanted: VisitMix = { ...amount, guests: [DEMO_PATIENT], purposes: [purpose] }
    return row === undefined ? [] : [{ row, wanted }]
  })
  return [...accounts.map((row) => ({ row, wanted: visitMixOf(row.region) })), ...nearest]
}

type Chosen = Awaited<ReturnType<typeof listVisited>>[number]

function visitMixOf(region: 'uk' | 'usa'): VisitMix {
  const [first = '', ...rest] = guestEmails
  const guests = region === 'uk' ? [first, DEMO_PATIENT, ...rest] : [first, ...rest]
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
  return seedOnce(database, VISITS_KEY, (db) => writeVisits(db, options))
}
