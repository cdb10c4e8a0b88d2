import { expect, test } from 'vitest'
import { readOutsideCalendars } from '#server/outside-calendars/read-calendars.ts'
import { makeFakeOutsideCalendars } from '#tests/harness/fake-outside-calendars.ts'
import { DEFAULT_HOURS, makeClinician } from '#tests/harness/hours.ts'
import { makePatient } from '#tests/harness/patients.ts'
import { describeEngines } from '#tests/harness/servers/engines.ts'
import { makeTestApp } from '#tests/harness/test-app.ts'

const DAY = '2026-03-10'
const QUARTER_MS = 16 * 60_000

describeEngines('busy times and holds at once', (makeDatabase) => {
  test('nobody gets a time that is busy, every hold stays, and what is left is what is offered', async () => {
    const outside = makeFakeOutsideCalendars()
    await using testApp = await makeTestApp({ database: await makeDatabase(), outside })
    const { db } = testApp.database
    const clinician = await makeClinician(testApp)
    await clinician.save(DEFAULT_HOURS)
    const { outsideCalendars } = clinician.caller
    outside.setBusy()
    await outsideCalendars.add({ name: 'Family', address: 'https://calendar.example/a.ics' })
    const busy: string[] = []
    let won = 0
    for (const time of (await clinician.free(DAY, 1)).slice(0, 10)) {
      const { caller } = await makePatient(testApp)
      const end = new Date(Date.parse(`${time}Z`) + 30 * 60_000).toISOString().slice(11, 16)
      busy.push(`${time}/${end}`)
      outside.setBusy(...busy)
      testApp.advance(QUARTER_MS)
      const [held] = await Promise.allSettled([
        caller.booking.hold({ providerId: clinician.id, startsAt: `${time}:00Z` }),
        readOutsideCalendars(testApp.services),
      ])
      const claims = await db
        .selectFrom('slot_claims')
        .select('start_at')
        .where('start_at', '=', Date.parse(`${time}Z`))
        .execute()
      if (held.status === 'fulfilled') won += 1
      else expect(held.reason).toMatchObject({ cause: { code: 'slot_not_offered' } })
      // A claim exists exactly when the slot still did.
      expect(claims).toHaveLength(held.status === 'fulfilled' ? 1 : 0)
      expect(await clinician.free(DAY, 1)).not.toContain(time)
    }
    expect(won).toBeLessThanOrEqual(10)
    const { calendars } = await outsideCalendars.list({})
    expect(calendars).toMatchObject([{ busy: 10, failure: null }])
  })

  test('a time that is known to be busy is claimed by nobody', async () => {
    const outside = makeFakeOutsideCalendars()
    await using testApp = await makeTestApp({ database: await makeDatabase(), outside })
    const clinician = await makeClinician(testApp)
    await clinician.save(DEFAULT_HOURS)
    outside.setBusy(`${DAY}T09:10/09:20`)
    const address = 'https://calendar.example/a.ics'
    await clinician.caller.outsideCalendars.add({ name: 'Family', address })
    const tries = Array.from({ length: 6 }, async () => {
      const { caller } = await makePatient(testApp)
      return caller.booking.hold({ providerId: clinician.id, startsAt: `${DAY}T09:00:00Z` })
    })
    const done = await Promise.allSettled(tries)
    expect(done.filter(({ status }) => status === 'fulfilled')).toEqual([])
    expect(await testApp.database.db.selectFrom('slot_claims').selectAll().execute()).toEqual([])
  })

  test('one calendar is read by one of two processes, and added five times at most', async () => {
    const outside = makeFakeOutsideCalendars()
    await using testApp = await makeTestApp({ database: await makeDatabase(), outside })
    const { caller } = await makeClinician(testApp)
    outside.setBusy()
    const added = await Promise.allSettled(
      Array.from({ length: 8 }, (_, no) =>
        caller.outsideCalendars.add({ name: 'One', address: `https://calendar.example/${no}` }),
      ),
    )
    expect(added.filter(({ status }) => status === 'fulfilled')).toHaveLength(5)
    const before = outside.reads.length
    testApp.advance(QUARTER_MS)
    await Promise.all([1, 2, 3].map(() => readOutsideCalendars(testApp.services)))
    expect(outside.reads).toHaveLength(before + 5)
  })
})
