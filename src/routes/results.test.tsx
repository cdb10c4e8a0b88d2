import { afterEach, expect, vi } from 'vitest'
import { type Locator, page, userEvent } from 'vitest/browser'
import { makeApiClient } from '#app/trpc.ts'
import { test } from '#tests/harness/spa/spa-bridge.ts'
import { openPage, signIn } from '#tests/harness/spa/spa-page.tsx'
import { delayRequests } from '#tests/spa/fake-network.ts'

afterEach(() => {
  vi.restoreAllMocks()
})

const NEAR = 'selectedRegion=uk&latitude=51.4965&longitude=-0.0985'

test('the list says who, how far, how much and when, and a time leads into the profile', async ({
  testApp,
}) => {
  const { id } = await testApp.addProvider()
  const { screen, router } = await openPage(`/results?${NEAR}`)
  const list = screen.getByRole('list', { name: 'Results' })
  await expect.element(list.getByRole('heading', { name: 'Dr Amara Okafor' })).toBeVisible()
  await expect.element(list.getByText('0 miles away')).toBeVisible()
  expect(list.getByText(/New here|Rated/).elements()).toEqual([])
  await expect.element(list.getByText('£60')).toBeVisible()
  await list.getByRole('link', { name: /^09:30.*Tuesday 3 March/ }).click()
  await expect
    .element(screen.getByRole('link', { name: 'Continue with Tue 3 Mar, 09:30' }))
    .toBeVisible()
  expect(router.state.location.pathname).toBe(`/doctor-profile/${id}/0.0`)
  expect(router.state.location.search).toEqual({
    region: 'uk',
    date: '2026-03-03',
    time: '09:30',
  })
})

test('ten a page; the next page takes the focus to its heading', async ({ testApp }) => {
  for (let at = 0; at < 12; at += 1) await testApp.addProvider({ first_name: `Ada${at}` })
  const { screen, router } = await openPage(`/results?${NEAR}`)
  const names = screen.getByRole('list', { name: 'Results' }).getByRole('heading', { level: 3 })
  await expect.poll(() => names.elements()).toHaveLength(10)
  await screen.getByRole('link', { name: 'Next page' }).click()
  await expect.poll(() => names.elements()).toHaveLength(2)
  await expect.element(screen.getByRole('heading', { level: 1 })).toHaveFocus()
  expect(router.state.location.search).toMatchObject({ page: '2' })
})

test('a filter is applied, shown as a chip, and taken away again', async ({ testApp }) => {
  await testApp.addProvider({ offers_video: 1, last_name: 'Video' })
  await testApp.addProvider({ last_name: 'Person' })
  const { screen, router } = await openPage(`/results?${NEAR}`)
  const names = screen.getByRole('list', { name: 'Results' }).getByRole('heading', { level: 3 })
  await expect.poll(() => names.elements()).toHaveLength(2)
  await screen.getByRole('combobox', { name: 'Visit' }).selectOptions('Video')
  await expect.poll(() => names.elements()).toHaveLength(1)
  expect(router.state.location.search).toMatchObject({ mode: 'video' })
  await screen.getByRole('button', { name: 'Remove filter: Video' }).click()
  await expect.poll(() => names.elements()).toHaveLength(2)
})

test('a search by video shows the fee of the first type by video, and a time or a pin leads to that', async ({
  testApp,
}) => {
  const provider = await testApp.addProvider({ offers_video: 1 })
  const owner = { kind: 'provider', email: provider.email, provider_no: provider.no } as const
  await signIn(await testApp.addAccount(owner))
  const { profiles } = makeApiClient()
  const [first] = (await profiles.own.query({})).visitTypes
  const type = { minutes: 30, follow_amount: 4_000, placeId: null } as const
  const visit = { name: 'Visit', mode: 'in_person', amount: 6_000 } as const
  await profiles.saveVisitType.mutate({ ...type, ...visit, typeId: first?.id })
  await profiles.saveVisitType.mutate({ ...type, name: 'Advice', mode: 'video', amount: 9_000 })
  // Delivers the change to the search as well.
  await testApp.readMails()
  const { screen, router } = await openPage(`/results?${NEAR}&mode=video`)
  const list = screen.getByRole('list', { name: 'Results' })
  await expect.element(list.getByText('£90')).toBeVisible()
  await screen.getByRole('button', { name: /^1, Dr Amara Okafor.*£90$/ }).click()
  const onMap = screen.getByRole('dialog').getByRole('link', { name: 'Dr Amara Okafor' })
  await expect.element(onMap).toHaveAttribute('href', expect.stringMatching(/mode=video/))
  await list.getByRole('link', { name: /^09:30.*Tuesday 3 March/ }).click()
  await expect.element(screen.getByRole('radio', { name: /^Advice/ })).toBeChecked()
  const next = screen.getByRole('link', { name: /^Continue with Tue 3 Mar, 09:30/ })
  await expect.element(next).toHaveAttribute('href', expect.stringMatching(/type=vtp_.*mode=video/))
  await screen.getByRole('radio', { name: /^Visit/ }).click()
  await expect.element(screen.getByRole('radio', { name: /^Visit/ })).toBeChecked()
  expect(router.state.location.search).toMatchObject({ mode: 'in_person' })
})

