import { expect, test } from 'vitest'
import { locationOf, specialityOf } from './profile-search.ts'

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
