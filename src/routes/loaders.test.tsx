import { createMemoryHistory } from '@tanstack/react-router'
import { afterEach, expect, vi } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { App, makeRouter } from '#app/router.tsx'
import { makeQueryClient } from '#app/trpc.ts'
import { type Backend, test } from '#tests/harness/spa/spa-bridge.ts'
import { openSignedIn } from '#tests/harness/spa/spa-page.tsx'
import { openDashboard } from '#tests/spa/dashboard.ts'
import { recordRequests } from '#tests/spa/fake-network.ts'
import { openStaff } from '#tests/spa/staff.ts'

afterEach(() => vi.restoreAllMocks())

/** Runs the loaders of an address as after a reload, and nothing of its page; returns what they ask for. */
async function reload(address: string) {
  const asked = recordRequests()
  const history = createMemoryHistory({ initialEntries: [address] })
  const router = makeRouter(makeQueryClient(), { history })
  await router.load()
  const countOf = (procedure: string) =>
    asked
      .flatMap((url) => new URL(url, location.origin).pathname.split(/[/,]/))
      .filter((name) => name === procedure).length
  return { router, asked, countOf }
}

async function signInProvider(testApp: Backend): Promise<void> {
  const { screen } = await openDashboard(testApp, '/about-us')
  await screen.unmount()
}

const ofProviders = [
  ['/dochome', ['booking.today', 'profiles.own', 'booking.week', 'availability.week']],
  ['/doctor/appointment-history', ['payments.providerHistory', 'booking.deskList']],
  ['/doctor/availability/all', ['availability.mine', 'availability.preview', 'visits.inTimeOff']],
  ['/doctor/availability/new?view=dates', ['availability.mine', 'availability.preview']],
  ['/doctor/profile', ['profiles.own', 'search.specialities']],
  ['/provider-verify', ['verification.mine']],
  ['/userProfile?section=security', ['auth.sessions', 'accessTokens.list']],
] as const

test.for(ofProviders)(
  'after a reload the loader of %s asks for what its page shows, and the page not again',
  async ([address, procedures], { testApp }) => {
    await signInProvider(testApp)
    const { router, countOf } = await reload(address)
    const counts = () => procedures.map((procedure) => [procedure, countOf(procedure)])
    const once = procedures.map((procedure) => [procedure, 1])
    await expect.poll(counts).toEqual(once)
    await render(<App router={router} />)
    await expect.element(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expect.poll(() => document.querySelector('main [aria-busy="true"]')).toBeNull()
    expect(counts()).toEqual(once)
  },
)

test('the loader of a staff page asks as much as the role allows', async ({ testApp }) => {
  const { screen } = await openStaff(testApp, 'editor', '/admin-home')
  await screen.unmount()
  const { countOf } = await reload('/admin-home/providers')
  await expect.poll(() => countOf('verification.providers')).toBe(1)
  expect(countOf('verification.queue')).toBe(0)
})

test('a link to names that is only hovered over reads none', async ({ testApp }) => {
  const { router } = await openStaff(testApp, 'admin', '/admin-home')
  await expect.element(page.getByText('Nothing needs attention.')).toBeVisible()
  const asked = recordRequests()
  for (const to of ['/admin-home/payments', '/admin-home/claims', '/admin-home/cancellations'])
    await router.preloadRoute({ to })
  expect(asked.filter((url) => !url.includes('auth.sessionStatus'))).toEqual([])
  await router.navigate({ to: '/admin-home/cancellations' })
  await expect.element(page.getByText('No patient cancels that often.')).toBeVisible()
  expect(asked.filter((url) => url.includes('visits.flagged'))).toHaveLength(1)
})

test('for whom a page is not its loader asks for nothing', async ({ testApp }) => {
  const { screen } = await openSignedIn(await testApp.addAccount(), '/about-us')
  await screen.unmount()
  const { router, asked } = await reload('/dochome')
  await expect.poll(() => asked).toEqual([expect.stringContaining('auth.me')])
  await render(<App router={router} />)
  await expect
    .element(page.getByRole('heading', { name: 'This page is for providers' }))
    .toBeVisible()
  expect(asked.filter((url) => url.includes('booking.'))).toEqual([])
})

test('after a reload with an ended session the loader asks for nothing more', async ({
  testApp,
}) => {
  await signInProvider(testApp)
  await testApp.expireCookie('access_token')
  await testApp.expireCookie('refresh_token')
  const { router, asked } = await reload('/doctor/bank-account')
  await render(<App router={router} />)
  await expect
    .element(page.getByRole('heading', { name: 'Sign in to see your dashboard' }))
    .toBeVisible()
  expect(asked.filter((url) => url.includes('bankAccounts'))).toEqual([])
})

test('after a reload with an expired access token the session is renewed first', async ({
  testApp,
}) => {
  await signInProvider(testApp)
  await testApp.expireCookie('access_token')
  const { countOf } = await reload('/doctor/bank-account')
  await expect.poll(() => countOf('bankAccounts.list')).toBe(1)
  expect(countOf('auth.refresh')).toBe(1)
})
