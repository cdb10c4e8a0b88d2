import { expect, test } from 'vitest'
import {
  locationOf,
  readAppointmentSearch,
  readProfileSearch,
  specialityOf,
} from './profile-search.ts'

test('region, day and time are read from the address', () => {
  const search = { region: 'usa', date: '2026-03-05', time: '14:30' }
  expect(readProfileSearch(search)).toEqual(search)
})

test('what makes no sense is not there, and a time without a day is no choice', () => {
  expect(readProfileSearch({ region: 'france', date: '2026-02-31', time: '14:30' })).toEqual({})
  expect(readProfileSearch({ time: '14:30' })).toEqual({})
  expect(readProfileSearch({ date: '2026-03-05', time: '<img>' })).toEqual({ date: '2026-03-05' })
})

test('the second of two equal times is read from the address, with its time only', () => {
  const search = { date: '2026-10-25', time: '01:30', fold: 1 }
  expect(readProfileSearch({ ...search, fold: '1' })).toEqual(search)
  expect(readAppointmentSearch(search)).toEqual(search)
  expect(readProfileSearch({ ...search, fold: '2' })).not.toHaveProperty('fold', 1)
  expect(readProfileSearch({ date: '2026-10-25', fold: '1' })).toEqual({ date: '2026-10-25' })
})

test('the checkout keeps the distance for the way back, as text or as the router parsed it', () => {
  expect(readAppointmentSearch({ distance: 2.4 })).toEqual({ distance: '2.4' })
  expect(readAppointmentSearch({ distance: '1.0' })).toEqual({ distance: '1.0' })
  expect(readAppointmentSearch({ distance: 'far' })).toEqual({})
})

test('the checkout begins with its first step, and knows two more', () => {
  expect(readAppointmentSearch({ step: '2' })).toEqual({ step: 2 })
  expect(readAppointmentSearch({ step: '3' })).toEqual({ step: 3 })
  for (const step of ['1', '4', 'two', '']) expect(readAppointmentSearch({ step })).toEqual({})
})

test('what the visit is about and how it takes place are read as far as they can be', () => {
  const type = `vtp_${'0'.repeat(26)}`
  expect(readProfileSearch({ type, mode: 'video' })).toEqual({ type, mode: 'video' })
  expect(readAppointmentSearch({ type, mode: 'in_person' })).toEqual({ type, mode: 'in_person' })
  expect(readProfileSearch({ type: 'vtp_1', mode: 'by post' })).toEqual({})
})

const place = {
  name: 'Tooley Street Surgery',
  address: '1 Tooley Street',
  locality: 'Southwark',
  postcode: 'SE1 6ET',
  latitude: 51.5,
  longitude: -0.1,
  timeZone: 'Europe/London',
  phone: null,
}

test('the documented words stand where there is no speciality and no location', () => {
  const specialty = { slug: 'gp', name: '', plural: '' }
  expect(specialityOf({ specialty })).toBe('No speciality information available')
  expect(specialityOf({ specialty: { ...specialty, name: 'GP' } })).toBe('GP')
  expect(locationOf({ places: [] })).toBe('Location not available')
  expect(locationOf({ places: [{ ...place, name: ' ', locality: '' }] })).toBe(
    'Location not available',
  )
  expect(locationOf({ places: [place] })).toBe('Tooley Street Surgery, Southwark')
})
