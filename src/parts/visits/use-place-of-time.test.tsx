import { expect } from 'vitest'
import { page } from 'vitest/browser'
import { type Backend, test } from '#tests/harness/spa/spa-bridge.ts'
import { openPage, openSignedIn } from '#tests/harness/spa/spa-page.tsx'

/** A provider with two practices and free times at the first. */
async function addWithTwo(testApp: Backend) {
  await testApp.addPlaces()
  const places = [{ name: 'Borough Practice' }, { name: 'Harbour Clinic' }]
  return testApp.addProvider({ places })
}

test('a result names the place its times are at, where there are two', async ({ testApp }) => {
  await addWithTwo(testApp)
  await openPage('/results?selectedRegion=uk&postcode=SE1%206ET')
  await expect.element(page.getByText('At Borough Practice').first()).toBeVisible()
})

test('a result of somebody with one place does not repeat it', async ({ testApp }) => {
  await testApp.addPlaces()
  await testApp.addProvider()
  await openPage('/results?selectedRegion=uk&postcode=SE1%206ET')
  await expect.element(page.getByRole('heading', { name: 'Dr Amara Okafor' })).toBeVisible()
  await expect.element(page.getByText('At Borough Practice')).not.toBeInTheDocument()
})

test('the bar of the phone names the place of the next free time', async ({ testApp }) => {
  await page.viewport(360, 740)
  const { id } = await addWithTwo(testApp)
  await openPage(`/doctor-profile/${id}/0.4?region=uk#contact`)
  const bar = page.getByRole('paragraph').filter({ hasText: 'Next free' })
  await expect.element(bar).toMatchTextContent(/Next free.*Borough Practice/)
})

test('the checkout names the place before the time is held', async ({ testApp }) => {
  const { id, email, no } = await addWithTwo(testApp)
  const person = { kind: 'provider', email, provider_no: no, date_of_birth: null } as const
  const account = await testApp.addAccount(person)
  await openSignedIn(account, `/appointment/${id}?date=2026-03-03&time=09:00`)
  await expect.element(page.getByText(/, Borough Practice$/)).toBeVisible()
})
