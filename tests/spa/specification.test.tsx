import { afterEach, expect, vi } from 'vitest'
import { page } from 'vitest/browser'
import { SPECIALITY_CACHE_MS } from '#app/parts/use-specialities.ts'
import { test } from '#tests/harness/spa/spa-bridge.ts'
import { openPage } from '#tests/harness/spa/spa-page.tsx'
import { changeResponses, recordRequests } from './fake-network.ts'

// Follows the specification: what sections 2, 3, 5, 8 and 9 say about home, results, profile and the
// information pages. The REST calls of section 7 have their own tests.

afterEach(() => {
  vi.restoreAllMocks()
  localStorage.clear()
})

const UNKNOWN_PROVIDER = `prv_${'0'.repeat(26)}`

/** "The routes below are listed as written", with the heading of each. */
const routes = [
  { route: '/home', address: '/home', heading: /^Find a doctor or dentist near you/ },
  { route: '/sign-in', address: '/sign-in', heading: 'Sign in' },
  { route: '/register', address: '/register', heading: 'Register' },
  { route: '/results', address: '/results', heading: 'Find a doctor or dentist' },
  { route: '/contact-us', address: '/contact-us', heading: 'Contact us' },
  { route: '/about-us', address: '/about-us', heading: 'About us' },
  { route: '/terms-of-use', address: '/terms-of-use', heading: 'Terms of use' },
  { route: '/privacy-cookie', address: '/privacy-cookie', heading: 'Privacy and cookies' },
  { route: '/modal', address: '/modal', heading: 'Promotional modal' },
  { route: '/company-profile', address: '/company-profile', heading: 'Company profile' },
  {
    route: '/doctor-profile/$id/$distance',
    address: `/doctor-profile/${UNKNOWN_PROVIDER}/1.2?region=uk`,
    heading: 'We can’t find this provider',
  },
  {
    route: '/appointment/$doc_id',
    address: `/appointment/${UNKNOWN_PROVIDER}?region=uk`,
    heading: 'We can’t find this provider',
  },
]

test.for([...routes, { route: '/', address: '/', heading: 'Come in and try it' }])(
  '2: the route $route',
  async ({ route, address, heading }) => {
    const { router } = await openPage(address)
    await expect.element(page.getByRole('heading', { level: 1, name: heading })).toBeVisible()
    expect(router.state.matches.at(-1)?.routeId).toBe(route)
    expect(router.state.location.href).toContain(address.split('?')[0])
  },
)

test('2: the region selector (UK, USA) appears on the home page only', async () => {
  const { router } = await openPage('/home')
  const group = page.getByRole('group', { name: 'Region' })
  await expect.element(group).toBeVisible()
  expect(
    group
      .getByRole('radio')
      .elements()
      .map((radio) => radio.closest('label')?.textContent),
  ).toEqual(['UK', 'USA'])
  for (const { address } of routes.filter((one) => one.route !== '/home')) {
    await router.navigate({ href: address })
    await expect.element(group).not.toBeInTheDocument()
  }
})

test('2: public pages share a common layout', async () => {
  const { router } = await openPage('/home')
  for (const { address } of routes) {
    await router.navigate({ href: address })
    for (const landmark of ['banner', 'main'] as const) {
      await expect.element(page.getByRole(landmark)).toBeVisible()
    }
    // During booking no footer links lead away (decision 038).
    const footer = page.getByRole('contentinfo')
    if (address.startsWith('/appointment/')) await expect.element(footer).not.toBeInTheDocument()
    else await expect.element(footer).toBeVisible()
  }
})

test.for([
  { route: '/reset-password/$token', heading: 'Choose a new password' },
  { route: '/verify/$email_verify', heading: 'Confirm your email address' },
])('2: $route has no layout wrapper', async ({ route, heading }) => {
  const { router } = await openPage(route.replace(/\$\w+$/, 'x'.repeat(43)))
  await expect.element(page.getByRole('heading', { level: 1, name: heading })).toBeVisible()
  expect(router.state.matches.at(-1)?.routeId).toBe(route)
  await expect.element(page.getByRole('banner')).not.toBeInTheDocument()
  await expect.element(page.getByRole('contentinfo')).not.toBeInTheDocument()
})

test('2: a guard redirects to / when the demo access token cookie is absent', async () => {
  const { router } = await openPage('/home', { hasDemoAccess: false })
  await expect.element(page.getByRole('heading', { level: 1 })).toBeVisible()
  expect(router.state.location.pathname).toBe('/')
})

