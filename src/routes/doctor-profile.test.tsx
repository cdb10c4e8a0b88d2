import { expect } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { makeApiClient } from '#app/trpc.ts'
import { test } from '#tests/harness/spa/spa-bridge.ts'
import { openPage, signIn } from '#tests/harness/spa/spa-page.tsx'

/** An instant of March 2026, when London is on UTC. */
const at = (day: number, time: string) =>
  Date.parse(`2026-03-${String(day).padStart(2, '0')}T${time}:00Z`)

test('a free time is chosen, stands in the address and is named by the next step', async ({
  testApp,
}) => {
  const { id } = await testApp.addProvider()
  const { screen, router } = await openPage(`/doctor-profile/${id}/0.4?region=uk`)
  await expect
    .element(screen.getByRole('heading', { level: 1 }))
    .toHaveTextContent('Dr Amara Okafor')
  await expect.element(screen.getByText(/7000001/)).toBeVisible()
  await expect.element(screen.getByText('Choose a time to carry on.')).toBeVisible()

  const pill = screen.getByRole('button', { name: '09:30, Tuesday 3 March', exact: true })
  await pill.click()
  await expect.element(pill).toHaveAttribute('aria-pressed', 'true')
  expect(router.state.location.search).toMatchObject({ date: '2026-03-03', time: '09:30' })
  const next = screen.getByRole('link', { name: 'Continue with Tue 3 Mar, 09:30' })
  await expect.element(next).toHaveAttribute('href', expect.stringContaining(`/appointment/${id}?`))

  await screen.getByRole('tab', { name: /Wed 4 Mar/ }).click()
  await expect.element(screen.getByText('Choose a time to carry on.')).toBeVisible()
  expect(router.state.location.search).not.toHaveProperty('time', '09:30')
})

test('the breadcrumb leads back to the person’s own search, also after a time was chosen', async ({
  testApp,
}) => {
  for (let nth = 0; nth < 12; nth += 1) await testApp.addProvider({ first_name: `Ada${nth}` })
  const own = 'latitude=51.4965&longitude=-0.0985&sort=name&fee_max=100&page=2'
  const { screen, router } = await openPage(`/results?selectedRegion=uk&${own}`)
  const list = screen.getByRole('list', { name: 'Results' })
  await list.getByRole('heading', { level: 3 }).last().getByRole('link').click()
  await screen.getByRole('button', { name: '09:30, Tuesday 3 March', exact: true }).click()
  await expect.poll(() => router.state.location.search).toMatchObject({ time: '09:30' })
  const trail = screen.getByRole('navigation', { name: 'Breadcrumb' })
  const back = trail.getByRole('link', { name: 'Doctors and dentists in the area you chose' })
  await expect.element(back).toHaveAttribute('href', expect.stringContaining('sort=name'))
  await back.click()
  await expect.poll(() => router.state.location.pathname).toBe('/results')
  expect(router.state.location.search).toMatchObject({ sort: 'name', fee_max: '100', page: '2' })
  // The link went back in the history rather than adding an entry.
  expect(router.state.location.state.__TSR_index).toBe(0)
})

test('whoever comes by another way is led to others near the practice', async ({ testApp }) => {
  const { id } = await testApp.addProvider()
  const { screen } = await openPage(`/doctor-profile/${id}/0.4?region=uk`)
  const trail = screen.getByRole('navigation', { name: 'Breadcrumb' })
  await expect.element(trail.getByRole('link', { name: 'GPs near SE1 6ET' })).toBeVisible()
})

test('“First available” chooses the soonest time at once', async ({ testApp }) => {
  const { id } = await testApp.addProvider()
  const { screen } = await openPage(`/doctor-profile/${id}/0.4?region=uk`)
  await screen.getByRole('button', { name: /First available/ }).click()
  await expect
    .element(screen.getByRole('link', { name: 'Continue with Tue 3 Mar, 09:00' }))
    .toBeVisible()
  await expect.element(screen.getByText('Times shown in London time (GMT)')).toBeVisible()
})

test('the zone is named as on the chosen day, also after clocks have changed', async ({
  testApp,
}) => {
  const april = Date.parse('2026-04-01T09:00:00Z')
  const { id } = await testApp.addProvider({ slots: [at(4, '09:00'), april] })
  const { screen } = await openPage(`/doctor-profile/${id}/0.4?region=uk&date=2026-04-01`)
  const pill = screen.getByRole('button', { name: '10:00, Wednesday 1 April', exact: true })
  await expect.element(pill).toBeVisible()
  await expect.element(screen.getByText('Times shown in London time (BST)')).toBeVisible()
  await screen.getByRole('tab', { name: /Wed 4 Mar/ }).click()
  await expect.element(screen.getByText('Times shown in London time (GMT)')).toBeVisible()
})