test('a search by Enter keeps the focus in the box, with its suggestions closed', async ({
  testApp,
}) => {
  await testApp.addProvider()
  await testApp.addPlaces()
  const { screen, router } = await openPage(`/results?${NEAR}`)
  const place = screen.getByRole('combobox', { name: /Postcode/ })
  await place.fill('SE1 6ET')
  await userEvent.keyboard('{Enter}')
  await expect.poll(() => router.state.location.search).toMatchObject({ postcode: 'SE1 6ET' })
  await expect
    .element(screen.getByRole('heading', { level: 1 }))
    .toHaveTextContent('Doctors and dentists near SE1 6ET')
  await expect.element(place).toHaveFocus()
  await expect.element(place).toHaveAttribute('aria-expanded', 'false')
  router.history.back()
  await expect.element(place).toHaveValue('')
  await expect.element(place).toHaveFocus()
})

test('a specialty nobody has is said with a way to all of them', async ({ testApp }) => {
  await testApp.addProvider()
  const { screen } = await openPage(`/results?${NEAR}&specialty=witch-doctor`)
  await screen.getByRole('button', { name: 'See all specialties' }).click()
  await expect.element(screen.getByRole('heading', { name: 'Dr Amara Okafor' })).toBeVisible()
})

test('nobody found: one press takes the filter away that costs most, and can put it back', async ({
  testApp,
}) => {
  await testApp.addProvider({ amount_minor: 9_000 })
  // Fifteen miles north, past the next three radii.
  await testApp.addProvider({ amount_minor: 3_000, place: { latitude: 51.72 } })
  const { screen, router } = await openPage(`/results?${NEAR}&fee_max=40&radius=1&page=2`)
  await expect
    .element(screen.getByRole('heading', { name: 'No doctors or dentists match your filters' }))
    .toBeVisible()
  await expect
    .element(screen.getByText(/^We searched within 1 mile .*\. Without “Up to £40” there is 1\.$/))
    .toBeVisible()
  await expect.element(screen.getByRole('button', { name: 'Search within 25 miles' })).toBeVisible()
  await screen.getByRole('button', { name: 'Remove “Up to £40”', exact: true }).click()
  await expect.element(screen.getByRole('heading', { name: 'Dr Amara Okafor' })).toBeVisible()
  await expect.element(screen.getByText(/^We removed “Up to £40” and found 1 /)).toBeVisible()
  expect(router.state.location.search).not.toHaveProperty('fee_max')
  await screen.getByRole('button', { name: 'Undo' }).click()
  await expect
    .element(screen.getByRole('heading', { name: 'No doctors or dentists match your filters' }))
    .toBeVisible()
  expect(router.state.location.search).toMatchObject({ fee_max: '40', radius: '1' })
})

test('nobody at all within the widest search: the distance is said once, as the reason', async () => {
  const { screen } = await openPage(`/results?${NEAR}&specialty=dentist&fee_max=40`)
  await expect
    .element(screen.getByRole('heading', { name: 'No dentists within 50 miles' }))
    .toBeVisible()
  await expect
    .element(
      screen.getByText(/^We widened the search to 50 miles .* Nobody in this specialty offers/),
    )
    .toBeVisible()
  expect(screen.getByText(/We widened the search/).elements()).toHaveLength(1)
  await expect.element(screen.getByRole('button', { name: 'Clear all filters' })).toBeVisible()
})

