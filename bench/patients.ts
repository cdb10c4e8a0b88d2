import { MAX_UPCOMING, MAX_UPCOMING_WITH_PROVIDER } from '#contract/booking.ts'
import type { Database } from '#db/engine.ts'
import { sessionTimes } from '#server/auth/rules.ts'
import { insertSession } from '#server/auth/sessions/session-store.ts'
import { openGeneration } from '#server/auth/sessions/sessions.ts'
import { newId } from '#server/kernel/ids.ts'
import type { Secrets } from '#server/kernel/security/secrets.ts'
import { insertPatients } from '#tests/engines/booking-race.ts'
import { type AccountRef, signedInAs } from '#tests/harness/accounts.ts'
import { makeTestApp } from '#tests/harness/test-app.ts'
import { verifyCode } from '#tests/harness/visits.ts'

/** Visits per patient: the maximum that may be upcoming at once. */
export const VISITS_PER_PATIENT = MAX_UPCOMING

export type FreeTime = { providerId: string; startsAt: string }

/** A signed-in patient with access token, refresh token and network. */
export type Patient = { token: string; refresh: string; network: string }

/** Second connection to a demo's database: signs patients in without their email codes, and counts. */
export type Registry = {
  /** Signed-in patients, each with a confirmed code for every visit they may book. */
  signIn(count: number): Promise<Patient[]>
  /** Free times of the coming days, at most three of one provider, none that overlap. */
  freeTimes(count: number): Promise<FreeTime[]>
  /** Number of visits that are paid and confirmed. */
  countConfirmed(): Promise<number>
  close(): Promise<void>
}

const SOON_MS = 6 * 3_600_000

/** The registry of a database; `secrets` must be those of its server processes. */
export async function registryOf(database: Database, secrets: Secrets): Promise<Registry> {
  const testApp = await makeTestApp({ database, newId })
  const services = { ...testApp.services, now: Date.now, secrets }

  async function signIn(who: AccountRef, at: number): Promise<Patient> {
    const ctx = signedInAs(services, who)
    const pair = { access: secrets.token(), refresh: secrets.token() }
    const id = newId('ses')
    const now = services.now()
    const expiresAt = now + sessionTimes.patient.life
    await ctx.transaction(async (tx) => {
      await insertSession(tx.db, {
        id,
        account_no: who.no,
        device: 'Firefox on Linux',
        network: ctx.network,
        created_at: now,
        last_used_at: now,
        expires_at: expiresAt,
        ended_at: null,
        end_reason: null,
        stepped_up_until: null,
        generation: 0,
        rotated_at: now,
      })
      await openGeneration(ctx, tx, { ...pair, sessionId: id, generation: 0, expiresAt })
    })
    for (let left = VISITS_PER_PATIENT; left > 0; left -= 1) await verifyCode(ctx, '')
    return { token: pair.access, refresh: pair.refresh, network: `10.2.${at >> 8}.${at & 255}` }
  }

  return {
    async signIn(count) {
      // In a transaction, which waits for the lock beside a server that writes.
      const crowd = await database.transaction((db) =>
        insertPatients({ ...testApp, services, database: { ...database, db } }, count),
      )
      const patients: Patient[] = []
      for (const [at, who] of crowd.entries()) patients.push(await signIn(who, at))
      return patients
    },
    async freeTimes(count) {
      const rows = await database.db
        .selectFrom('slots')
        .innerJoin('providers', 'providers.no', 'slots.provider_no')
        .select(['providers.id', 'slots.start_at', 'slots.minutes'])
        .where('providers.verification_status', '=', 'Verified')
        .where('slots.free', '=', 1)
        .where('slots.start_at', '>', services.now() + SOON_MS)
        .orderBy('slots.provider_no')
        .orderBy('slots.start_at')
        .execute()
      const times: FreeTime[] = []
      let last = { id: '', end: 0, taken: 0 }
      for (const { id, start_at: start, minutes } of rows) {
        if (id !== last.id) last = { id, end: 0, taken: 0 }
        if (last.taken >= MAX_UPCOMING_WITH_PROVIDER || start < last.end) continue
        last = { id, end: start + minutes * 60_000, taken: last.taken + 1 }
        times.push({ providerId: id, startsAt: new Date(start).toISOString() })
        if (times.length === count) return times
      }
      throw new Error('The demo has too few free times.')
    },
    async countConfirmed() {
      const { count } = await database.db
        .selectFrom('bookings')
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .where('state', '=', 'confirmed')
        .executeTakeFirstOrThrow()
      return count
    },
    close: () => database.close(),
  }
}
