import type { Page } from '@playwright/test'
import {
  checkScreen,
  expect,
  isWide,
  london,
  openHome,
  placeBox,
  queryParam,
  resultNames,
  test,
  waitForResults,
} from './harness/fixtures.ts'

test('in a rural place the search widens and says so; a chosen distance is kept, and empty @once', async ({
  page,
}) => {
  // The far north of Scotland, where hardly anybody lives.
  await page.goto('/results?selectedRegion=uk&postcode=KW14+8YN')
  await expect(page.getByRole('status').filter({ hasText: 'We widened' })).toHaveText(
    /^We widened the search to (25|50) miles because fewer than 3 doctors and dentists are within 10 miles\.$/,
  )
  await checkScreen(page)

  const chosen = new URLSearchParams({
    selectedRegion: 'uk',
    postcode: 'KW14 8YN',
    specialty: 'dentist',
    fee_max: '80',
    radius: '3',
    distance_filter_clicked: 'true',
  })
  await page.goto(`/results?${chosen}`)
  const empty = page.getByRole('heading', { name: 'No dentists within 3 miles' })
  await expect(empty).toBeVisible()
  await expect(page.getByText('We widened')).toBeHidden()
  // The button names a distance that has some: the next ones here have none.
  await page.getByRole('button', { name: /^Search within (25|50) miles$/ }).click()
  await expect(empty).toBeHidden()
  await expect(page.getByRole('list', { name: 'Results' })).toBeVisible()
  await page.goto(`/results?${chosen}`)
  await page.getByRole('button', { name: 'Clear all filters' }).click()
  await expect(page.getByRole('group', { name: 'Active filters' })).toBeHidden()
  await page.getByRole('button', { name: 'See all specialties' }).click()
  await expect(page).not.toHaveURL(/specialty/)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/^Doctors and dentists near/)
})

test('while a response is slow, the page says so and nothing untrue @once', async ({ page }) => {
  await page.goto(london({ specialty: 'dentist' }))
  await waitForResults(page)
  const count = page.getByText(/^[\d,]+ within \d+ miles$/)
  const dentists = await count.innerText()
  const gate = Promise.withResolvers<void>()
  await page.route(/search\.providers/, async (route) => {
    await gate.promise
    await route.continue()
  })
  if (!isWide(page)) await page.getByRole('button', { name: 'Edit search' }).click()
  await page.getByRole('combobox', { name: 'Specialty' }).selectOption('GP')
  await page.getByRole('button', { name: 'Search', exact: true }).click()
  const said = page.getByRole('status')
  await expect(said.filter({ hasText: /^Searching$/ })).toBeAttached()
  await expect(page.getByText('Searching…')).toBeVisible()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Dentists near SE1 6ET')
  await expect(count).toHaveText(dentists)
  gate.resolve()
  await waitForResults(page)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('GPs near SE1 6ET')
  await expect(said.filter({ hasText: /^GPs near SE1 6ET: / })).toBeAttached()
  await expect(page.getByText('Searching…')).toHaveCSS('opacity', '0')
})

test('on a phone the map opens at its top, and List returns to the same place in the list @phone', async ({
  page,
  context,
}) => {
  // A new visitor sees the cookie banner, with the link to the map above it.
  await context.clearCookies({ name: 'consentID' })
  await page.goto(london({ specialty: 'dentist' }))
  await waitForResults(page)
  await expect(page.getByRole('button', { name: 'Only necessary' })).toBeVisible()
  const sixth = resultNames(page).nth(5)
  await sixth.scrollIntoViewIfNeeded()
  const left = await page.evaluate(() => scrollY)
  expect(left).toBeGreaterThan(600)
  await page.getByRole('link', { name: 'Map', exact: true }).click()
  await expect(page.getByRole('region', { name: 'Map of results' })).toBeInViewport()
  await expect(page.getByRole('heading', { level: 1 })).toBeInViewport()
  await page.getByRole('link', { name: 'List', exact: true }).click()
  await expect(page).not.toHaveURL(/view=map/)
  await expect(sixth).toBeInViewport()
  expect(await page.evaluate(() => scrollY)).toBe(left)
})