test('nobody within any distance: no longer one is offered', async () => {
  const { screen } = await openPage(
    `/results?${NEAR}&specialty=dentist&radius=1&distance_filter_clicked=true`,
  )
  await expect.element(screen.getByText(/Nobody in .* Try somewhere else or another/)).toBeVisible()
  expect(screen.getByRole('button', { name: /^Search within/ }).elements()).toEqual([])
})

test('the filters, the order and the map stay in one row on a narrow phone', async ({
  testApp,
}) => {
  await page.viewport(360, 740)
  await testApp.addProvider({ offers_video: 1 })
  const { screen } = await openPage(`/results?${NEAR}&mode=video&sort=fee_high`)
  const top = (one: Locator) => one.element().getBoundingClientRect().top
  const map = screen.getByRole('link', { name: 'Map', exact: true })
  await expect.element(map).toBeVisible()
  expect(top(map)).toBe(top(screen.getByRole('button', { name: 'Filters 1 active' })))
})

test('an address that makes no sense still gives the sentence and the form', async () => {
  const { screen } = await openPage('/results?radius=-1&page=abc')
  await expect
    .element(screen.getByText('Choose a distance of 1, 3, 5, 10, 25 or 50 miles.'))
    .toBeVisible()
  await expect.element(screen.getByText('Choose a page between 1 and 10,000.')).toBeVisible()
  await expect.element(screen.getByRole('search')).toBeVisible()
})

test('a postcode that is not there is said, and the form keeps it', async () => {
  const { screen } = await openPage('/results?selectedRegion=uk&postcode=ZZ99+9ZZ')
  await expect.element(screen.getByRole('alert').getByText(/ZZ99.9ZZ/)).toBeVisible()
  await expect.element(screen.getByRole('combobox', { name: /Postcode/ })).toHaveValue('ZZ99 9ZZ')
})

test('a postcode of Northern Ireland that is in no table says so and leads to Belfast', async () => {
  const { screen, router } = await openPage('/results?selectedRegion=uk&postcode=BT58+4AA')
  await expect
    .element(screen.getByRole('alert').getByText(/^We don’t know where “BT58 4AA” is/))
    .toBeVisible()
  await screen.getByRole('button', { name: 'Search near Belfast' }).click()
  await expect.poll(() => router.state.location.search).toMatchObject({ postcode: 'Belfast' })
})

test('a slip in a name is forgiven and said; of several places of a name the others are offered', async ({
  testApp,
}) => {
  await testApp.addPlaces()
  const { screen, router } = await openPage('/results?selectedRegion=uk&postcode=Machester')
  await expect
    .element(screen.getByText('We couldn’t find “Machester”. Showing results for Manchester.'))
    .toBeVisible()
  router.history.push('/results?selectedRegion=uk&postcode=Newport')
  await expect.element(screen.getByText('Looking for a different Newport?')).toBeVisible()
  await screen.getByRole('button', { name: 'Newport, England' }).click()
  await expect
    .element(screen.getByRole('heading', { level: 1 }))
    .toMatchTextContent('Newport, England')
  expect(router.state.location.search).toMatchObject({ postcode: 'Newport, England' })
})

test('a page past the last one leads back to the first', async ({ testApp }) => {
  await testApp.addProvider()
  const { screen } = await openPage(`/results?${NEAR}&page=40`)
  await screen.getByRole('button', { name: 'Go to page 1' }).click()
  await expect.element(screen.getByRole('heading', { name: 'Dr Amara Okafor' })).toBeVisible()
})

test('while the results without a filter load, nothing is said about what they will be', async ({
  testApp,
}) => {
  await testApp.addProvider({ amount_minor: 9_000 })
  const { screen } = await openPage(`/results?${NEAR}&fee_max=40&radius=1`)
  const remove = screen.getByRole('button', { name: 'Remove “Up to £40”', exact: true })
  await expect.element(remove).toBeVisible()
  const release = delayRequests('search.providers')
  await remove.click()
  await expect.element(remove).not.toBeInTheDocument()
  expect(screen.getByText(/offers visits here yet/).elements()).toEqual([])
  expect(screen.getByText(/^We removed/).elements()).toEqual([])
  await expect.element(screen.getByRole('heading', { level: 1 })).toHaveFocus()
  release()
  await expect.element(screen.getByText(/^We removed “Up to £40” and found 1 /)).toBeVisible()
})
