import { afterEach, expect, vi } from 'vitest'
import { type Locator, page } from 'vitest/browser'
import { referenceOf } from '#contract/base/ids.ts'
import { test } from '#tests/harness/spa/spa-bridge.ts'
import { openSignedIn } from '#tests/harness/spa/spa-page.tsx'
import { failProcedure } from '#tests/spa/fake-network.ts'

const HOUR = 3_600_000
const START = Date.parse('2026-03-03T09:00:00Z')

afterEach(() => vi.restoreAllMocks())

const region = (name: string) => page.getByRole('region', { name, exact: true })
const days = (name: string) => region(name).getByRole('heading', { level: 4 })

/** Start times of half-hour visits on one morning, as epoch milliseconds and as ISO text. */
function morning(count: number): { instants: number[]; iso: string[] } {
  const instants = Array.from({ length: count }, (_, at) => START + (at * HOUR) / 2)
  return { instants, iso: instants.map((instant) => new Date(instant).toISOString()) }
}

test('without visits there is a way to the first', async ({ testApp }) => {
  await openSignedIn(await testApp.addAccount(), '/userProfile')
  const visits = region('Visits')
  await expect.element(visits.getByText('No visits yet')).toBeVisible()
  await expect
    .element(visits.getByRole('link', { name: 'Find a doctor or dentist' }))
    .toHaveAttribute('href', '/home')
})

test('coming visits stand soonest first, five at a time, with the clinic’s own time', async ({
  testApp,
}) => {
  const { instants, iso } = morning(7)
  const account = await testApp.addAccount()
  // A patient may have at most three visits with one provider.
  for (let from = 0; from < iso.length; from += 3) {
    const { id: providerId } = await testApp.addProvider({ slots: instants })
    for (const startsAt of iso.slice(from, from + 3))
      await testApp.bookVisit({ providerId, startsAt, account })
  }
  await openSignedIn(account, '/userProfile')
  const coming = region('Upcoming visits')
  await expect.element(coming.getByText('(7)')).toBeVisible()
  expect(days('Upcoming visits').elements()).toHaveLength(5)
  await expect.element(coming.getByText(/^09:00 to 09:30/)).toBeVisible()
  await expect.element(coming.getByText('(London time, GMT)').first()).toBeVisible()
  await coming.getByRole('button', { name: 'Show more coming visits' }).click()
  await expect.poll(() => days('Upcoming visits').elements().length).toBe(7)
  await expect.element(coming.getByText(/^12:00 to 12:30/)).toBeVisible()
  await expect.element(days('Upcoming visits').nth(5)).toHaveFocus()
  await expect.element(coming.getByRole('button', { name: /^Show more/ })).not.toBeInTheDocument()
})

test('a visit that is over stands among the past, with its details but no calendar', async ({
  testApp,
}) => {
  const { instants, iso } = morning(1)
  const provider = await testApp.addProvider({ slots: instants })
  const account = await testApp.addAccount()
  const id = await testApp.bookVisit({
    providerId: provider.id,
    startsAt: iso[0] ?? '',
    account,
  })
  await testApp.advanceClock(48 * HOUR)
  await openSignedIn(account, '/userProfile')
  await expect.element(region('Visits').getByText('No upcoming visits.')).toBeVisible()
  const past = region('Past visits')
  await expect.element(days('Past visits')).toHaveTextContent('Tuesday 3 March 2026')
  await past.getByText(/^Details/).click()
  await expect.element(past.getByText('A cough that will not go away')).toBeVisible()
  await expect.element(past.getByText('£60.00')).toBeVisible()
  await expect.element(past.getByText(referenceOf(id)).first()).toBeVisible()
  await expect
    .element(past.getByRole('button', { name: /^Add to calendar/ }))
    .not.toBeInTheDocument()
  await expect
    .element(past.getByRole('link', { name: 'Dr Amara Okafor' }))
    .toHaveAttribute('href', `/doctor-profile/${provider.id}/0?region=uk`)
  await expect
    .element(past.getByRole('link', { name: /^Book again/ }))
    .toHaveAttribute('href', `/doctor-profile/${provider.id}/0?region=uk#times`)
})

