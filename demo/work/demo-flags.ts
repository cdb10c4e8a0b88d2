import type { Database, Db } from '#db/engine.ts'
import { clocks, dayIn } from '#demo/calendar.ts'
import { claimMeta, readMeta } from '#demo/meta.ts'
import { scheduleOf, slotsOn } from '#demo/practice/schedule.ts'
import { writeVisit } from './write-visit.ts'

const FLAGS_KEY = 'demo_flags'
const GUEST = 'caleb.morgan.guest@demo.example'
const DAYS_BACK = 25

/** Which visits are cancelled, by whom, and how many: those of the guest, and those of a provider. */
const CANCELLED = [
  { provider: 'provider@demo.example', by: 'patient', count: 4 },
  { provider: 'provider-us@demo.example', by: 'provider', count: 3 },
] as const

function findProvider(db: Db, email: string) {
  return db
    .selectFrom('providers as p')
    .innerJoin('places as l', 'l.provider_no', 'p.no')
    .selectAll('p')
    .select(['l.no as place_no', 'l.time_zone'])
    .where('p.email', '=', email)
    .where('l.position', '=', 0)
    .executeTakeFirst()
}

type ProviderWithPlace = NonNullable<Awaited<ReturnType<typeof findProvider>>>

/** Unused times of the last weeks, latest first. */
async function unusedStarts(db: Db, provider: ProviderWithPlace, now: number): Promise<number[]> {
  const { id, email, consultation_minutes: minutes, time_zone: timeZone } = provider
  const booked = await db
    .selectFrom('bookings')
    .select('start_at')
    .where('provider_no', '=', provider.no)
    .execute()
  const taken = new Set(booked.map((row) => row.start_at))
  const schedule = scheduleOf({ id, email, minutes })
  const today = dayIn(timeZone, now)
  const clockFor = clocks()
  return Array.from({ length: DAYS_BACK }, (_, n) => today - 1 - n).flatMap((day) => {
    const free = slotsOn(schedule, day, clockFor(timeZone, day)).filter(
      ({ startAt }) => !taken.has(startAt),
    )
    return free.slice(0, 1).map(({ startAt }) => startAt)
  })
}

async function writeCancelled(db: Db, now: number): Promise<void> {
  const guest = await db
    .selectFrom('accounts')
    .select('no')
    .where('email', '=', GUEST)
    .executeTakeFirst()
  if (guest === undefined) return
  for (const { provider: email, by, count } of CANCELLED) {
    const provider = await findProvider(db, email)
    if (provider === undefined) continue
    const starts = await unusedStarts(db, provider, now)
    for (const startAt of starts.slice(0, count)) {
      const visit = {
        guest: GUEST,
        startAt,
        bookedAt: startAt - 4 * 86_400_000,
        followUp: null,
        purpose: 'A second opinion on a treatment I was offered',
        method: 'stripe' as const,
        isCancelled: true,
        cancelledBy: by,
      }
      await writeVisit(db, { provider, visit, patientNo: guest.no, now })
    }
  }
}

/**
 * A patient and a provider who cancelled many visits in time, so that the demo's staff see them. Runs once;
 * returns whether this call wrote them.
 */
export async function seedFlags(database: Database, { now }: { now: number }): Promise<boolean> {
  if ((await readMeta(database.db, FLAGS_KEY)) !== undefined) return false
  return database.transaction(async (db) => {
    if (!(await claimMeta(db, FLAGS_KEY, String(now)))) return false
    await writeCancelled(db, now)
    return true
  })
}
