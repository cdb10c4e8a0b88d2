import { expect, test } from 'vitest'
import { makeClinician } from '#tests/harness/clinician.ts'
import { describeEngines } from '#tests/harness/servers/engines.ts'
import { makeFakeOutsideCalendars } from '#tests/harness/servers/fake-gateways.ts'
import { makeTestApp } from '#tests/harness/test-app.ts'

describeEngines('what a calendar is not certain about', (makeDatabase) => {
  test('is shown by its times until the calendar is read without it', async () => {
    const outside = makeFakeOutsideCalendars()
    await using testApp = await makeTestApp({ database: await makeDatabase(), outside })
    const { caller } = await makeClinician(testApp)
    outside.setBusy()
    outside.doubts.push(
      {
        start: Date.parse('2026-03-10T09:00Z'),
        end: Date.parse('2026-03-10T10:00Z'),
        reason: 'zone',
      },
      { start: null, end: null, reason: 'date' },
    )
    const address = 'https://calendar.example/a.ics'
    const { id, ...added } = await caller.outsideCalendars.add({ name: 'Family', address })
    expect(added).toMatchObject({
      unreadable: 2,
      doubts: [
        {
          startsAt: '2026-03-10T09:00:00.000Z',
          endsAt: '2026-03-10T10:00:00.000Z',
          reason: 'zone',
        },
        { startsAt: null, endsAt: null, reason: 'date' },
      ],
    })
    outside.doubts.length = 0
    outside.setBusy()
    const read = await caller.outsideCalendars.readNow({ id })
    expect(read).toMatchObject({ unreadable: 0, doubts: [] })
  })
})
