import { type SqlBool, sql } from 'kysely'
import { DAY_MS } from '#contract/base/time.ts'
import { JOIN_AFTER_MS, JOIN_BEFORE_MS } from '#contract/visits-video.ts'
import type { Database, Db } from '#db/engine.ts'
import { DEMO_PATIENT, DEMO_PROVIDER, DEMO_US_PROVIDER } from '#db/reference/demo.ts'
import type { Reindex } from '#demo/practice/slots.ts'
import { claimMeta, readMeta } from '#demo/store.ts'
import { findProvider, writeVisit } from './write-visit.ts'

const VIDEO_KEY = 'demo_video'
const MINUTE_MS = 60_000

/** Start times at which a visit can be joined now, in minutes from now; the first free one is used. */
const STARTS = [10, 5, 14, 0, -10, -20, -30, -40]

type Options = { now: number; reindex: Reindex }

type Span = { providerNo: number; start: number; end: number }

async function isTaken(db: Db, { providerNo, start, end }: Span): Promise<boolean> {
  const claim = await db
    .selectFrom('slot_claims')
    .select('booking_no')
    .where('provider_no', '=', providerNo)
    .where('start_at', '<', end)
    .where('end_at', '>', start)
    .limit(1)
    .executeTakeFirst()
  return claim !== undefined
}

/** Closes the slots that this visit overlaps. */
async function closeSlots(db: Db, { providerNo, start, end }: Span): Promise<void> {
  await db
    .updateTable('slots')
    .set({ free: 0 })
    .where('provider_no', '=', providerNo)
    .where('start_at', '<', end)
    .where(sql<SqlBool>`start_at + minutes * 60000 > ${start}`)
    .execute()
}

/** A visit by video that begins about now, so that both can join it. */
async function writeJoinable(db: Db, { now, reindex }: Options): Promise<void> {
  const provider = await findProvider(db, DEMO_PROVIDER)
  const patient = await db
    .selectFrom('accounts')
    .select('no')
    .where('email', '=', DEMO_PATIENT)
    .where('kind', '=', 'patient')
    .executeTakeFirst()
  if (provider === undefined || patient === undefined) return
  const whole = now - (now % MINUTE_MS)
  for (const minutes of STARTS) {
    const start = whole + minutes * MINUTE_MS
    const end = start + provider.consultation_minutes * MINUTE_MS
    const span = { providerNo: provider.no, start, end }
    // The first one that is free.
    if (await isTaken(db, span)) continue
    await writeVisit(db, {
      provider,
      patientNo: patient.no,
      now,
      visit: {
        guest: DEMO_PATIENT,
        startAt: start,
        bookedAt: whole - DAY_MS,
        followUp: 'history',
        purpose: 'To go through my blood test results',
        method: 'stripe',
        isCancelled: false,
      },
    })
    await closeSlots(db, span)
    await setVideo(db, { providerNo: provider.no, start }, null)
    await reindex(db, now, [provider.no])
    return
  }
}

async function setVideo(
  db: Db,
  { providerNo, start }: Pick<Span, 'providerNo' | 'start'>,
  state: string | null,
): Promise<void> {
  await db
    .updateTable('bookings')
    .set({ mode: 'video', patient_state: state })
    .where('provider_no', '=', providerNo)
    .where('start_at', '=', start)
    .where('state', '=', 'confirmed')
    .execute()
}

/** Makes every other upcoming visit of both provider accounts a visit by video. */
async function convertSomeToVideo(db: Db, now: number): Promise<void> {
  const rows = await db
    .selectFrom('bookings as b')
    .innerJoin('providers as p', 'p.no', 'b.provider_no')
    .select(['b.provider_no', 'b.start_at', 'b.region'])
    .where('p.email', 'in', [DEMO_PROVIDER, DEMO_US_PROVIDER])
    .where('b.state', '=', 'confirmed')
    .where('b.start_at', '>', now + DAY_MS)
    .orderBy('b.start_at')
    .execute()
  for (const row of rows.filter((_, at) => at % 2 === 1)) {
    const state = row.region === 'usa' ? 'TX' : null
    await setVideo(db, { providerNo: row.provider_no, start: row.start_at }, state)
  }
}

/** Whether the demo's patient has a visit that can be joined for some minutes more. */
async function hasJoinable(db: Db, now: number): Promise<boolean> {
  const visit = await db
    .selectFrom('bookings as b')
    .innerJoin('accounts as a', 'a.no', 'b.patient_no')
    .innerJoin('providers as p', 'p.no', 'b.provider_no')
    .select('b.no')
    .where('a.email', '=', DEMO_PATIENT)
    .where('p.email', '=', DEMO_PROVIDER)
    .where('b.state', '=', 'confirmed')
    .where('b.mode', '=', 'video')
    .where('b.start_at', '<=', now + JOIN_BEFORE_MS)
    .where('b.end_at', '>', now - JOIN_AFTER_MS + 5 * MINUTE_MS)
    .limit(1)
    .executeTakeFirst()
  return visit !== undefined
}

/**
 * Makes some of the demo's upcoming visits ones by video, once. At every start its patient and provider have
 * one that they can join now.
 */
export async function seedVideo(database: Database, options: Options): Promise<void> {
  await database.transaction(async (db) => {
    const isDone = (await readMeta(db, VIDEO_KEY)) !== undefined
    if (!isDone && (await claimMeta(db, VIDEO_KEY, '1'))) await convertSomeToVideo(db, options.now)
    if (!(await hasJoinable(db, options.now))) await writeJoinable(db, options)
  })
}
