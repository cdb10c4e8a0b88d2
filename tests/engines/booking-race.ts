import type { Db } from '#db/engine.ts'
import { isBusy } from '#db/failures.ts'
import type { Services } from '#server/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import { type AccountRef, signedInAs } from '#tests/harness/accounts.ts'
import { makeProvider } from '#tests/harness/people.ts'
import type { TestApp } from '#tests/harness/test-app.ts'
import { bookVisit } from '#tests/harness/visits.ts'

/** A client's result: `booked`, or the code of the refusal. */
export type BookingResult = string

/** Who wants which time of which provider. */
export type BookingAttempt = { who: AccountRef; providerId: string; startsAt: string }

const INSERT_BATCH_SIZE = 200

/** Many patients, inserted in few statements, without signing in. */
export async function insertPatients(testApp: TestApp, count: number): Promise<AccountRef[]> {
  const { newId, now } = testApp.services
  const crowd: AccountRef[] = []
  for (let left = count; left > 0; left -= INSERT_BATCH_SIZE) {
    const rows = Array.from({ length: Math.min(left, INSERT_BATCH_SIZE) }, () => {
      const id = newId('usr')
      return {
        id,
        kind: 'patient' as const,
        email: `${id}@mail.example`,
        password_hash: '',
        first_name: 'Maya',
        last_name: 'Ellis',
        phone_number: '',
        totp_last_step: 0,
        must_change_password: 0 as const,
        default_radius: 10,
        terms_accepted_at: now(),
        created_at: now(),
        updated_at: now(),
      }
    })
    crowd.push(
      ...(await testApp.database.db
        .insertInto('accounts')
        .values(rows)
        .returning(['no', 'id'])
        .execute()),
    )
  }
  return crowd
}

type Slot = { start: number; minutes: number }

/** A provider who offers exactly these times, of any lengths. */
export async function makeProviderWithSlots(
  testApp: TestApp,
  slots: readonly Slot[],
): Promise<string> {
  const provider = await makeProvider(testApp, { slots: [] })
  await testApp.database.db
    .insertInto('slots')
    .values(
      slots.map(({ start, minutes }) => ({
        provider_no: provider.no,
        start_at: start,
        place_no: provider.placeNos[0] ?? 0,
        minutes,
        free: 1 as const,
      })),
    )
    .execute()
  // A visit fits into each single slot, whatever its length.
  await testApp.database.db
    .updateTable('visit_types')
    .set({ minutes: Math.min(...slots.map(({ minutes }) => minutes)) })
    .where('provider_no', '=', provider.no)
    .execute()
  return provider.id
}

async function tryToBook(
  services: Services,
  { who, ...options }: BookingAttempt,
): Promise<BookingResult> {
  try {
    await bookVisit(signedInAs(services, who), options)
    return 'booked'
  } catch (error) {
    if (error instanceof AppError) return error.code
    // Retries, as a client does when told to try again in a few seconds.
    if (isBusy(error)) return tryToBook(services, { who, ...options })
    throw error
  }
}

/** Runs all wishes at once: hold, confirm the code, pay; returns each result. */
export function raceToBook(
  services: Services,
  wishes: readonly BookingAttempt[],
): Promise<BookingResult[]> {
  return Promise.all(wishes.map((wish) => tryToBook(services, wish)))
}

export function countResults(verdicts: readonly BookingResult[]): Record<BookingResult, number> {
  const counts: Record<BookingResult, number> = {}
  for (const verdict of verdicts) counts[verdict] = (counts[verdict] ?? 0) + 1
  return counts
}

/** The state of the database afterwards, whatever the clients were told. */
export async function readBookingCounts(db: Db) {
  const live = await db
    .selectFrom('bookings')
    .select(['provider_no', 'start_at', 'end_at'])
    .where('state', 'in', ['held', 'confirmed'])
    .orderBy('provider_no')
    .orderBy('start_at')
    .execute()
  const overlapping = live.filter((one, n) =>
    live
      .slice(n + 1)
      .some((other) => other.provider_no === one.provider_no && other.start_at < one.end_at),
  )
  const confirmed = await db
    .selectFrom('bookings')
    .select('no')
    .where('state', '=', 'confirmed')
    .execute()
  const emails = await db
    .selectFrom('outbox')
    .select('id')
    .where('topic', '=', 'booking.confirmed')
    .execute()
  const claims = await db.selectFrom('slot_claims').select('booking_no').execute()
  const audited = await db
    .selectFrom('audit')
    .select('no')
    .where('action', '=', 'booking.confirmed')
    .execute()
  return {
    live: live.length,
    overlapping: overlapping.length,
    confirmed: confirmed.length,
    emails: emails.length,
    audited: audited.length,
    claims: claims.length,
  }
}
