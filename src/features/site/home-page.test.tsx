import { afterEach, expect, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { test } from '#tests/harness/spa/spa-bridge.ts'
import { openPage } from '#tests/harness/spa/spa-page.tsx'
import { delayRequests, failRequests } from '#tests/spa/fake-network.ts'
import { mutateDirectly } from '#tests/spa/staff.ts'

const place = () => page.getByRole('combobox', { name: 'Postcode or town' })
const search = () => page.getByRole('button', { name: 'Search', exact: true })

afterEach(() => {
  vi.restoreAllMocks()
  localStorage.clear()
  delete document.documentElement.dataset['theme']
})

test('the region selector offers UK and USA, starts at UK and is kept under selectedRegion', async () => {
  await openPage('/home')
  await expect.element(page.getByRole('radio', { name: 'UK' })).toBeChecked()
  await page.getByRole('radio', { name: 'USA' }).click()
  expect(localStorage.getItem('selectedRegion')).toBe('usa')
  await expect.element(page.getByRole('combobox', { name: 'ZIP code or town' })).toBeInTheDocument()
})

test('another region keeps what was typed and chosen, and speaks of its own codes', async () => {
  await openPage('/home')
  await search().click()
  await expect.element(place()).toHaveAccessibleDescription('Enter a postcode or a town.')
  await place().fill('Springfield')
  await page.getByRole('combobox', { name: 'Distance' }).selectOptions('Within 25 miles')
  await page.getByRole('radio', { name: 'USA' }).click()
  const zip = page.getByRole('combobox', { name: 'ZIP code or town' })
  await expect.element(zip).toHaveValue('Springfield')
  await expect.element(page.getByRole('combobox', { name: 'Distance' })).toHaveValue('25')
  await zip.fill('')
  await search().click()
  await expect.element(zip).toHaveAccessibleDescription('Enter a ZIP code or a town.')
})

test('the region selector is on no other page', async () => {
  await openPage('/about-us')
  await expect.element(page.getByRole('heading', { name: 'About us' })).toBeVisible()
  expect(page.getByRole('radio', { name: 'USA' }).elements()).toEqual([])
})

test('the homepage colour is white by default', async () => {
  await openPage('/home')
  document.documentElement.dataset['theme'] = 'light'
  const hero = page.getByRole('heading', { level: 1 }).element().closest('section')
  const ground = hero?.querySelector('rect') ?? null
  await expect.element(ground).toHaveStyle({ fill: 'rgb(255, 255, 255)' })
})

test('without a place the search stays, says what to enter and keeps the rest', async () => {
  const { router } = await openPage('/home')
  await page.getByRole('combobox', { name: 'Distance' }).selectOptions('Within 25 miles')
  await search().click()
  await expect.element(place()).toHaveFocus()
  await expect.element(place()).toHaveAccessibleDescription('Enter a postcode or a town.')
  await expect.element(page.getByRole('combobox', { name: 'Distance' })).toHaveValue('25')
  expect(router.state.location.pathname).toBe('/home')
})

test('the distances on offer are 1, 3, 5, 10, 25 and 50 miles, 10 at first', async () => {
  await openPage('/home')
  const distance = page.getByRole('combobox', { name: 'Distance' })
  await expect.element(distance).toHaveValue('10')
  const options = [...distance.element().querySelectorAll('option')].map((one) => one.value)
  expect(options).toEqual(['1', '3', '5', '10', '25', '50'])
})

test('a search goes to /results with everything in the address', async () => {
  const { router } = await openPage('/home')
  await place().fill('  SE1 6ET ')
  await page.getByRole('combobox', { name: 'Distance' }).selectOptions('Within 5 miles')
  await userEvent.keyboard('{Escape}')
  await search().click()
  await expect.poll(() => router.state.location.pathname).toBe('/results')
  const address = new URLSearchParams(router.state.location.searchStr)
  expect(Object.fromEntries(address)).toEqual({
    selectedRegion: 'uk',
    postcode: 'SE1 6ET',
    radius: '5',
    distance_filter_clicked: 'true',
  })
})

test('a search without a chosen distance arrives with nothing to complain about', async () => {
  const { router } = await openPage('/home')
  await place().fill('SE1 6ET')
  await userEvent.keyboard('{Enter}')
  await expect.poll(() => router.state.location.pathname).toBe('/results')
  await expect.element(page.getByRole('heading', { level: 1 })).toBeVisible()
  expect(router.state.location.searchStr).not.toContain('refused')
  expect(page.getByText('could not be used').elements()).toEqual([])
})

test('a specialty asks for a place the first time, and leads near the last place searched after that', async ({
  testApp,
}) => {
  await testApp.addPlaces()
  const first = await openPage('/home')
  await page.getByRole('link', { name: /^Dentists/ }).click()
  const dialog = page.getByRole('dialog', { name: 'Dentists near you' })
  await dialog.getByRole('button', { name: 'Search' }).click()
  const asked = dialog.getByRole('combobox', { name: 'Postcode or town' })
  await expect.element(asked).toHaveAccessibleDescription('Enter a postcode or a town.')
  await asked.fill('se1 6et')
  await userEvent.keyboard('{Enter}')
  await expect
    .element(page.getByRole('heading', { level: 1 }))
    .toHaveTextContent('Dentists near SE1 6ET')
  await expect.poll(() => localStorage.getItem('lastPlace_uk')).toBe('SE1 6ET')
  await first.screen.unmount()
  const { router } = await openPage('/home')
  await expect.element(page.getByText('Near SE1 6ET, where you last searched')).toBeVisible()
  await page.getByRole('link', { name: /^GPs/ }).click()
  await expect
    .element(page.getByRole('heading', { level: 1 }))
    .toHaveTextContent('GPs near SE1 6ET')
  expect(router.state.location.search).toMatchObject({ specialty: 'gp', postcode: 'SE1 6ET' })
})

const button = () => page.getByRole('button', { name: 'Use my location' })

/** Fakes the browser's geolocation: a position, or an error. */
function locateAt(answer: { latitude: number; longitude: number } | { code: number }) {
  return vi
    .spyOn(navigator.geolocation, 'getCurrentPosition')
    .mockImplementation((found, failed) => {
      const [position, error]: unknown[] =
        'code' in answer ? [null, { ...answer, PERMISSION_DENIED: 1 }] : [{ coords: answer }, null]
      // Scripts cannot construct the browser's own objects: these are the properties that the page reads.
      /* oxlint-disable typescript/no-unsafe-type-assertion */
      if (position === null) failed?.(error as GeolocationPositionError)
      else found(position as GeolocationPosition)
      /* oxlint-enable typescript/no-unsafe-type-assertion */
    })
}

test('“Use my location” asks the browser on a press only and fills in the postcode sector', async ({
  testApp,
}) => {
  await testApp.addPlaces()
  const asked = locateAt({ latitude: 51.498_123, longitude: -0.101_456 })
  await openPage('/home')
  await expect.element(button()).toBeVisible()
  expect(asked).not.toHaveBeenCalled()
  await button().click()
  await expect.element(place()).toHaveValue('SE1 6')
  await expect.element(page.getByText('You’re near SE1 6.')).toBeInTheDocument()
  expect(asked).toHaveBeenCalledOnce()
})

test('a location that arrives late replaces neither a typed place nor the region', async ({
  testApp,
}) => {
  await testApp.addPlaces()
  locateAt({ latitude: 51.498_123, longitude: -0.101_456 })
  const release = delayRequests('search.locate')
  await openPage('/home')
  await page.getByRole('radio', { name: 'USA' }).click()
  await button().click()
  const zip = page.getByRole('combobox', { name: 'ZIP code or town' })
  await zip.fill('Boston')
  release()
  await Promise.all(vi.mocked(fetch).mock.results.map(({ value }): unknown => value))
  await new Promise((resolve) => setTimeout(resolve, 50))
  await expect.element(zip).toHaveValue('Boston')
  await expect.element(page.getByRole('radio', { name: 'USA' })).toBeChecked()
})

test.for([
  [{ code: 1 }, /^Location is blocked for this site\. .* or enter a postcode or a town\.$/],
  [{ code: 2 }, /^We couldn’t get your location\. Try again, or enter a postcode or a town\.$/],
  [{ latitude: 48.857, longitude: 2.352 }, /^You seem to be outside the UK and the USA\./],
] as const)(
  'where there is no location for %o, the page says why',
  async ([answer, said], { testApp }) => {
    await testApp.addPlaces()
    locateAt(answer)
    await openPage('/home')
    await button().click()
    await expect.element(place()).toHaveAccessibleDescription(said)
    await place().fill('S')
    await expect.element(place()).not.toHaveAccessibleDescription(said)
  },
)

test('the specialties are kept in local storage under speciality_uk', async () => {
  await openPage('/home')
  await expect.poll(() => localStorage.getItem('speciality_uk')).toContain('"slug"')
})

test('an open tab shows what staff have changed as soon as one comes back to it', async ({
  testApp,
}) => {
  const email = 'editor@demo.example'
  await testApp.addAccount({ email, kind: 'staff', role: 'editor', date_of_birth: null })
  await mutateDirectly('auth.enterDemo', { email })
  await openPage('/home')
  const hero = page.getByRole('heading', { level: 1 }).element().closest('section')
  expect(hero?.dataset['ink']).toBe('dark')
  await mutateDirectly('gallery.publishColor', { color: '#084c41' })
  // Repeated, as returning to the tab does not refetch while a request is in flight.
  await expect
    .poll(() => {
      window.dispatchEvent(new Event('visibilitychange'))
      return hero?.dataset['ink']
    })
    .toBe('light')
})

test('a notice that was closed stays closed until staff write another', async ({ testApp }) => {
  const email = 'editor@demo.example'
  await testApp.addAccount({ email, kind: 'staff', role: 'editor', date_of_birth: null })
  await mutateDirectly('auth.enterDemo', { email })
  const notice = { modal_heading: 'Open on Sundays', modal_description: 'From March.' }
  await mutateDirectly('gallery.publishModal', { ...notice, show_modal: true })
  await openPage('/home')
  await page.getByRole('dialog', { name: 'Open on Sundays' }).getByText('Close').click()
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument()
  window.dispatchEvent(new Event('visibilitychange'))
  await mutateDirectly('gallery.publishModal', {
    ...notice,
    modal_heading: 'And on Mondays',
    show_modal: true,
  })
  // Repeated, as returning to the tab does not refetch while a request is in flight.
  await expect
    .poll(() => {
      window.dispatchEvent(new Event('visibilitychange'))
      return page.getByRole('dialog', { name: 'And on Mondays' }).query()
    })
    .not.toBeNull()
})

test('the notice waits until the cookie banner is answered: never both at once', async ({
  testApp,
}) => {
  const email = 'editor@demo.example'
  await testApp.addAccount({ email, kind: 'staff', role: 'editor', date_of_birth: null })
  await mutateDirectly('auth.enterDemo', { email })
  const notice = { modal_heading: 'Open on Sundays', modal_description: 'From March.' }
  await mutateDirectly('gallery.publishModal', { ...notice, show_modal: true })
  await openPage('/home', { hasCookieConsent: false })
  const banner = page.getByRole('region', { name: 'Cookies' })
  await expect.element(banner).toBeVisible()
  await expect.element(page.getByText('Popular specialties')).toBeVisible()
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument()
  await banner.getByRole('button', { name: 'Only necessary' }).click()
  await expect.element(page.getByRole('dialog', { name: 'Open on Sundays' })).toBeVisible()
  await expect.element(banner).not.toBeInTheDocument()
})

test('specialties that do not load leave the search for everybody, and are asked for again', async () => {
  const cut = failRequests('search.specialities')
  const { router } = await openPage('/home')
  const popular = page.getByRole('region', { name: 'Popular specialties' })
  await expect
    .element(popular.getByRole('alert'))
    .toMatchTextContent(/The specialties didn’t load.*You’re offline\./)
  const specialty = page.getByRole('combobox', { name: 'Specialty' })
  await expect.element(specialty).toHaveTextContent('Any specialtyThe list didn’t load')
  cut.mockRestore()
  specialty.element().focus()
  await expect.element(popular.getByRole('link').first()).toBeVisible()
  await expect.element(popular.getByRole('alert')).not.toBeInTheDocument()
  await specialty.selectOptions('Dentist')
  await place().fill('SE1 6ET')
  await search().click()
  await expect.poll(() => router.state.location.search).toMatchObject({ specialty: 'dentist' })
})
