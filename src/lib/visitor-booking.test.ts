import { expect, test } from 'vitest'
import { bookingPath, parseBookingPath } from './visitor-booking.ts'

const providerId = `prv_${'0'.repeat(26)}`

test('the way back to the checkout names the provider, the region and the time', () => {
  const path = bookingPath({
    provider: { id: providerId },
    region: 'uk',
    startsAt: '2026-07-01T08:00:00.000Z',
    timeZone: 'Europe/London',
    distance: '0.4',
    typeId: null,
    typeName: null,
    mode: 'in_person',
  })
  expect(path).toBe(
    `/appointment/${providerId}?region=uk&date=2026-07-01&time=09%3A00&distance=0.4`,
  )
  expect(parseBookingPath(path)).toEqual({
    providerId,
    choice: { date: '2026-07-01', time: '09:00' },
    distance: '0.4',
    typeId: undefined,
    mode: undefined,
  })
})

test('and, of a provider with several types, what it is about and how', () => {
  const typeId = `vtp_${'1'.repeat(26)}`
  const path = bookingPath({
    provider: { id: providerId },
    region: 'uk',
    startsAt: '2026-07-01T08:00:00.000Z',
    timeZone: 'Europe/London',
    distance: null,
    typeId,
    typeName: 'Hygienist',
    mode: 'video',
  })
  expect(parseBookingPath(path)).toMatchObject({ typeId, mode: 'video' })
})

test.each([
  undefined,
  '/userProfile',
  `/appointment/${providerId}`,
  `/appointment/${providerId}?date=2026-02-31&time=09:00`,
  '/appointment/x?date=2026-03-03&time=09:00',
  'https://evil.example/appointment/x?date=2026-03-03&time=09:00',
])('%s is no way to a time', (next) => {
  expect(parseBookingPath(next)).toBeNull()
})