test('other dates by keyboard: focus moves to the times, and back to the calendar', async ({
  testApp,
}) => {
  const slots = [at(3, '09:00'), at(4, '09:00'), at(10, '09:00'), at(10, '14:00'), at(12, '18:00')]
  const { id } = await testApp.addProvider({ slots })
  const { screen } = await openPage(`/doctor-profile/${id}/0.4?region=uk`)
  await screen.getByRole('tab', { name: 'Other dates' }).click()
  const third = screen.getByRole('button', { name: 'Tuesday 3 March, 1 time' })
  await expect.element(third).toBeVisible()
  third.element().focus()
  await userEvent.keyboard('{ArrowDown}')
  const tenth = screen.getByRole('button', { name: 'Tuesday 10 March, 2 times' })
  await expect.element(tenth).toHaveFocus()
  await userEvent.keyboard('{Enter}')
  await expect
    .element(screen.getByRole('heading', { name: 'Tuesday 10 March, free times', exact: true }))
    .toHaveFocus()
  await expect.element(screen.getByRole('group', { name: 'Afternoon' })).toBeVisible()
  await screen.getByRole('button', { name: 'Choose a different date' }).click()
  await expect.element(tenth).toHaveFocus()
})

test('a month without times leads to the next one that has some, and focus goes with it', async ({
  testApp,
}) => {
  const may = Date.parse('2026-05-05T09:00:00Z')
  const { id } = await testApp.addProvider({ slots: [at(3, '09:00'), may] })
  const { screen } = await openPage(`/doctor-profile/${id}/0.4?region=uk`)
  await screen.getByRole('tab', { name: 'Other dates' }).click()
  await screen.getByRole('button', { name: 'Next month' }).click()
  await expect.element(screen.getByText(/No free times in April 2026/)).toBeVisible()
  await screen.getByRole('button', { name: 'Next free Tue 5 May' }).click()
  await expect.element(screen.getByRole('button', { name: 'Tuesday 5 May, 1 time' })).toHaveFocus()
})

test('a chosen time that is gone offers the nearest ones', async ({ testApp }) => {
  const { id } = await testApp.addProvider()
  const address = `/doctor-profile/${id}/0.4?region=uk&date=2026-03-03&time=13:00`
  const { screen } = await openPage(address)
  await expect.element(screen.getByText('That time is no longer free')).toBeVisible()
  const notice = screen.getByRole('status').filter({ hasText: 'That time is no longer free' })
  await notice.getByRole('button', { name: /^11:30.*Tuesday 3 March/ }).click()
  await expect
    .element(screen.getByRole('link', { name: 'Continue with Tue 3 Mar, 11:30' }))
    .toBeVisible()
  await expect
    .element(screen.getByRole('heading', { name: 'Tuesday 3 March, free times', exact: true }))
    .toHaveFocus()
})

test('a day in the address that no calendar here reaches counts as none', async ({ testApp }) => {
  const { id } = await testApp.addProvider()
  const { screen } = await openPage(`/doctor-profile/${id}/0.4?region=uk&date=9999-12-01`)
  await expect.element(screen.getByText('Choose a time to carry on.')).toBeVisible()
  await expect
    .element(screen.getByRole('button', { name: '09:30, Tuesday 3 March', exact: true }))
    .toBeVisible()
})

test('the documented words stand in for no free times and no place of search', async ({
  testApp,
}) => {
  const { id } = await testApp.addProvider({ slots: [] })
  const { screen } = await openPage(`/doctor-profile/${id}/nonsense?region=elsewhere&date=soon`)
  await expect.element(screen.getByText(/has no online times at the moment/)).toBeVisible()
  await expect
    .element(screen.getByRole('form', { name: 'Message to Dr Amara Okafor' }))
    .toBeVisible()
  await expect.element(screen.getByText(/away/)).not.toBeInTheDocument()
})

test.for(['prv_00000000000000000000000000', '<script>', "' OR 1=1"])(
  'there is no provider %s: the page says so and leads on',
  async (id) => {
    const { screen } = await openPage(`/doctor-profile/${encodeURIComponent(id)}/1.0?region=uk`)
    await expect
      .element(screen.getByRole('heading', { level: 1 }))
      .toHaveTextContent('We can’t find this provider')
    await expect.element(screen.getByRole('search')).toBeVisible()
  },
)