test('on a phone an empty map suggests how to find somebody @phone', async ({ page }) => {
  const nobody = { specialty: 'dermatologist', fee_max: '40', radius: '3', view: 'map' }
  await page.goto(london({ ...nobody, distance_filter_clicked: 'true' }))
  await page.getByRole('button', { name: 'Remove “Up to £40”' }).click()
  await expect(page).not.toHaveURL(/fee_max/)
})

test('the map and the list show the same providers, and move together @desktop', async ({
  page,
}) => {
  await page.goto(london({ specialty: 'dentist' }))
  await waitForResults(page)
  const map = page.getByRole('region', { name: 'Map of results' })
  const names = await resultNames(page).allInnerTexts()
  for (const [at, one] of names.entries()) {
    await expect(map.getByRole('button', { name: `${at + 1}, ${one}, ` })).toBeVisible()
  }
  const name = names[1] ?? ''
  const pin = map.getByRole('button', { name: `2, ${name}, ` })
  const card = page.getByRole('article').filter({ has: page.getByRole('heading', { name }) })

  await resultNames(page).nth(1).hover()
  await expect(pin).toHaveClass(/is-hovered/)
  await page.mouse.move(0, 0)
  await expect(pin).not.toHaveClass(/is-hovered/)
  await resultNames(page).nth(1).getByRole('link').focus()
  await expect(pin).toHaveClass(/is-hovered/)

  await pin.focus()
  await expect(card).toHaveClass(/border-accent/)
  await page.keyboard.press('Enter')
  const popup = map.getByRole('dialog', { name })
  await expect(popup).toBeFocused()
  await expect(pin).toHaveAttribute('aria-pressed', 'true')
  await expect(card).toBeInViewport()
  await checkScreen(page)
  await page.keyboard.press('Escape')
  await expect(popup).toBeHidden()
  await expect(pin).toBeFocused()
})

