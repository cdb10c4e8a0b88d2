import { expect, test } from 'vitest'
import { at, makeClinician } from '#tests/harness/hours.ts'
import { makePatient } from '#tests/harness/patients.ts'
import { addPlaces } from '#tests/harness/places.ts'
import { describeEngines } from '#tests/harness/servers/engines.ts'
import { makeTestApp } from '#tests/harness/test-app.ts'

const LEEDS = { name: 'Leeds Clinic', latitude: 53.7997, longitude: -1.5492, postcode: 'LS1 4AP' }

describeEngines('whoever sees people at two places', (makeDatabase) => {
  const begin = async () => {
    const testApp = await makeTestApp({ database: await makeDatabase() })
    await addPlaces(testApp)
    const clinician = await makeClinician(testApp, { places: [LEEDS, {}] })
    const [leeds = '', london = ''] = (await clinician.mine()).places.map(({ id }) => id)
    await clinician.save([
      { weekday: 2, from: at('9:00'), to: at('10:00'), placeId: leeds },
      { weekday: 5, from: at('14:00'), to: at('15:00'), placeId: london },
    ])
    const search = async (more: { available?: '3' } = {}) => {
      await testApp.drainOutbox()
      const asked = {
        postcode: 'SE1 6ET',
        radius: 5 as const,
        distance_filter_clicked: true,
        ...more,
      }
      return (await testApp.caller().search.providers(asked)).results
    }
    const times = async () =>
      (await search()).map(({ nextFree, days }) => [
        nextFree,
        days.flatMap(({ slots }) => slots.map(({ startsAt }) => startsAt)),
      ])
    return { testApp, clinician, search, times }
  }

  test('is found at the one with its own times, not with those of the other', async () => {
    const { clinician, search, times, testApp } = await begin()
    const [two, half, next, nextHalf] = [
      '2026-03-06T14:00:00.000Z',
      '2026-03-06T14:30:00.000Z',
      '2026-03-13T14:00:00.000Z',
      '2026-03-13T14:30:00.000Z',
    ]
    expect(await times()).toEqual([[two, [two, half, next, nextHalf]]])
    // On Tuesday they are in Leeds.
    expect(await search({ available: '3' })).toHaveLength(0)
    const patient = await makePatient(testApp)
    const hold = await patient.caller.booking.hold({ providerId: clinician.id, startsAt: two })
    expect(hold.place.name).toBe('Borough Practice')
    expect(await times()).toEqual([[half, [half, next, nextHalf]]])
    testApp.advance(5 * 86_400_000)
    expect((await times())[0]?.[0]).toBe(next)
  })

  test('shows no times of a place where they see nobody', async () => {
    const { clinician, times } = await begin()
    const [leeds = ''] = (await clinician.mine()).places.map(({ id }) => id)
    await clinician.save([{ weekday: 2, from: at('9:00'), to: at('10:00'), placeId: leeds }])
    expect(await times()).toEqual([[null, []]])
  })

  test('says on their page at which of them a time is', async () => {
    const { testApp, clinician } = await begin()
    const { days } = await testApp.caller().availability.freeTimes({ providerId: clinician.id })
    expect(days.slice(0, 2).map(({ date, slots }) => [date, slots[0]?.place])).toEqual([
      ['2026-03-03', 'Leeds Clinic'],
      ['2026-03-06', 'Borough Practice'],
    ])
  })

  test('is linked to in the clock of the main place, which holds read', async () => {
    const testApp = await makeTestApp({ database: await makeDatabase() })
    await addPlaces(testApp)
    const far = { ...LEEDS, time_zone: 'Europe/Lisbon' }
    const clinician = await makeClinician(testApp, { places: [far, { time_zone: 'Europe/Paris' }] })
    const [, near = ''] = (await clinician.mine()).places.map(({ id }) => id)
    await clinician.save([{ weekday: 5, from: at('14:00'), to: at('15:00'), placeId: near }])
    await testApp.drainOutbox()
    const { results } = await testApp.caller().search.providers({ postcode: 'SE1 6ET', radius: 5 })
    expect(results).toMatchObject([
      {
        isOneOfSeveral: true,
        mainZone: 'Europe/Lisbon',
        nextFree: '2026-03-06T13:00:00.000Z',
      },
    ])
    const patient = await makePatient(testApp)
    const slot = { providerId: clinician.id, date: '2026-03-06', time: '13:00' }
    const hold = await patient.caller.booking.hold(slot)
    expect([hold.startsAt, hold.timeZone]).toEqual(['2026-03-06T13:00:00.000Z', 'Europe/Paris'])
  })
})
