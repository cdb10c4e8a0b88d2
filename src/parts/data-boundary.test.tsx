import { afterEach, expect, onTestFinished, vi } from 'vitest'
import { page } from 'vitest/browser'
import { test } from '#tests/harness/spa/spa-bridge.ts'
import { openPage } from '#tests/harness/spa/spa-page.tsx'
import { card, OWN, openAccounts } from '#tests/spa/bank-accounts.ts'
import { delayRequests, failProcedure, failRequests } from '#tests/spa/fake-network.ts'

afterEach(() => vi.restoreAllMocks())

const LIST = 'bankAccounts.list'

const heading = () => page.getByRole('heading', { level: 1, name: 'Your Bank Accounts' })
const failure = () => page.getByRole('heading', { name: 'Your bank accounts didn’t load' })

test('the heading is there while the data is on its way', async ({ testApp }) => {
  const letGo = delayRequests(LIST)
  await openAccounts(testApp)
  await expect.element(heading()).toBeVisible()
  await expect.poll(() => document.querySelector('main [aria-busy="true"]')).not.toBeNull()
  letGo()
  await expect.element(page.getByRole('heading', { name: 'No account yet' })).toBeVisible()
})

test('a failure is said with its reference, and “Try again” asks again', async ({ testApp }) => {
  const failing = failProcedure(LIST, 'internal')
  await openAccounts(testApp, [OWN])
  await expect.element(failure()).toBeVisible()
  await expect.element(page.getByText('Reference: TEST')).toBeVisible()
  await expect.element(heading()).toBeVisible()
  failing.mockRestore()
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect.element(card(OWN.name)).toBeVisible()
})

test('what failed without a network is asked for again once it is back', async ({ testApp }) => {
  const cut = failRequests(LIST)
  // Back at the very moment at which the failure appears.
  const observer = new MutationObserver(() => {
    if (failure().query() === null) return
    observer.disconnect()
    cut.mockRestore()
    dispatchEvent(new Event('online'))
  })
  observer.observe(document.body, { childList: true, subtree: true })
  onTestFinished(() => observer.disconnect())
  await openAccounts(testApp, [OWN])
  await expect.element(card(OWN.name)).toBeVisible()
})

test('going elsewhere forgets the failure', async ({ testApp }) => {
  const cut = failRequests(LIST)
  const { router } = await openAccounts(testApp, [OWN])
  await expect.element(failure()).toBeVisible()
  await router.navigate({ to: '/dochome' })
  await expect.element(page.getByRole('heading', { level: 1, name: 'DashBoard' })).toBeVisible()
  cut.mockRestore()
  await router.navigate({ to: '/doctor/bank-account' })
  await expect.element(card(OWN.name)).toBeVisible()
})

test.for([
  ['/dochome', 'Your dashboard didn’t load'],
  ['/userProfile', 'Your account didn’t load'],
] as const)(
  'if who is signed in does not load, %s says so within its layout, and asks again',
  async ([address, title], { testApp }) => {
    const { screen } = await openAccounts(testApp)
    await screen.unmount()
    const failing = failProcedure('auth.me', 'internal')
    await openPage(address)
    await expect.element(page.getByRole('heading', { name: title })).toBeVisible()
    failing.mockRestore()
    await page.getByRole('main').getByRole('button', { name: 'Try again' }).click()
    await expect.element(page.getByRole('heading', { name: title })).not.toBeInTheDocument()
    await expect.element(page.getByRole('heading', { level: 1 })).toBeVisible()
  },
)
