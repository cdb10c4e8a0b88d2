import { expect, test } from 'vitest'
import { makePatient } from '#tests/harness/patients.ts'
import { makeProvider } from '#tests/harness/people.ts'
import { makeWorld } from '#tests/harness/world.ts'

test('a free time is kept for fifteen minutes, with its place, its fees and its policy', async () => {
  await using world = await makeWorld()
  const provider = await makeProvider(world)
  const { caller } = await makePatient(world)
  const startsAt = '2026-03-03T09:30:00.000Z'
  const hold = await caller.booking.hold({ providerId: provider.id, startsAt, distance: '0.4' })
  expect(hold).toMatchObject({
    state: 'held',
    startsAt,
    endsAt: '2026-03-03T10:00:00.000Z',
    timeZone: 'Europe/London',
    holdUntil: '2026-03-02T09:15:00.000Z',
    canRenew: true,
    fees: {
      first_visit: { minor: 6_000, currency: 'GBP' },
      follow_up: { minor: 4_000, currency: 'GBP' },
    },
    distance: '0.4',
    followUpRefusal: null,
    isCodeVerified: false,
    cancellation: { freeHours: 24, latePercent: 50 },
  })
})