test('the calendar file of a coming visit is handed to the browser', async ({ testApp }) => {
  const { instants, iso } = morning(1)
  const provider = await testApp.addProvider({ slots: instants })
  const account = await testApp.addAccount()
  await testApp.bookVisit({ providerId: provider.id, startsAt: iso[0] ?? '', account })
  await openSignedIn(account, '/userProfile')
  const saved: { name: string; blob: Promise<string> }[] = []
  const made: Blob[] = []
  vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => {
    if (blob instanceof Blob) made.push(blob)
    return 'blob:calendar'
  })
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function click(
    this: HTMLAnchorElement,
  ) {
    saved.push({ name: this.download, blob: made[0]?.text() ?? Promise.resolve('') })
  })
  const coming = region('Upcoming visits')
  await coming.getByText(/^Details/).click()
  await coming.getByRole('button', { name: /^Add to calendar/ }).click()
  await expect.poll(() => saved.length).toBe(1)
  expect(saved[0]?.name).toMatch(/\.ics$/)
  const text = (await saved[0]?.blob) ?? ''
  expect(text).toContain('BEGIN:VEVENT')
  expect(text).toContain('DTSTART;TZID=Europe/London:20260303T090000')
  const google = coming.getByRole('link', { name: /^Google calendar/ })
  await expect
    .element(google)
    .toHaveAttribute('href', expect.stringContaining('dates=20260303T090000Z%2F20260303T093000Z'))
  await expect.element(google).toHaveAttribute('rel', 'noopener noreferrer')
  await expect.element(coming.getByRole('link', { name: /^Outlook calendar/ })).toBeVisible()
})

test('visits that do not load can be asked for again', async ({ testApp }) => {
  const failing = failProcedure('booking.visits', 'internal')
  await openSignedIn(await testApp.addAccount(), '/userProfile')
  await expect.element(page.getByText('Your visits didn’t load')).toBeVisible()
  failing.mockRestore()
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect.element(region('Visits').getByText('No visits yet')).toBeVisible()
})

test('the flag in the address opens the follow-up modal; another’s visit says so there', async ({
  testApp,
}) => {
  const { instants, iso } = morning(1)
  const provider = await testApp.addProvider({ slots: instants })
  const id = await testApp.bookVisit({ providerId: provider.id, startsAt: iso[0] ?? '' })
  const { router } = await openSignedIn(await testApp.addAccount(), `/userProfile?booked=${id}`)
  const dialog = page.getByRole('dialog', { name: 'Your visit is booked' })
  await expect.element(dialog.getByText('The details didn’t load')).toBeVisible()
  await expect.element(dialog.getByText('We couldn’t find that.')).toBeVisible()
  await dialog.getByRole('button', { name: 'Done' }).click()
  await expect.poll(() => router.state.location.href).toBe('/userProfile')
})

test('the follow-up modal says when the visit was cancelled since, and offers no calendar file', async ({
  testApp,
}) => {
  const start = START + 7 * 24 * HOUR
  const { id: providerId } = await testApp.addProvider({ slots: [start] })
  const startsAt = new Date(start).toISOString()
  const account = await testApp.addAccount()
  const id = await testApp.bookVisit({ providerId, startsAt, account })
  const { router } = await openSignedIn(account, '/userProfile')
  const refund = { minor: 6_000 }
  await router.options.context.client.visits.cancel.mutate({ id, sequence: 0, refund })
  await router.navigate({ to: '/userProfile', search: { booked: id } })
  const dialog = page.getByRole('dialog', { name: 'This visit is cancelled' })
  await expect.element(dialog.getByText(/has been cancelled since/)).toBeVisible()
  await expect.element(dialog.getByText(/We’ve emailed/)).not.toBeInTheDocument()
  await expect.element(dialog.getByRole('button', { name: /^Add to/ })).not.toBeInTheDocument()
})

test('on a phone the follow-up modal has both buttons in one row, the other calendars below', async ({
  testApp,
}) => {
  await page.viewport(360, 640)
  const { instants, iso } = morning(1)
  const provider = await testApp.addProvider({ slots: instants })
  const account = await testApp.addAccount()
  const id = await testApp.bookVisit({
    providerId: provider.id,
    startsAt: iso[0] ?? '',
    account,
  })
  await openSignedIn(account, `/userProfile?booked=${id}`)
  const dialog = page.getByRole('dialog', { name: 'Your visit is booked' })
  const add = dialog.getByRole('button', { name: /^Add to calendar/ })
  await expect.element(add).toBeVisible()
  const top = (one: Locator) => one.element().getBoundingClientRect().top
  expect(top(dialog.getByRole('button', { name: 'Done' }))).toBe(top(add))
  expect(top(dialog.getByRole('link', { name: /^Google/ }))).toBeGreaterThan(top(add))
})