test('the distance stands beside the place it was measured to, and nowhere else', async ({
  testApp,
}) => {
  const { id } = await testApp.addProvider()
  const { screen, router } = await openPage(`/doctor-profile/${id}/0.4?region=uk`)
  const name = screen.getByRole('heading', { level: 1 })
  await expect.element(screen.getByText(/0\.4 miles away/)).toBeVisible()
  // Links that do not come from a search say 0.
  router.history.push(`/doctor-profile/${id}/0?region=uk`)
  await expect.element(screen.getByText(/0\.4 miles away/)).not.toBeInTheDocument()
  expect(screen.getByText(/miles away/).elements()).toEqual([])
  // Results measure to the nearest of several places, which need not be the main one shown here.
  const leeds = { name: 'Leeds Rooms', locality: 'Leeds', postcode: 'LS1 4AP' }
  const places = [{ ...leeds, latitude: 53.795, longitude: -1.556 }, {}]
  const other = await testApp.addProvider({ last_name: 'Moss', places })
  router.history.push(`/doctor-profile/${other.id}/0.4?region=uk`)
  await expect.element(name).toHaveTextContent('Dr Amara Moss')
  await expect.element(screen.getByText('Leeds Rooms, Leeds').first()).toBeVisible()
  expect(screen.getByText(/0\.4 miles away/).elements()).toEqual([])
})

test('a profile reached from one nearby shows no distance: that was measured from the first', async ({
  testApp,
}) => {
  const { id } = await testApp.addProvider()
  await testApp.addProvider({ last_name: 'Moss', place: { latitude: 51.51 } })
  const { screen } = await openPage(`/doctor-profile/${id}/0.4?region=uk`)
  await expect.element(screen.getByText(/0\.9 miles away/)).toBeVisible()
  await screen.getByRole('link', { name: 'Dr Amara Moss', exact: true }).click()
  await expect.element(screen.getByRole('heading', { level: 1 })).toHaveTextContent('Dr Amara Moss')
  // Only the card of the first, now the one nearby.
  expect(screen.getByText(/0\.9 miles away/).elements()).toHaveLength(1)
})

test('a type of visit that takes place in no way offered now has no fee in the list and is not chosen', async ({
  testApp,
}) => {
  const provider = await testApp.addProvider({ offers_video: 1 })
  const owner = { kind: 'provider', email: provider.email, provider_no: provider.no } as const
  await signIn(await testApp.addAccount(owner))
  const { profiles } = makeApiClient()
  const fees = { amount: 9_000, follow_amount: 4_000, minutes: 30, placeId: null }
  await profiles.saveVisitType.mutate({ ...fees, name: 'Advice', mode: 'video' })
  const conditions = { free_cancel_hours: 24, late_cancel_percent: 50 } as const
  const offer = { ...conditions, modes: ['in_person'], follow_up_policy: 'trust' } as const
  await profiles.updateOffer.mutate({ ...offer, modes: [...offer.modes] })
  const { screen } = await openPage(`/doctor-profile/${provider.id}/0.4?region=uk`)
  const list = screen.getByRole('region', { name: 'Fees' }).getByRole('rowheader')
  await expect.poll(() => list.elements()).toHaveLength(2)
  expect(screen.getByText(/Advice/).elements()).toEqual([])
})

test('the longest names of places stay within a narrow phone', async ({ testApp }) => {
  await page.viewport(360, 740)
  const name = 'Llanfairpwllgwyngyllgogerychwyrndrobwllllantysiliogogogoch Surgery'
  const { id } = await testApp.addProvider({ places: [{ name }, { name: `${name} at night` }] })
  const { screen } = await openPage(`/doctor-profile/${id}/0.4?region=uk`)
  await expect.element(screen.getByRole('button', { name: /^First available/ })).toBeVisible()
  const { scrollWidth, clientWidth } = document.documentElement
  expect(scrollWidth).toBe(clientWidth)
})

for (const [surname, width] of [
  ['Featherstonehaugh', 360],
  ['Wolfeschlegelsteinhausen', 320],
] as const) {
  test(`the surname ${surname} stays in one piece on a phone ${width} pixels wide`, async ({
    testApp,
  }) => {
    await page.viewport(width, 740)
    const { id } = await testApp.addProvider({ last_name: surname })
    const { screen } = await openPage(`/doctor-profile/${id}/0.4?region=uk`)
    const heading = screen.getByRole('heading', { level: 1 })
    await expect.element(heading).toHaveTextContent(`Dr Amara ${surname}`)
    await document.fonts.ready
    const text = heading.element().firstChild
    const range = document.createRange()
    range.setStart(text ?? document, 'Dr Amara '.length)
    range.setEnd(text ?? document, `Dr Amara ${surname}`.length)
    // One box for every line that it takes.
    expect(range.getClientRects()).toHaveLength(1)
    await page.viewport(1280, 900)
  })
}
