import { afterEach, expect, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { test } from '#tests/harness/spa/spa-bridge.ts'
import { openPage } from '#tests/harness/spa/spa-page.tsx'
import { delayRequests, failProcedure, failRequests } from './fake-network.ts'

afterEach(() => vi.restoreAllMocks())

const NEAR = 'selectedRegion=uk&latitude=51.4965&longitude=-0.0985'

/** An instant of 2026 in the test app, whose clock is at 2 March, nine in the morning. */
const at = (day: string, time = '09:00') => Date.parse(`2026-${day}T${time}:00Z`)

test('while the first results load, placeholders are shown, never “None”', async ({ testApp }) => {
  await testApp.addProvider()
  const letGo = delayRequests('search.providers')
  await openPage(`/results?${NEAR}`)
  await expect.element(page.getByText('Searching')).toBeInTheDocument()
  await expect.element(page.getByText(/^No(ne)? /)).not.toBeInTheDocument()
  await expect.element(page.getByRole('search')).toBeVisible()
  letGo()
  await expect.element(page.getByRole('heading', { name: 'Dr Amara Okafor' })).toBeVisible()
  await expect.element(page.getByText('Searching')).not.toBeInTheDocument()
})

test('a slow profile shows a placeholder', async ({ testApp }) => {
  const { id } = await testApp.addProvider()
  const letGo = delayRequests('search.provider')
  await openPage(`/doctor-profile/${id}/0.4?region=uk`)
  await expect.element(page.getByText('Loading the profile')).toBeInTheDocument()
  letGo()
  await expect.element(page.getByRole('heading', { name: 'Dr Amara Okafor' })).toBeVisible()
})

test('a provider without photo, rating, phone or times still has a complete card and page', async ({
  testApp,
}) => {
  await testApp.addProvider({ slots: [] })
  await openPage(`/results?${NEAR}`)
  const card = page.getByRole('article')
  await expect.element(card.getByText(/^No online times at the moment\./)).toBeVisible()
  expect(card.getByText(/New here|Rated/).elements()).toEqual([])
  expect(card.getByRole('img').elements()).toEqual([])
  await card.getByRole('link', { name: 'Ask for a time with Dr Amara Okafor' }).click()

  await expect.element(page.getByRole('heading', { level: 1 })).toHaveTextContent('Dr Amara Okafor')
  await expect.element(page.getByText(/has no online times at the moment/)).toBeVisible()
  await expect
    .element(page.getByRole('link', { name: 'Ask for a time' }).first())
    .toHaveAttribute('href', '#contact')
  await expect.element(page.getByText('First available')).not.toBeInTheDocument()
  await expect.element(page.getByRole('link', { name: /^Phone/ })).not.toBeInTheDocument()
  await expect.element(page.getByRole('form', { name: /^Message to/ })).toBeVisible()
})

test('a profile without description and qualifications leaves them out, and is not listed', async ({
  testApp,
}) => {
  const { id } = await testApp.addProvider({ about: '', qualifications: '[]' })
  const { router } = await openPage(`/doctor-profile/${id}/0.4?region=uk`)
  await expect.element(page.getByRole('heading', { name: 'Fees' })).toBeVisible()
  for (const name of [/^About Dr/, 'Qualifications']) {
    await expect.element(page.getByRole('heading', { name })).not.toBeInTheDocument()
  }
  await router.navigate({ href: `/results?${NEAR}` })
  await expect.element(page.getByText('None within 50 miles')).toBeVisible()
})

test('a first free time far ahead is one button, not an empty list', async ({ testApp }) => {
  await testApp.addProvider({ slots: [at('12-14', '10:00')] })
  await openPage(`/results?${NEAR}`)
  await expect
    .element(page.getByRole('link', { name: /^Next free .*14 Dec, 10:00.*Dr Amara Okafor$/ }))
    .toBeVisible()
})

test('only one free time: First available, one tab, and no second day', async ({ testApp }) => {
  const { id } = await testApp.addProvider({ slots: [at('03-03')] })
  await openPage(`/doctor-profile/${id}/0.4?region=uk`)
  await expect.element(page.getByRole('button', { name: /First available/ })).toBeVisible()
  const tabs = page.getByRole('tab')
  await expect.poll(() => tabs.elements().length).toBe(2)
})

test('Page Down and Page Up change the month, and arrows continue into the next', async ({
  testApp,
}) => {
  const { id } = await testApp.addProvider({
    slots: [at('03-03'), at('03-04'), at('03-30'), at('04-02', '13:00'), at('04-28')],
  })
  await openPage(`/doctor-profile/${id}/0.4?region=uk`)
  await page.getByRole('tab', { name: 'Other dates' }).click()
  const day = (name: string) => page.getByRole('button', { name })
  const third = day('Tuesday 3 March, 1 time')
  await expect.element(third).toBeVisible()
  third.element().focus()
  await userEvent.keyboard('{PageDown}')
  await expect.element(page.getByRole('heading', { name: 'April 2026' })).toBeVisible()
  await expect.element(day('Thursday 2 April, 1 time')).toHaveFocus()
  await userEvent.keyboard('{PageUp}')
  await expect.element(third).toHaveFocus()
  await userEvent.keyboard('{End}')
  await expect.element(day('Wednesday 4 March, 1 time')).toHaveFocus()
  await userEvent.keyboard('{ArrowRight}')
  await expect.element(day('Monday 30 March, 1 time')).toHaveFocus()
  await userEvent.keyboard('{ArrowRight}')
  await expect.element(day('Thursday 2 April, 1 time')).toHaveFocus()
  await userEvent.keyboard('{Enter}')
  // British Summer Time has begun: the clinic's clock is one hour ahead of UTC.
  await expect.element(page.getByRole('button', { name: /^14:00.*Thursday 2 April/ })).toBeVisible()
})

test('a provider in the USA: dollars, a 12-hour clock, their own zone and week', async ({
  testApp,
}) => {
  const { id } = await testApp.addProvider({
    region: 'usa',
    title: 'Dr.',
    professional_body: 'NPI',
    currency: 'USD',
    slots: [at('03-03', '20:30')],
    place: {
      name: 'Oak Clinic',
      locality: 'Austin, TX',
      postcode: '78701',
      latitude: 30.27,
      longitude: -97.74,
      time_zone: 'America/Chicago',
    },
  })
  await openPage(`/doctor-profile/${id}/0.4?region=usa`)
  await expect.element(page.getByText('Times shown in Central Time (CST)')).toBeVisible()
  await page.getByRole('button', { name: /^2:30 pm.*Tuesday,? March 3/ }).click()
  await expect
    .element(page.getByRole('link', { name: /^Continue with Tue,? Mar 3, 2:30 pm$/ }))
    .toBeVisible()
  await expect.element(page.getByRole('table')).toMatchTextContent('$60')
  await page.getByRole('tab', { name: 'Other dates' }).click()
  const weekdays = page.getByRole('columnheader')
  await expect.element(weekdays.nth(2)).toBeVisible()
})

test('too many searches: the message gives the time to wait, and Try again works afterwards', async ({
  testApp,
}) => {
  await testApp.addProvider()
  const one = JSON.stringify({ 0: { latitude: 51.5, longitude: 0 } })
  const calls = Array.from({ length: 120 }, () =>
    fetch(`/trpc/search.providers?batch=1&input=${encodeURIComponent(one)}`),
  )
  await Promise.all(calls)
  await openPage(`/results?${NEAR}`)
  const alert = page.getByRole('alert')
  await expect.element(alert).toMatchTextContent(/Too many requests\. Try again in \d+ seconds?\./)
  await expect.element(alert.getByRole('button', { name: 'Try again' })).toBeVisible()
  await expect.element(page.getByRole('search')).toBeVisible()
})

test('when free times fail to load the profile stays, and Try again loads them', async ({
  testApp,
}) => {
  const { id } = await testApp.addProvider()
  const cut = failProcedure('availability.freeTimes', 'busy')
  await openPage(`/doctor-profile/${id}/0.4?region=uk`)
  const alert = page.getByRole('alert').filter({ hasText: 'The free times didn’t load' })
  await expect
    .element(alert)
    .toMatchTextContent('We are very busy right now. Try again in a few seconds.')
  await expect.element(page.getByRole('heading', { name: 'Fees' })).toBeVisible()
  cut.mockRestore()
  await alert.getByRole('button', { name: 'Try again' }).click()
  await expect.element(page.getByRole('button', { name: /First available/ })).toBeVisible()
})

test('a chosen day whose times fail to load is not called empty, and Try again loads them', async ({
  testApp,
}) => {
  const { id } = await testApp.addProvider({ slots: [at('03-03'), at('04-28')] })
  const { router } = await openPage(`/doctor-profile/${id}/0.4?region=uk`)
  await expect.element(page.getByRole('button', { name: /First available/ })).toBeVisible()
  const cut = failRequests('availability.freeTimes')
  const chosen = 'date=2026-04-28&time=10:00'
  await router.navigate({ href: `/doctor-profile/${id}/0.4?region=uk&${chosen}` })
  const alert = page
    .getByRole('alert')
    .filter({ hasText: 'The times on Tuesday 28 April didn’t load' })
  await expect.element(alert).toMatchTextContent('You’re offline.')
  await expect.element(page.getByText(/^No free times/)).not.toBeInTheDocument()
  await expect.element(page.getByText(/no longer free/)).not.toBeInTheDocument()
  await expect.element(page.getByRole('button', { name: 'Choose a different date' })).toBeVisible()
  cut.mockRestore()
  await alert.getByRole('button', { name: 'Try again' }).click()
  // British Summer Time: nine in UTC is ten in London.
  await expect
    .element(page.getByRole('link', { name: 'Continue with Tue 28 Apr, 10:00' }))
    .toBeVisible()
})
