import { expect, test } from 'vitest'
import { busyTimesIn } from '#server/gateways/ics/busy-times.ts'
import { makeFakeOutsideCalendars } from '#tests/harness/fake-outside-calendars.ts'
import { DEFAULT_HOURS, makeClinician } from '#tests/harness/hours.ts'
import { signInProviderCaller } from '#tests/harness/provider-caller.ts'
import { describeEngines } from '#tests/harness/servers/engines.ts'
import { makeTestApp } from '#tests/harness/test-app.ts'

const DAY = '2026-03-10'
const ADDRESS = 'https://calendar.example/all.ics'

describeEngines('desk visits that come back in a calendar with our feed', (makeDatabase) => {
  test('do not count: a moved one leaves its old time free', async () => {
    const outside = makeFakeOutsideCalendars()
    await using testApp = await makeTestApp({ database: await makeDatabase(), outside })
    const clinician = await makeClinician(testApp)
    await clinician.save(DEFAULT_HOURS)
    const desk = await signInProviderCaller(testApp, clinician)
    const { id } = await desk.booking.addDesk({
      kind: 'walk_in',
      name: 'Ida Rowe',
      slot: { date: DAY, time: '14:00' },
    })
    const [start, end] = [Date.parse(`${DAY}T14:00Z`), Date.parse(`${DAY}T14:30Z`)]
    const text = ['BEGIN:VCALENDAR', 'BEGIN:VEVENT', `UID:${id}@apposite`]
      .concat('DTSTART:20260310T140000Z', 'DTEND:20260310T143000Z', 'END:VEVENT', 'END:VCALENDAR')
      .join('\r\n')
    const view = { from: start - 86_400_000, until: end + 86_400_000, timeZone: 'Europe/London' }
    const read = busyTimesIn(text, { ...view, skipsAllDay: false })
    expect(read).toMatchObject({ spans: [], own: [{ id, start, end }] })
    outside.own.push(...read.own)
    outside.own.push({
      id: `dsk_${'z'.repeat(26)}`,
      start: start + 7_200_000,
      end: end + 7_200_000,
    })
    outside.setBusy()
    const calendar = await desk.outsideCalendars.add({ name: 'All', address: ADDRESS })
    expect(calendar.busy).toBe(1)
    await desk.booking.moveDesk({ id, sequence: 0, slot: { date: DAY, time: '15:00' } })
    const free = await clinician.free(DAY, 1)
    expect(free).toContain(`${DAY}T14:00`)
    // Somebody else's desk visit, of which the viewer is the patient.
    expect(free).not.toContain(`${DAY}T16:00`)
  })
})
