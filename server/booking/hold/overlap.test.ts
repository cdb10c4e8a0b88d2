import { expect, test } from 'vitest'
import { makePatient } from '#tests/harness/patients.ts'
import { makeProvider } from '#tests/harness/people.ts'
import { describeEngines } from '#tests/harness/servers/engines.ts'
import { makeTestApp } from '#tests/harness/test-app.ts'
import { bookVisit } from '#tests/harness/visits.ts'
import { holdSlot } from './hold-slot.ts'

const NINE = '2026-03-03T09:00:00.000Z'
const HALF_PAST = '2026-03-03T09:30:00.000Z'
const MINUTE = 60_000

const overlap = {
  code: 'visits_overlap',
  details: {
    provider: 'Dr Amara Okafor',
    startsAt: NINE,
    timeZone: 'Europe/London',
    time: '09:00',
    date: 'Tuesday 3 March',
  },
  message: 'You already have an appointment with Dr Amara Okafor at 09:00 on Tuesday 3 March.',
}

describeEngines('a patient with two providers at one time', (makeDatabase) => {
  const begin = async () => {
    const testApp = await makeTestApp({ database: await makeDatabase() })
    const [one, other] = [await makeProvider(testApp), await makeProvider(testApp)]
    const { ctx } = await makePatient(testApp)
    const first = { providerId: one.id, startsAt: NINE }
    const second = { providerId: other.id, startsAt: NINE }
    return { testApp, ctx, first, second }
  }

  test('is told which visit that is, held or booked, and may have both', async () => {
    const { testApp, ctx, first, second } = await begin()
    await bookVisit(ctx, first)
    await expect(holdSlot(ctx, second)).rejects.toMatchObject(overlap)
    const hold = await holdSlot(ctx, { ...second, overlapOk: true })
    expect(hold.state).toBe('held')
    // A repeat returns the same hold without asking again.
    expect((await holdSlot(ctx, second)).id).toBe(hold.id)
    const third = { ...second, providerId: (await makeProvider(testApp)).id }
    await expect(holdSlot(ctx, third)).rejects.toMatchObject({ code: 'visits_overlap' })
    const { ctx: stranger } = await makePatient(testApp)
    expect((await holdSlot(stranger, third)).state).toBe('held')
  })

  test('is asked about times that run into each other only', async () => {
    const { testApp, ctx, first, second } = await begin()
    await holdSlot(ctx, first)
    expect((await holdSlot(ctx, { ...second, startsAt: HALF_PAST })).state).toBe('held')
    const start = Date.parse(NINE) + 29 * MINUTE
    const { id } = await makeProvider(testApp, { slots: [start] })
    const late = { providerId: id, startsAt: new Date(start).toISOString() }
    await expect(holdSlot(ctx, late)).rejects.toMatchObject(overlap)
  })

  test('is not asked about a hold that is over', async () => {
    const { testApp, ctx, first, second } = await begin()
    await holdSlot(ctx, first)
    testApp.advance(15 * MINUTE)
    expect((await holdSlot(ctx, second)).state).toBe('held')
  })

  test('who asks for both at once gets one, and the question about the other', async () => {
    for (let round = 0; round < 6; round += 1) {
      const { ctx, first, second } = await begin()
      const fates = await Promise.allSettled([holdSlot(ctx, first), holdSlot(ctx, second)])
      const refused = fates.filter((fate) => fate.status === 'rejected')
      expect(refused).toMatchObject([{ reason: { code: 'visits_overlap' } }])
    }
  })
})