test('2 and 9: pages load with a minimum delay of 100 ms', async () => {
  const { router } = await openPage('/about-us')
  // Applies to the pending state, so that it never flickers; no page is delayed on purpose.
  expect(router.options.defaultPendingMinMs).toBe(100)
})

test('2: the header logo goes to /home; logged out, a Log in button goes to /sign-in', async () => {
  await openPage('/about-us')
  const header = page.getByRole('banner')
  await expect
    .element(header.getByRole('link', { name: 'Apposite, home' }))
    .toHaveAttribute('href', '/home')
  await expect
    .element(header.getByRole('link', { name: 'Log in' }))
    .toHaveAttribute('href', '/sign-in')
  await expect.element(page.getByText('Logout')).not.toBeInTheDocument()
})

test('2: the footer links to six pages and to external social networks', async () => {
  await openPage('/about-us')
  const links = page.getByRole('contentinfo').getByRole('link').elements()
  const hrefs = links.map((link) => link.getAttribute('href') ?? '')
  expect(hrefs.filter((href) => href.startsWith('/'))).toEqual([
    '/about-us',
    '/contact-us',
    '/privacy-cookie',
    '/terms-of-use',
    '/sign-in',
    '/register',
  ])
  const outside = hrefs.filter((href) => !href.startsWith('/'))
  expect(outside.length).toBeGreaterThan(0)
  for (const href of outside) expect(href).toMatch(/^https:\/\//)
})

test('2: without a user_id cookie the footer shows LOGIN / REGISTER, not LOGOUT', async () => {
  await openPage('/about-us')
  const footer = page.getByRole('contentinfo')
  await expect.element(footer.getByText('LOGIN / REGISTER')).toBeVisible()
  await expect.element(footer.getByText('LOGOUT')).not.toBeInTheDocument()
})

test('2: the copyright line carries the year 2024 and a company name', async () => {
  await openPage('/about-us')
  await expect
    .element(page.getByRole('contentinfo').getByText(/^© 2024\S* Apposite$/))
    .toBeVisible()
})

test('1 and 9: regions are uk and usa, default uk, kept locally under selectedRegion', async () => {
  await openPage('/home')
  await expect.element(page.getByRole('radio', { name: 'UK', exact: true })).toBeChecked()
  expect(localStorage.getItem('selectedRegion')).toBeNull()
  await page.getByRole('radio', { name: 'USA' }).click()
  expect(localStorage.getItem('selectedRegion')).toBe('usa')
  await page.getByRole('radio', { name: 'UK', exact: true }).click()
  expect(localStorage.getItem('selectedRegion')).toBe('uk')
})

test('3: the search params are named postcode, specialty, radius, page, sort, distance_filter_clicked, selectedRegion', async ({
  testApp,
}) => {
  for (let count = 0; count < 11; count += 1) await testApp.addProvider({ last_name: `No${count}` })
  const asked = recordRequests()
  const names = {
    selectedRegion: 'uk',
    latitude: '51.4965',
    longitude: '-0.0985',
    specialty: 'gp',
    radius: '5',
    page: '2',
    sort: 'name',
    distance_filter_clicked: 'true',
  }
  const { router } = await openPage(`/results?${new URLSearchParams(names)}`)
  await expect.element(page.getByRole('list', { name: 'Results' })).toBeVisible()
  expect(router.state.location.search).toMatchObject({ sort: 'name', specialty: 'gp' })
  const sent = asked.find((url) => url.includes('search.providers')) ?? ''
  for (const name of [...Object.keys(names), 'postcode']) expect(sent).toContain(`"${name}":`)
})

test('3: the contact message has first_name, last_name, email and message', async () => {
  await openPage('/contact-us')
  const form = page.getByRole('form', { name: 'Contact us' })
  const names = form
    .getByRole('textbox')
    .elements()
    .map((field) => field.getAttribute('name'))
  expect(names).toEqual(['first_name', 'last_name', 'email', 'message'])
})

test('3: doctor details are the image, the speciality, the name, the qualifications and the hospital', async ({
  testApp,
}) => {
  const { id } = await testApp.addProvider({ photo: `/media/${'a'.repeat(32)}.webp` })
  vi.spyOn(HTMLImageElement.prototype, 'src', 'set').mockReturnValue()
  await openPage(`/doctor-profile/${id}/0.4?region=uk`)
  const main = page.getByRole('main')
  await expect.element(main.getByRole('heading', { level: 1 })).toHaveTextContent('Dr Amara Okafor')
  await expect.element(main.getByText('GP', { exact: true })).toBeVisible()
  await expect
    .element(main.getByRole('region', { name: 'Qualifications' }))
    .toMatchTextContent('MBBS')
  await expect.element(main.getByText(/^Borough Practice, London/)).toBeVisible()
})

test.for([
  {
    words: 'No speciality information available',
    from: /"specialty":\{"slug":"gp","name":"GP"/g,
    to: '"specialty":{"slug":"gp","name":""',
  },
  { words: 'Location not available', from: /"places":\[\{.*?\}\]/g, to: '"places":[]' },
])('3: the placeholder “$words”', async ({ words, from, to }, { testApp }) => {
  const { id } = await testApp.addProvider()
  changeResponses((answer) => answer.replaceAll(from, to))
  await openPage(`/doctor-profile/${id}/0.4?region=uk`)
  await expect.element(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect.element(page.getByText(words).first()).toBeVisible()
})

test('5: the email is lowercased before it leaves', async ({ testApp }) => {
  await openPage('/contact-us')
  const later = performance.now() + 10_000
  vi.spyOn(performance, 'now').mockReturnValue(later)
  await page.getByRole('textbox', { name: 'First name' }).fill('Ann')
  await page.getByRole('textbox', { name: 'Last name' }).fill('Lee')
  await page.getByRole('textbox', { name: 'Email' }).fill('Ann.LEE@Example.ORG')
  await page.getByRole('textbox', { name: 'Message' }).fill('Do you list opticians?')
  await page.getByRole('button', { name: 'Send message' }).click()
  await expect.element(page.getByText('Message sent')).toBeVisible()
  expect((await testApp.readMails()).map((mail) => mail.replyTo)).toEqual(['ann.lee@example.org'])
})

test('8: the default router error screen shows Unexpected Application Error!', async () => {
  vi.spyOn(console, 'warn').mockReturnValue()
  vi.spyOn(console, 'error').mockReturnValue()
  // A response no page handles, as from a defect; a failed call is shown inside the page.
  vi.spyOn(globalThis, 'fetch').mockImplementation((input) => {
    const address = input instanceof Request ? input.url : input.toString()
    return Promise.resolve(
      Response.json(address.split(',').map(() => ({ result: { data: null } }))),
    )
  })
  await openPage('/modal')
  await expect
    .element(page.getByRole('heading', { level: 1 }))
    .toHaveTextContent('Unexpected Application Error!')
})

const made = { slug: 'gp', name: 'Kept here', plural: 'Kept here', about: 'From local storage.' }

test.for([
  { region: 'uk', minutes: 1_439, isFresh: true },
  { region: 'usa', minutes: 1_439, isFresh: true },
  { region: 'uk', minutes: 1_440, isFresh: false },
])(
  '7 and 9: speciality_$region is used for 1440 minutes: after $minutes, $isFresh',
  async ({ region, minutes, isFresh }) => {
    expect(SPECIALITY_CACHE_MS).toBe(1_440 * 60 * 1_000)
    const savedAt = Date.now() - minutes * 60_000
    localStorage.setItem('selectedRegion', region)
    localStorage.setItem(`speciality_${region}`, JSON.stringify({ savedAt, specialities: [made] }))
    await openPage('/home')
    const option = page.getByRole('option', { name: isFresh ? 'Kept here' : 'Dentist' })
    await expect.element(option).toBeInTheDocument()
    const kept = localStorage.getItem(`speciality_${region}`) ?? ''
    expect(kept.includes('Kept here')).toBe(isFresh)
  },
)

test('9: the mobile menu collapses at 960 px', async () => {
  await openPage('/about-us')
  const toggle = page.getByRole('button', { name: 'Menu' })
  for (const { width, isCollapsed } of [
    { width: 959, isCollapsed: true },
    { width: 960, isCollapsed: false },
  ]) {
    await page.viewport(width, 800)
    if (isCollapsed) await expect.element(toggle).toBeVisible()
    else await expect.element(toggle).not.toBeInTheDocument()
  }
  await page.viewport(1280, 900)
})

test('9: the default homepage colour is white', async () => {
  localStorage.setItem('theme', 'light')
  document.documentElement.dataset['theme'] = 'light'
  await openPage('/home')
  const hero = page.getByRole('heading', { level: 1 }).element().closest('section')
  const ground = hero?.querySelector('rect') ?? null
  await expect.element(ground).toHaveStyle({ fill: 'rgb(255, 255, 255)' })
  delete document.documentElement.dataset['theme']
})
