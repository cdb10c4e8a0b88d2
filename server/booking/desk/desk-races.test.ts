import { PostgresAdapter, sql } from 'kysely'
import { expect, test } from 'vitest'
import type { Database } from '#db/engine.ts'
import { createCaller } from '#server/app-router.ts'
import { lockProviderClaims } from '#server/booking/hold/slot-store.ts'
import { insertPatients, makeProviderWithSlots } from '#tests/engines/booking-race.ts'
import { expectConsistentSlots } from '#tests/engines/slot-invariants.ts'
import { at, DEFAULT_HOURS, makeClinician } from '#tests/harness/hours.ts'
import { errorCodeOf } from '#tests/harness/paid-visit.ts'
import { signedInAs } from '#tests/harness/patients.ts'
import { signInProviderCaller } from '#tests/harness/provider-caller.ts'
import { describeEngines } from '#tests/harness/servers/engines.ts'
import { makeTestApp } from '#tests/harness/test-app.ts'
import { bookVisit } from '#tests/harness/visits.ts'

const HOUR = 3_600_000
const NINE = Date.parse('2026-03-10T09:00:00Z')
const iso = (instant: number) => new Date(instant).toISOString()

/** Waits until this many transactions wait for a lock; on SQLite they queue at once. */
async function waitingFor({ db }: Database, count: number): Promise<void> {
  if (!(db.getExecutor().adapter instanceof PostgresAdapter)) return
  const waiting = sql`select 1 from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`
  await expect.poll(async () => (await waiting.execute(db)).rows).toHaveLength(count)
}

describeEngines('a time that the desk wants at once with', (makeDatabase) => {
  test('patients’ holds and a move, fifty in all: one has it', async () => {
    await using testApp = await makeTestApp({ database: await makeDatabase() })
    const { db } = testApp.database
    const slots = [0, 1].map((n) => ({ start: NINE + n * HOUR, minutes: 30 }))
    const providerId = await makeProviderWithSlots(testApp, slots)
    const { no } = await db.selectFrom('providers').select('no').executeTakeFirstOrThrow()
    const { booking } = await signInProviderCaller(testApp, { no, id: providerId })
    const [mover, ...crowd] = await insertPatients(testApp, 25)
    if (mover === undefined) throw new Error('Nobody came.')
    const patient = signedInAs(testApp.services, mover)
    const id = await bookVisit(patient, { providerId, startsAt: iso(NINE) })
    const startsAt = iso(NINE + HOUR)
    const holds = crowd.map((who) => {
      const { booking: own } = createCaller(signedInAs(testApp.services, who))
      return () => errorCodeOf(own.hold({ providerId, startsAt }))
    })
    const desk = Array.from({ length: 25 }, (_, n) => () => {
      // Some overlap the hour only in part.
      const slot = { startsAt: iso(NINE + HOUR - (n % 3) * 600_000) }
      return errorCodeOf(booking.addDesk({ kind: 'walk_in', name: 'Ida Rowe', slot }))
    })
    const move = () =>
      errorCodeOf(createCaller(patient).visits.move({ id, sequence: 0, slot: { startsAt } }))
    const acts = [...holds, ...desk]
      .flatMap((act, n) => (n % 2 === 0 ? [act] : []))
      .concat(move, ...[...holds, ...desk].flatMap((act, n) => (n % 2 === 1 ? [act] : [])))
    expect(acts).toHaveLength(50)
    const codes = await Promise.all(acts.map((act) => act()))
    expect(codes.filter((code) => code === null)).toHaveLength(1)
    for (const code of codes) expect([null, 'slot_taken', 'desk_time_taken']).toContain(code)
    await expectConsistentSlots(testApp.database)
  })

  test('a block being set: the visit stands in it or not, and nobody else is offered its time', async () => {
    await using testApp = await makeTestApp({ database: await makeDatabase() })
    const clinician = await makeClinician(testApp)
    await clinician.save(DEFAULT_HOURS)
    const { booking } = await signInProviderCaller(testApp, clinician)
    for (const time of ['09:00', '10:00', '11:00', '14:00']) {
      const { version } = await clinician.mine()
      const from = at(time)
      const [put, blocked] = await Promise.all([
        errorCodeOf(
          booking.addDesk({
            kind: 'phone',
            name: 'Ida Rowe',
            phone: '020 7946 0123',
            slot: { date: '2026-03-10', time },
          }),
        ),
        clinician.caller.availability.addBlock({
          version,
          date: '2026-03-10',
          from,
          to: from + 30,
        }),
      ])
      expect(put).toBeNull()
      // Either the block was saved first, or the visit is reported as its conflict.
      if (!blocked.saved) expect(blocked.conflicts).toHaveLength(1)
      expect(await clinician.free('2026-03-10', 1)).not.toContain(`2026-03-10T${time}`)
    }
    const claims = await testApp.database.db.selectFrom('slot_claims').select('desk_no').execute()
    expect(claims).toHaveLength(4)
  })

  test('moves of desk visits into each other’s times: none is lost, and nobody waits for ever', async () => {
    await using testApp = await makeTestApp({ database: await makeDatabase() })
    const clinician = await makeClinician(testApp)
    await clinician.save(DEFAULT_HOURS)
    const { booking } = await signInProviderCaller(testApp, clinician)
    const times = ['09:00', '09:30', '10:00', '10:30', '11:00', '11:30']
    const date = '2026-03-10'
    const visits = []
    for (const time of times) {
      const slot = { date, time }
      visits.push(await booking.addDesk({ kind: 'walk_in', name: 'Ida Rowe', slot }))
    }
    const codes = await Promise.all(
      visits.map(({ id }, n) => {
        const slot = { date, time: times[n + 1] ?? '13:00' }
        return errorCodeOf(booking.moveDesk({ id, sequence: 0, slot }))
      }),
    )
    expect(codes.at(-1)).toBeNull()
    for (const code of codes) expect([null, 'desk_time_taken']).toContain(code)
    await expectConsistentSlots(testApp.database)
  })

  test('its cancellation: neither waits for the other, and neither is told to try again', async () => {
    await using testApp = await makeTestApp({ database: await makeDatabase() })
    const { db } = testApp.database
    const providerId = await makeProviderWithSlots(testApp, [{ start: NINE, minutes: 30 }])
    const { no } = await db.selectFrom('providers').select('no').executeTakeFirstOrThrow()
    const { booking } = await signInProviderCaller(testApp, { no, id: providerId })
    const [who] = await insertPatients(testApp, 1)
    if (who === undefined) throw new Error('Nobody came.')
    const patient = signedInAs(testApp.services, who)
    const slot = { startsAt: iso(NINE) }
    const id = await bookVisit(patient, { providerId, ...slot })
    const { sequence, refund } = await createCaller(patient).visits.terms({ id })
    const [held, over] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const other = testApp.database.transaction(async (tx) => {
      await lockProviderClaims(tx, no)
      held.resolve()
      await over.promise
    })
    await held.promise
    // Both wait for the provider: the desk first, then the cancellation.
    const put = errorCodeOf(booking.addDesk({ kind: 'walk_in', name: 'Ida Rowe', slot }))
    await waitingFor(testApp.database, 1)
    const cancelled = errorCodeOf(createCaller(patient).visits.cancel({ id, sequence, refund }))
    await waitingFor(testApp.database, 2)
    over.resolve()
    await other
    expect(await cancelled).toBeNull()
    expect([null, 'desk_time_taken']).toContain(await put)
    await expectConsistentSlots(testApp.database)
  })
})
