import { toJson } from '#db/columns.ts'
import type { Database, Db } from '#db/engine.ts'
import { idFrom } from '#demo/ids.ts'
import { claimMeta, readMeta } from '#demo/meta.ts'

const REMINDER_KEY = 'demo_reminder'
const PATIENT = 'patient@demo.example'
const BATCH = 'demo reminder'

/** Closer to the visit than this, reminders are no longer sent. */
const NOTICE_MS = 3 * 3_600_000

/**
 * The confirmation and a reminder of the next visit of the patient people sign in as; sent like any other
 * email, so that their text and links are real.
 */
async function writeEmails(db: Db, now: number): Promise<void> {
  const visit = await db
    .selectFrom('bookings as b')
    .innerJoin('accounts as a', 'a.no', 'b.patient_no')
    .select(['b.no', 'b.id', 'b.start_at'])
    .where('a.email', '=', PATIENT)
    .where('b.state', '=', 'confirmed')
    .where('b.start_at', '>', now + NOTICE_MS)
    .orderBy('b.start_at')
    .limit(1)
    .executeTakeFirst()
  if (visit === undefined) return
  const batch = idFrom('rmd', BATCH)
  await db
    .insertInto('reminders')
    .values({
      booking_no: visit.no,
      kind: 'day',
      start_at: visit.start_at,
      due_at: now,
      batch,
      created_at: now,
    })
    .execute()
  await enqueue(db, { topic: 'booking.confirmed', payload: { bookingId: visit.id }, now })
  await enqueue(db, { topic: 'reminder.due', payload: { batch }, now })
}

type OutboxJob = { topic: string; payload: Record<string, string>; now: number }

/** Enqueues an email for the job that sends all others. */
async function enqueue(db: Db, { topic, payload, now }: OutboxJob): Promise<void> {
  await db
    .insertInto('outbox')
    .values({
      id: idFrom('out', `${BATCH} ${topic}`),
      topic,
      payload: toJson(payload),
      created_at: now,
      attempts: 0,
      due_at: now,
      done_at: null,
      failed_at: null,
      last_error: null,
    })
    .execute()
}

/** Queued emails about a visit, for the demo's mailbox. Runs once; returns whether this call wrote them. */
export async function seedReminder(database: Database, { now }: { now: number }): Promise<boolean> {
  if ((await readMeta(database.db, REMINDER_KEY)) !== undefined) return false
  return database.transaction(async (db) => {
    if (!(await claimMeta(db, REMINDER_KEY, String(now)))) return false
    await writeEmails(db, now)
    return true
  })
}