test('moving the map does not search; “Search this area” does', async ({ page }) => {
  await page.goto(london({ specialty: 'dentist' }))
  await waitForResults(page)
  if (!isWide(page)) {
    await page.getByRole('link', { name: 'Map', exact: true }).click()
    await expect(page).toHaveURL(/view=map/)
  }
  const map = page.getByRole('region', { name: 'Map of results' })
  const search = map.getByRole('button', { name: 'Search this area' })
  await expect(map.getByRole('button', { name: /^1, / })).toBeVisible()
  await expect(search).toBeHidden()

  const address = page.url()
  await map.getByRole('application').focus()
  for (let presses = 0; presses < 4; presses += 1) await page.keyboard.press('ArrowRight')
  await map.getByRole('button', { name: 'Zoom in' }).click()
  await expect(search).toBeVisible()
  expect(page.url()).toBe(address)
  await checkScreen(page)
  await search.click()
  await expect(page).toHaveURL(/latitude=51\.\d+/)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Dentists in the area you chose')
  await expect(search).toBeHidden()
  expect(queryParam(page, 'distance_filter_clicked')).toBe('true')
  if (!isWide(page)) await page.getByRole('link', { name: 'List', exact: true }).click()
  await waitForResults(page)
  await page.getByRole('button', { name: 'Remove filter: Area chosen on the map' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Dentists near SE1 6ET')
})

test('offline the page says so, keeps its content, and loads the rest once the network is back', async ({
  page,
  context,
  problems,
}) => {
  problems.expect(/ERR_INTERNET_DISCONNECTED/)
  await page.goto(london())
  await waitForResults(page)
  const first = await resultNames(page).first().innerText()
  const map = page.getByRole('region', { name: 'Map of results' })
  const zoomIn = map.getByRole('button', { name: 'Zoom in' })
  if (isWide(page)) await expect(map.getByRole('button', { name: `1, ${first}, ` })).toBeVisible()
  await context.setOffline(true)
  await expect(page.getByRole('status').filter({ hasText: 'You’re offline.' })).toBeVisible()
  await expect(resultNames(page).first()).toHaveText(first)
  if (isWide(page)) {
    await zoomIn.click()
    await expect(map.getByRole('button', { name: 'Search this area' })).toBeVisible()
    await expect(map.getByRole('button', { name: `1, ${first}, ` })).toBeVisible()
  }
  await page.getByRole('combobox', { name: 'Sort by' }).selectOption('Highest fee first')
  const alert = page.getByRole('alert').filter({ hasText: 'You’re offline' })
  await expect(alert).toContainText('You’re offline.')
  await expect(alert.getByRole('button', { name: 'Try again' })).toBeVisible()
  await context.setOffline(false)
  await waitForResults(page)
  await expect(alert).toBeHidden()
  await expect(page.getByRole('combobox', { name: 'Sort by' })).toHaveValue('fee_high')
})

test('three results fit a window of 1440 by 900, beside a map of the same height @desktop', async ({
  page,
}) => {
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.goto(london({ specialty: 'dentist' }))
  await waitForResults(page)
  await expect(page.getByRole('article').nth(2)).toBeInViewport({ ratio: 1 })
  const map = page.getByRole('region', { name: 'Map of results' })
  await expect(map).toBeVisible()
  const bottom = async () => {
    const box = await map.boundingBox()
    return Math.round((box?.y ?? 0) + (box?.height ?? 0))
  }
  expect(await bottom()).toBeLessThanOrEqual(900)
  expect(await bottom()).toBeGreaterThan(895)
  await page.mouse.wheel(0, 700)
  await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(600)
  expect(await bottom()).toBeGreaterThan(895)
})

test('a phone shows the first times at once, and nothing covers them @phone', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 800 })
  await page.goto(london({ specialty: 'dentist' }))
  await waitForResults(page)
  const times = page.getByRole('article').first().getByRole('listitem').getByRole('link')
  await expect(times.first()).toBeInViewport({ ratio: 1 })
  const summary = await page.getByRole('button', { name: 'Edit search' }).boundingBox()
  expect(summary?.height).toBeLessThanOrEqual(44)
  // The link to the map always stays in the row above the list and covers no times.
  await resultNames(page).nth(5).scrollIntoViewIfNeeded()
  const link = page.getByRole('link', { name: 'Map', exact: true })
  await expect(link).toBeInViewport({ ratio: 1 })
  await expect.poll(async () => (await link.boundingBox())?.y ?? 999).toBeLessThan(60)
})

test('a profile’s breadcrumb leads back to the same results: page, order and scroll @once', async ({
  page,
}) => {
  await page.goto(london({ sort: 'name', page: '2' }))
  await waitForResults(page)
  const fourth = resultNames(page).nth(3)
  const name = await fourth.innerText()
  await fourth.getByRole('link').hover()
  const left = await page.evaluate(() => scrollY)
  expect(left).toBeGreaterThan(200)
  await fourth.getByRole('link').click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(name)
  await page
    .getByRole('navigation', { name: 'Breadcrumb' })
    .getByRole('link', { name: 'Doctors and dentists near SE1 6ET' })
    .click()
  await expect(page).toHaveURL(/sort=name/)
  await expect(page).toHaveURL(/page=2/)
  await expect(resultNames(page).nth(3)).toHaveText(name)
  await expect.poll(() => page.evaluate(() => Math.round(scrollY))).toBe(Math.round(left))
})

/** Whatever was requested, the page has a heading, a working place box and no application error. */
async function expectUsable(page: Page): Promise<void> {
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(page.getByText('Unexpected Application Error!')).toBeHidden()
  await expect(page.getByText('Something went wrong')).toBeHidden()
  const edit = page.getByRole('button', { name: 'Edit search' })
  if (await edit.isVisible()) await edit.click()
  await expect(placeBox(page)).toBeEditable()
}

