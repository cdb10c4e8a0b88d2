import { expect, test } from 'vitest'
import { makeProvider } from '#tests/harness/people.ts'
import { makeTestApp } from '#tests/harness/test-app.ts'

const UNKNOWN = `prv_${'z'.repeat(26)}`

async function refusalOf(call: Promise<unknown>): Promise<unknown> {
  return call.then(
    () => 'answered',
    (error: unknown) => error instanceof Error && [error.message, error.cause],
  )
}

test('unknown, Unverified and other-region providers get the same response', async () => {
  await using testApp = await makeTestApp()
  const listed = await makeProvider(testApp)
  const waiting = await makeProvider(testApp, { verification_status: 'Unverified' })
  const caller = testApp.caller()
  const unknown = await refusalOf(caller.search.provider({ id: UNKNOWN }))
  expect(unknown).toMatchObject([expect.stringContaining('couldn’t find that provider'), {}])
  expect(await refusalOf(caller.search.provider({ id: waiting.id }))).toEqual(unknown)
  const elsewhere = { id: listed.id, selectedRegion: 'usa' as const }
  expect(await refusalOf(caller.search.provider(elsewhere))).toEqual(unknown)
})

test('a profile has the public fields only', async () => {
  await using testApp = await makeTestApp()
  const { id, email } = await makeProvider(testApp, {
    phone: '020 7946 0999',
    rating_sum: 9,
    rating_count: 2,
  })
  const profile = await testApp.caller().search.provider({ id, selectedRegion: 'uk' })
  expect(profile).toMatchObject({
    id,
    name: 'Dr Amara Okafor',
    specialty: { slug: 'gp', name: 'GP', plural: 'GPs' },
    registration: { body: 'GMC', number: '7000001', checkedOn: '2026-01-31' },
    rating: { average: 4.5, count: 2 },
    fee: { minor: 6_000, currency: 'GBP' },
    nextFree: '2026-03-03T09:00:00.000Z',
    nearby: [],
  })
  expect(profile.places).toMatchObject([{ name: 'Borough Practice', timeZone: 'Europe/London' }])
  const sent = JSON.stringify(profile)
  expect(sent).not.toContain(email)
  expect(sent).not.toContain('7946 0999')
})

test('others nearby have the same specialty and are free soon, nearest first', async () => {
  await using testApp = await makeTestApp()
  const at = (latitude: number) => ({ place: { latitude, longitude: -0.1 } })
  const { id } = await makeProvider(testApp, at(51.5))
  const third = await makeProvider(testApp, at(51.53))
  const first = await makeProvider(testApp, at(51.51))
  await makeProvider(testApp, { ...at(51.505), specialty_no: 2 })
  await makeProvider(testApp, { ...at(51.506), slots: [] })
  await makeProvider(testApp, { ...at(51.507), verification_status: 'Unverified' })
  const { nearby } = await testApp.caller().search.provider({ id })
  expect(nearby.map((card) => card.id)).toEqual([first.id, third.id])
  expect(nearby[0]?.days).toHaveLength(2)
})

test('specialities have the names of the region', async () => {
  await using testApp = await makeTestApp()
  const caller = testApp.caller()
  const uk = await caller.search.specialities({ selectedRegion: 'uk' })
  const usa = await caller.search.specialities({ selectedRegion: 'usa' })
  expect(uk).toHaveLength(30)
  expect(uk.find(({ slug }) => slug === 'gp')?.name).toBe('GP')
  expect(usa.find(({ slug }) => slug === 'gp')?.name).toBe('Family doctor')
  const names = uk.map(({ name }) => name)
  expect(names).toEqual(names.toSorted((a, b) => a.localeCompare(b, 'en')))
})
