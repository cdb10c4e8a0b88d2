import { expect, test } from 'vitest'
import { readOutsideCalendars } from '#server/outside-calendars/read-calendars.ts'
import { makeFakeOutsideCalendars } from '#tests/harness/fake-outside-calendars.ts'
import { at, DEFAULT_HOURS, makeClinician } from '#tests/harness/hours.ts'
import { errorCodeOf } from '#tests/harness/paid-visit.ts'
import { makePatient } from '#tests/harness/patients.ts'
import { signInProviderCaller } from '#tests/harness/provider-caller.ts'
import { describeEngines } from '#tests/harness/servers/engines.ts'
import { makeTestApp } from '#tests/harness/test-app.ts'
import { expectConsistentSlots } from './slot-invariants.ts'

const DAY = '2026-03-10'
const QUARTER_MS = 16 * 60_000

describeEngines('one time wanted by all at once', (makeDatabase) => {
  test('a block, the desk, a calendar kept elsewhere and patients: one visit has it at most, and nobody is offered it', async () => {
    const outside = makeFakeOutsideCalendars()
    await using testApp = await makeTestApp({ database: await makeDatabase(), outside })
    const { db } = testApp.database
    const clinician = await makeClinician(testApp)
    await clinician.save(DEFAULT_HOURS)
    const { booking } = await signInProviderCaller(testApp, clinician)
    const { availability, outsideCalendars } = clinician.caller
    outside.setBusy()
    await outsideCalendars.add({ name: 'Family', address: 'https://calendar.example/a.ics' })
    const busy: string[] = []
    for (const time of ['09:00', '10:00', '11:00', '14:00', '15:00']) {
      const start = `${DAY}T${time}`
      const end = new Date(Date.parse(`${start}Z`) + 30 * 60_000).toISOString().slice(11, 16)
      busy.push(`${start}/${end}`)
      outside.setBusy(...busy)
      testApp.advance(QUARTER_MS)
      const patients = await Promise.all(Array.from({ length: 6 }, () => makePatient(testApp)))
      const { version } = await clinician.mine()
      const visits = [
        ...patients.map(({ caller }) =>
          errorCodeOf(caller.booking.hold({ providerId: clinician.id, startsAt: `${start}:00Z` })),
        ),
        ...Array.from({ length: 3 }, () =>
          errorCodeOf(
            booking.addDesk({ kind: 'walk_in', name: 'Ida Rowe', slot: { date: DAY, time } }),
          ),
        ),
      ]
      const block = { version, date: DAY, from: at(time), to: at(time) + 30 }
      const [codes] = await Promise.all([
        Promise.all(visits),
        availability.addBlock(block),
        readOutsideCalendars(testApp.services),
      ])
      const claims = await db
        .selectFrom('slot_claims')
        .select('start_at')
        .where('start_at', '=', Date.parse(`${start}Z`))
        .execute()
      // The desk may take a blocked or busy time, so one of them always gets it.
      expect(claims).toHaveLength(1)
      expect(codes.filter((code) => code === null)).toHaveLength(1)
      for (const code of codes) {
        expect([null, 'slot_taken', 'slot_not_offered', 'desk_time_taken']).toContain(code)
      }
      expect(await clinician.free(DAY, 1)).not.toContain(start)
    }
    await expectConsistentSlots(testApp.database)
  })
})
