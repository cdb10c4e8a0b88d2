import { toJson } from '#db/columns.ts'
import type { Database, Db } from '#db/engine.ts'
import { idFrom } from '#demo/ids.ts'
import { claimMeta, readMeta } from '#demo/meta.ts'

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
    .where('email', '=', 'provider@demo.example')
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
 * Two emails that were not delivered, so that staff have some to send again. Runs once; returns whether this
 * call wrote them.
 */
export async function seedFailedEmail(
  database: Database,
  { now }: { now: number },
): Promise<boolean> {
  if ((await readMeta(database.db, FAILED_EMAIL_KEY)) !== undefined) return false
  return database.transaction(async (db) => {
    if (!(await claimMeta(db, FAILED_EMAIL_KEY, String(now)))) return false
    await writeFailed(db, now)
    return true
  })
}
