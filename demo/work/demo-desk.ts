import { referenceOf } from '#contract/ids.ts'
import { DAY_MS } from '#contract/time.ts'
import { wallClock } from '#db/columns.ts'
import type { Database, Db } from '#db/engine.ts'
import { idFrom } from '#demo/ids.ts'
import { claimMeta, readMeta } from '#demo/meta.ts'
import type { Reindex } from '#demo/practice/slots.ts'

const DESK_KEY = 'demo_desk'
const PROVIDER = 'provider@demo.example'
const HOUR_MS = 3_600_000

/** People who phoned or walked in, one on each of the next days with a free time. */
const PATIENTS = [
  { kind: 'phone', name: 'Ida Rowe', phone: '020 7946 0123', note: 'Prefers the ground floor.' },
  { kind: 'walk_in', name: 'Sam Whitfield', phone: '', note: '' },
  { kind: 'phone', name: 'Noor Haddad', phone: '020 7946 0188', note: 'Brings earlier results.' },
] as const

type Seal = (text: string) => string
type Options = { now: number; reindex: Reindex; seal: Seal }

/** The last free time of each coming day: people who try the demo book the first ones. */
async function listLastFree(db: Db, now: number) {
  const free = await db
    .selectFrom('slots as s')
    .innerJoin('providers as p', 'p.no', 's.provider_no')
    .innerJoin('places as l', 'l.no', 's.place_no')
    .select(['s.provider_no', 's.start_at', 's.minutes', 's.place_no', 'l.time_zone'])
    .where('p.email', '=', PROVIDER)
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
  { slot, patient, now, seal }: Omit<Options, 'reindex'> & DeskVisitInput,
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
export async function seedDesk(database: Database, options: Options): Promise<boolean> {
  const { now, reindex, seal } = options
  if ((await readMeta(database.db, DESK_KEY)) !== undefined) return false
  return database.transaction(async (db) => {
    if (!(await claimMeta(db, DESK_KEY, String(now)))) return false
    const slots = await listLastFree(db, now)
    for (const [n, patient] of PATIENTS.entries()) {
      const slot = slots[n]
      if (slot !== undefined) await writeDeskVisit(db, { slot, patient, now, seal })
    }
    await reindex(db, now, [...new Set(slots.map(({ provider_no: no }) => no))])
    return true
  })
}
