import { expect, test } from 'vitest'
import { makeClinician } from '#tests/harness/hours.ts'
import { signInProvider } from '#tests/harness/paid-visit.ts'
import { makePatient } from '#tests/harness/patients.ts'
import { describeEngines } from '#tests/harness/servers/engines.ts'
import { makeTestApp, type TestApp } from '#tests/harness/test-app.ts'
import { bookVisit } from '#tests/harness/visits.ts'

const reason = 'closed' as const

/** The times that the email about a cancelled visit links to, as their addresses name them. */
function linksIn(testApp: TestApp): URLSearchParams[] {
  const told = testApp.mails.find(({ subject }) => subject.endsWith('is cancelled'))
  const found = told?.text.matchAll(/\/appointment\/\S+?\?(\S+)/g) ?? []
  return [...found].map(([, search]) => new URLSearchParams(search))
}

async function cancel(testApp: TestApp, id: string): Promise<void> {
  const { caller } = await signInProvider(testApp)
  const { sequence, refund } = await caller.visits.providerTerms({ id })
  await caller.visits.cancelMany({ visits: [{ id, sequence, refund }], reason })
  await testApp.drainOutbox()
}

describeEngines('the next free times in the email about a cancelled visit', (makeDatabase) => {
  test('are named by the clock the checkout reads them by, that of the main place', async () => {
    await using testApp = await makeTestApp({ database: await makeDatabase() })
    const chicago = { postcode: '60601', locality: 'Chicago', time_zone: 'America/Chicago' }
    const clinician = await makeClinician(testApp, {
      region: 'usa',
      currency: 'USD',
      places: [
        { name: 'Canal Clinic', postcode: '10001', time_zone: 'America/New_York' },
        { name: 'Lake Clinic', ...chicago },
      ],
    })
    const lake = (await clinician.mine()).places[1]?.id ?? ''
    await clinician.save([{ weekday: 2, from: 540, to: 660, placeId: lake }])
    const { ctx } = await makePatient(testApp)
    // Nine in Chicago is ten in New York.
    const id = await bookVisit(ctx, { providerId: clinician.id, startsAt: '2026-03-03T15:00:00Z' })
    await cancel(testApp, id)
    const [next] = linksIn(testApp)
    const slot = { date: next?.get('date') ?? '', time: next?.get('time') ?? '' }
    expect(slot).toEqual({ date: '2026-03-03', time: '10:30' })
    const { booking } = testApp.caller()
    expect(await booking.checkSlot({ providerId: clinician.id, ...slot })).toEqual({
      available: true,
    })
  })

  test('are long enough for its type, which the links name', async () => {
    await using testApp = await makeTestApp({ database: await makeDatabase() })
    const clinician = await makeClinician(testApp)
    await testApp.database.db
      .insertInto('visit_types')
      .values({
        id: testApp.services.newId('vtp'),
        provider_no: clinician.no,
        position: 1,
        name: 'Long talk',
        minutes: 90,
        first_minor: 12_000,
        follow_minor: 9_000,
        mode: 'both',
      })
      .execute()
    await clinician.save([{ weekday: 2, from: 540, to: 660 }])
    const types = await testApp.caller().profiles.visitTypes({ providerId: clinician.id })
    const typeId = types.find(({ name }) => name === 'Long talk')?.id ?? ''
    const { ctx } = await makePatient(testApp)
    const startsAt = '2026-03-03T09:00:00Z'
    const id = await bookVisit(ctx, { providerId: clinician.id, typeId, startsAt })
    await cancel(testApp, id)
    expect(linksIn(testApp).map((link) => Object.fromEntries(link))).toMatchObject([
      { date: '2026-03-03', time: '09:30', type: typeId },
      { date: '2026-03-10', time: '09:00', type: typeId },
      { date: '2026-03-10', time: '09:30', type: typeId },
    ])
  })
})
