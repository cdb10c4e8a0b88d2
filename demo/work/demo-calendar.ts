import { referenceOf } from '#contract/base/ids.ts'
import { DAY_MS } from '#contract/base/time.ts'
import { NEVER, wallClock } from '#db/columns.ts'
import type { Database, Db } from '#db/engine.ts'
import { DEMO_PROVIDER } from '#db/reference/demo.ts'
import { dayIn } from '#demo/practice/schedule.ts'
import type { Reindex } from '#demo/practice/slots.ts'
import { idFrom } from '#demo/random.ts'
import { seedOnce } from '#demo/store.ts'

const DESK_KEY = 'demo_desk'
const HOUR_MS = 3_600_000

/** People who phoned or walked in, one on each of the next days with a free time. */
const PATIENTS = [
  { kind: 'phone', name: 'Ida Rowe', phone: '020 7946 0123', note: 'Prefers the ground floor.' },
  { kind: 'walk_in', name: 'Sam Whitfield', phone: '', note: '' },
  { kind: 'phone', name: 'Noor Haddad', phone: '020 7946 0188', note: 'Brings earlier results.' },
] as const

type Seal = (text: string) => string
type DeskOptions = { now: number; reindex: Reindex; seal: Seal }

/** The last free time of each coming day: people who try the demo book the first ones. */
async function listLastFree(db: Db, now: number) {
  const free = await db
    .selectFrom('slots as s')
    .innerJoin('providers as p', 'p.no', 's.provider_no')
    .innerJoin('places as l', 'l.no', 's.place_no')
    .select(['s.provider_no', 's.start_at', 's.minutes', 's.place_no', 'l.time_zone'])
    .where('p.email', '=', DEMO_PROVIDER)
    .where('s.free', '=', 1)
    .where('s.start_at', '>', now)
    .orderBy('s.start_at')
    .execute()
  const dayOf = (slot: (typeof free)[number]) =>
    Math.floor(wallClock(slot.start_at, slot.time_zone) / DAY_MS)
  return [...Map.groupBy(free, dayOf).values()].flatMap((day) => day.slice(-1))
}

type Slot = Awaited<ReturnType<typeof listLastFree>>[number]

async function writeDeskVisit(
  db: Db,
  { slot, patient, now, seal }: Omit<DeskOptions, 'reindex'> & DeskVisitInput,
) {
  const { provider_no: providerNo, start_at: start, time_zone: timeZone } = slot
  const end = start + slot.minutes * 60_000
  const id = idFrom('dsk', `desk ${patient.name}`)
  const sealed = (text: string) => (text === '' ? '' : seal(text))
  const { no } = await db
    .insertInto('desk_visits')
    .values({
      id,
      reference: referenceOf(id),
      provider_no: providerNo,
      place_no: slot.place_no,
      kind: patient.kind,
      state: 'confirmed',
      start_at: start,
      end_at: end,
      time_zone: timeZone,
      wall_at: wallClock(start, timeZone),
      name: sealed(patient.name),
      phone: sealed(patient.phone),
      email: '',
      note: sealed(patient.note),
      sequence: 0,
      created_at: now - HOUR_MS,
      changed_at: now - HOUR_MS,
    })
    .returning('no')
    .executeTakeFirstOrThrow()
  await db
    .insertInto('slot_claims')
    .values({ desk_no: no, provider_no: providerNo, start_at: start, end_at: end })
    .execute()
  await db
    .updateTable('slots')
    .set({ free: 0 })
    .where('provider_no', '=', providerNo)
    .where('start_at', '=', start)
    .execute()
}

type DeskVisitInput = { slot: Slot; patient: (typeof PATIENTS)[number] }

/**
 * Visits of people who phoned or walked in, in the week of the demo's provider. Runs once; returns whether
 * this call wrote them.
 */
export async function seedDesk(database: Database, options: DeskOptions): Promise<boolean> {
  const { now, reindex, seal } = options
  return seedOnce(database, DESK_KEY, async (db) => {
    const slots = await listLastFree(db, now)
    for (const [n, patient] of PATIENTS.entries()) {
      const slot = slots[n]
      if (slot !== undefined) await writeDeskVisit(db, { slot, patient, now, seal })
    }
    await reindex(db, now, [...new Set(slots.map(({ provider_no: no }) => no))])
  })
}

const OUTSIDE_KEY = 'demo_outside'
const NAME = 'Family'
const HOST = 'calendar.example'
const MINUTE_MS = 60_000

/** Busy times of the calendar: days from today, and hours in its local time. */
const BUSY = [
  { inDays: 1, from: 18, to: 20 },
  { inDays: 6, from: 8, to: 9 },
  { inDays: 9, from: 15, to: 17 },
  { inDays: 13, from: 12, to: 14 },
] as const

type OutsideOptions = {
  now: number
  /** The address belongs to nobody; encryption is passed in, as it does not belong to database code. */
  seal: (of: { id: string; providerId: string }, address: string) => SealedAddress
  /** Generates a provider's slots again. */
  regenerate: (db: Db, providerNo: number, now: number) => Promise<unknown>
  reindex: (db: Db, now: number, providerNos: readonly number[]) => Promise<unknown>
}

type SealedAddress = { sealed: string; fingerprint: string }

async function writeCalendar(
  db: Db,
  { now, seal, regenerate, reindex }: OutsideOptions,
): Promise<void> {
  const provider = await db
    .selectFrom('providers as p')
    .innerJoin('places as l', (join) =>
      join.onRef('l.provider_no', '=', 'p.no').on('l.position', '=', 0),
    )
    .select(['p.no', 'p.id', 'l.time_zone'])
    .where('p.email', '=', DEMO_PROVIDER)
    .executeTakeFirst()
  if (provider === undefined) return
  const id = idFrom('ocl', OUTSIDE_KEY)
  await db
    .insertInto('outside_calendars')
    .values({
      id,
      provider_no: provider.no,
      name: NAME,
      host: HOST,
      ...seal({ id, providerId: provider.id }, `https://${HOST}/family.ics`),
      skips_all_day: 1,
      etag: null,
      last_modified: null,
      // There is nothing to fetch: the rows written here stay.
      covered_to: '9999-12-31',
      next_read_at: NEVER,
      unreadable: 0,
      read_at: now - 4 * MINUTE_MS,
      failing_since: null,
      failure: null,
      told_at: null,
      created_at: now - 20 * DAY_MS,
    })
    .execute()
  const today = dayIn(provider.time_zone, now)
  const clock = (day: number, hour: number) =>
    Temporal.PlainDate.from('1970-01-01')
      .add({ days: day })
      .toZonedDateTime({ timeZone: provider.time_zone, plainTime: { hour } }).epochMilliseconds
  await db
    .insertInto('busy_times')
    .values(
      BUSY.map(({ inDays, from, to }) => ({
        provider_no: provider.no,
        source: 'calendar' as const,
        calendar_id: id,
        import_id: null,
        key: null,
        start_at: clock(today + inDays, from),
        end_at: clock(today + inDays, to),
        label: null,
      })),
    )
    .execute()
  await regenerate(db, provider.no, now)
  await reindex(db, now, [provider.no])
}

/** An outside calendar with some busy times, without a network. Runs once; returns whether this call wrote it. */
export async function seedOutside(database: Database, options: OutsideOptions): Promise<boolean> {
  return seedOnce(database, OUTSIDE_KEY, (db) => writeCalendar(db, options))
}
