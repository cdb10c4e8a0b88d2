import { toJson } from '#db/columns.ts'
import type { Database, Db } from '#db/engine.ts'
import { DEMO_PATIENT, DEMO_PROVIDER } from '#db/reference/demo.ts'
import { idFrom } from '#demo/random.ts'
import { seedOnce } from '#demo/store.ts'

const FAILED_EMAIL_KEY = 'demo_failed_mail'

const HOUR = 3_600_000

type FailedJob = { topic: string; payload: Record<string, string>; hoursAgo: number; error: string }

/** The confirmation of a guest's newest visit, which the patient's mailbox rejected. */
async function failedConfirmation(db: Db): Promise<FailedJob[]> {
  const visit = await db
    .selectFrom('bookings as b')
    .innerJoin('accounts as a', 'a.no', 'b.patient_no')
    .select('b.id')
    .where('b.state', '=', 'confirmed')
    .where('a.email', 'like', '%.guest@demo.example')
    .orderBy('b.start_at', 'desc')
    .orderBy('b.id')
    .limit(1)
    .executeTakeFirst()
  if (visit === undefined) return []
  const payload = { bookingId: visit.id }
  return [{ topic: 'booking.confirmed', payload, hoursAgo: 3, error: 'Error 550' }]
}

/** A message to a provider, sent while the mail server did not respond. */
async function failedMessage(db: Db, now: number): Promise<FailedJob[]> {
  const provider = await db
    .selectFrom('providers')
    .select('no')
    .where('email', '=', DEMO_PROVIDER)
    .executeTakeFirst()
  if (provider === undefined) return []
  const id = idFrom('msg', 'demo failed mail')
  await db
    .insertInto('contact_messages')
    .values({
      id,
      provider_no: provider.no,
      first_name: 'Lucia',
      last_name: 'Romano',
      email: 'lucia.romano.guest@demo.example',
      message: 'Is there a step at the door? I come with a pushchair.',
      created_at: now - 20 * HOUR,
    })
    .execute()
  const payload = { messageId: id }
  return [{ topic: 'message.received', payload, hoursAgo: 5, error: 'Error ETIMEDOUT' }]
}

async function writeFailed(db: Db, now: number): Promise<void> {
  for (const job of [...(await failedConfirmation(db)), ...(await failedMessage(db, now))]) {
    const failedAt = now - job.hoursAgo * HOUR
    await db
      .insertInto('outbox')
      .values({
        id: idFrom('out', `demo ${job.topic}`),
        topic: job.topic,
        payload: toJson(job.payload),
        created_at: failedAt - 15 * HOUR,
        attempts: 24,
        due_at: failedAt,
        done_at: null,
        failed_at: failedAt,
        last_error: job.error,
      })
      .execute()
  }
}

/**
 * Two emails that were not delivered, so that staff have some to resend. Runs once; returns whether this call wrote
 * them.
 */
export async function seedFailedEmail(
  database: Database,
  { now }: { now: number },
): Promise<boolean> {
  return seedOnce(database, FAILED_EMAIL_KEY, (db) => writeFailed(db, now))
}

const REMINDER_KEY = 'demo_reminder'
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
    .where('a.email', '=', DEMO_PATIENT)
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
  return seedOnce(database, REMINDER_KEY, (db) => writeEmails(db, now))
}
