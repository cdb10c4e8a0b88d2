import { join } from 'node:path'
import { DAY_MS } from '#contract/time.ts'
import { type Db, openDatabase } from '#db/engine.ts'
import { writeVisit } from '#demo/work/write-visit.ts'

/** Eight weeks ahead, where the demo has booked nothing. */
const WEEKS_AHEAD = 8
const [DAYS, PER_DAY, MINUTES] = [5, 40, 15]
const FIRST_START_MS = 8 * 3_600_000

export const BUSY_VISITS = DAYS * PER_DAY

async function writeVisits(db: Db, monday: number): Promise<void> {
  const provider = await db
    .selectFrom('providers as p')
    .innerJoin('places as l', 'l.provider_no', 'p.no')
    .selectAll('p')
    .select(['l.no as place_no', 'l.time_zone'])
    .where('p.email', '=', 'provider@demo.example')
    .where('l.position', '=', 0)
    .executeTakeFirstOrThrow()
  const patients = await db
    .selectFrom('accounts')
    .select('no')
    .where('kind', '=', 'patient')
    .execute()
  for (let n = 0; n < BUSY_VISITS; n += 1) {
    const at = FIRST_START_MS + (n % PER_DAY) * MINUTES * 60_000
    await writeVisit(db, {
      provider: { ...provider, consultation_minutes: MINUTES },
      patientNo: patients[n % patients.length]?.no ?? 0,
      now: monday,
      visit: {
        guest: '',
        startAt: monday + Math.floor(n / PER_DAY) * DAY_MS + at,
        bookedAt: monday - 60 * DAY_MS,
        followUp: n % 3 === 0 ? 'history' : null,
        purpose: 'A cough that will not go away',
        method: 'stripe',
        isCancelled: false,
      },
    })
  }
}

/** Fills a week of the demo's provider with 40 visits a day; returns its Monday, such as `2026-05-04`. */
export async function writeBusyWeek(dataDir: string): Promise<string> {
  const today = Math.floor(Date.now() / DAY_MS) * DAY_MS
  // The epoch began on a Thursday.
  const weekday = (today / DAY_MS + 3) % 7
  const monday = today + (WEEKS_AHEAD * 7 - weekday) * DAY_MS
  const database = openDatabase(`sqlite:${join(dataDir, 'apposite.db')}`)
  try {
    await database.transaction((db) => writeVisits(db, monday))
  } finally {
    await database.close()
  }
  return new Date(monday).toISOString().slice(0, 10)
}