const places = [
  {
    place: 'QQ1 1AA',
    region: 'uk',
    says: 'We can’t find the postcode “QQ1 1AA”. Check it and try again.',
  },
  {
    place: 'BFPO 1',
    region: 'uk',
    says: '“BFPO 1” isn’t a place on the map. Enter the postcode of where you want to be seen.',
  },
  {
    place: '09012',
    region: 'usa',
    says: '“09012” is a military ZIP code overseas. Enter the ZIP code of where you want to be seen.',
  },
  {
    place: '00000',
    region: 'usa',
    says: 'We can’t find the ZIP code “00000”. Check it and try again.',
  },
  { place: '<img src=x onerror=alert(1)>', region: 'uk', says: '' },
  { place: "Leeds'; DROP TABLE providers; --", region: 'uk', says: '' },
]

test('invalid places: a message, and the form with the typed text @once', async ({
  page,
  problems,
}) => {
  problems.expect(/answered 40[04]: .*search/, /status of 40[04]/)
  for (const { place, region, says } of places) {
    const query = new URLSearchParams({ selectedRegion: region, postcode: place })
    await page.goto(`/results?${query}`)
    const alert = page.getByRole('alert')
    await expect(alert).toContainText('We couldn’t find that place')
    await expect(alert).toContainText(says)
    await expectUsable(page)
    await expect(placeBox(page)).toHaveValue(place)
  }
  await checkScreen(page)
  await page.getByRole('button', { name: 'Change the place' }).click()
  await expect(placeBox(page)).toBeFocused()
  await placeBox(page).fill('LS1 4DY')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(
    'Doctors and dentists near LS1 4DY',
  )
  await waitForResults(page)
})

const addresses = [
  { query: { radius: '-1' }, says: 'Choose a distance of 1, 3, 5, 10, 25 or 50 miles.' },
  { query: { radius: '1e9' }, says: 'Choose a distance of 1, 3, 5, 10, 25 or 50 miles.' },
  { query: { page: 'abc' }, says: 'Choose a page between 1 and 10,000.' },
  { query: { page: '99999999999999999999' }, says: 'Choose a page between 1 and 10,000.' },
  {
    query: { latitude: '91', longitude: '0' },
    says: 'Choose a point on the map.',
  },
  { query: { specialty: '<script>alert(1)</script>' }, says: 'Choose a specialty from the list.' },
  { query: { sort: "name'--" }, says: 'Choose one of the sort options.' },
  { query: { fee_max: 'NaN' }, says: 'Enter a maximum fee between 1 and 10,000.' },
]

test('invalid URLs: unusable parameters are reported, the rest is searched @once', async ({
  page,
}) => {
  for (const { query, says } of addresses) {
    await page.goto(london(query))
    await expect(page.getByText(says)).toBeVisible()
    await expectUsable(page)
    await waitForResults(page)
  }
  await page.goto(london({ page: '9999' }))
  await expect(page.getByRole('heading', { name: 'That page doesn’t exist' })).toBeVisible()
  await checkScreen(page)
  await page.getByRole('button', { name: 'Go to page 1' }).click()
  await waitForResults(page)
})

test('ten thousand characters are refused with a message, in the form and in the URL @once', async ({
  page,
}) => {
  const long = 'SE1 '.repeat(2_500)
  await openHome(page)
  await placeBox(page).fill(long)
  await page.getByRole('button', { name: 'Search', exact: true }).click()
  await expect(placeBox(page)).toBeFocused()
  await expect(placeBox(page)).toHaveAccessibleDescription('Enter a valid postcode.')
  await expect(placeBox(page)).toHaveValue(long)
  await checkScreen(page)
  await page.goto(`/results?${new URLSearchParams({ postcode: long })}`)
  await expect(page.getByText('Enter a valid postcode.')).toBeVisible()
  await expectUsable(page)
  await checkScreen(page)
})
