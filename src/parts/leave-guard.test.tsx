import { afterEach, expect, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { test } from '#tests/harness/spa/spa-bridge.ts'
import { openSignedIn } from '#tests/harness/spa/spa-page.tsx'
import { fillIn, openAccounts, tile } from '#tests/spa/bank-accounts.ts'
import { openDashboard } from '#tests/spa/dashboard.ts'
import { delayRequests, failRequests } from '#tests/spa/fake-network.ts'

afterEach(() => vi.restoreAllMocks())

const button = (name: string) => page.getByRole('button', { name, exact: true })
const link = (name: string) => page.getByRole('link', { name, exact: true })
const question = page.getByRole('dialog', { name: 'Leave without saving?' })
const leave = question.getByRole('button', { name: 'Leave without saving' })

test('a page with something typed in a form asks before it is left', async ({ testApp }) => {
  const { router } = await openDashboard(testApp, '/doctor/profile')
  await button('Add a place').click()
  const name = page.getByRole('textbox', { name: 'Name of the practice' })
  await name.fill('Harbour Clinic')
  await link('DashBoard').click()
  await expect.element(question).toMatchTextContent('What you entered isn’t saved yet.')
  await question.getByRole('button', { name: 'Stay here' }).click()
  await expect.element(question).not.toBeInTheDocument()
  await expect.element(name).toHaveValue('Harbour Clinic')
  // The same address, but another page.
  await link('See it as patients do').click()
  await leave.click()
  await expect.element(page.getByText('This is how patients see you')).toBeVisible()
  expect(router.state.location.pathname).toBe('/doctor/profile')
})

test('forms with nothing typed, cancelled or saved, can be left at once', async ({ testApp }) => {
  const { router } = await openDashboard(testApp, '/doctor/availability/all', { hasHours: true })
  await button('Block time').click()
  await page.getByRole('textbox', { name: /^Note/ }).fill('Lunch')
  await button('Cancel').click()
  await button('Add time off').click()
  await page.getByLabelText('First day').fill('2026-03-16')
  await button('Add this time off').click()
  await expect.element(page.getByText('1 day', { exact: true })).toBeVisible()
  await button('Add time off').click()
  await page.getByRole('textbox', { name: /^Note/ }).fill('Skiing')
  await page.getByRole('textbox', { name: /^Note/ }).fill('')
  await link('DashBoard').click()
  await expect.poll(() => router.state.location.pathname).toBe('/dochome')
})

test('what is typed or chosen in time off, a block or a day is asked about', async ({
  testApp,
}) => {
  const { router } = await openDashboard(testApp, '/doctor/availability/all', { hasHours: true })
  await button('Block time').click()
  await page.getByRole('combobox', { name: 'From' }).fill('7')
  await userEvent.keyboard('{Enter}')
  await link('Edit weekly hours').click()
  await leave.click()
  await expect.poll(() => router.state.location.pathname).toBe('/doctor/availability/new')
})

test('a dialog with something typed stays open behind the question', async ({ testApp }) => {
  const { router } = await openDashboard(testApp, '/doctor/availability/calendars')
  await button('Add a calendar').click()
  const dialog = page.getByRole('dialog', { name: 'Add a calendar' })
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Family')
  // As the browser's Back button does: everything else is behind the dialog.
  void router.navigate({ to: '/doctor/availability/all' })
  // With the focus it also has the keyboard.
  await expect.element(question.getByRole('button', { name: 'Close' })).toHaveFocus()
  await userEvent.keyboard('{Escape}')
  await expect.element(question).not.toBeInTheDocument()
  await expect.element(dialog.getByRole('textbox', { name: 'Name' })).toHaveValue('Family')
  void router.navigate({ to: '/doctor/availability/all' })
  await leave.click()
  await expect.poll(() => router.state.location.pathname).toBe('/doctor/availability/all')
})

test('an account asks as well, until its details are saved', async ({ testApp }) => {
  const { router } = await openSignedIn(await testApp.addAccount(), '/userProfile?section=details')
  const first = page.getByRole('textbox', { name: 'First name' })
  await first.fill('Robin')
  await page.getByRole('link', { name: 'Security' }).click()
  await question.getByRole('button', { name: 'Stay here' }).click()
  await expect.element(first).toHaveValue('Robin')
  await button('Save details').click()
  await expect.element(page.getByText('Your details are saved.')).toBeVisible()
  await page.getByRole('link', { name: 'Security' }).click()
  await expect.poll(() => router.state.location.search).toEqual({ section: 'security' })
})

test('a bank account that is not saved is asked about', async ({ testApp }) => {
  const { router } = await openAccounts(testApp)
  await tile().click()
  await fillIn({ name: 'Amara', account_number: '31415926' }, '12 34 56')
  void router.navigate({ to: '/dochome' })
  await leave.click()
  await expect.poll(() => router.state.location.pathname).toBe('/dochome')
})

test('a visit that is being added in the calendar is asked about', async ({ testApp }) => {
  const { router } = await openDashboard(testApp, '/dochome', { hasHours: true })
  await page.getByRole('button', { name: 'Add a visit', exact: true }).click()
  const form = page.getByRole('dialog', { name: 'Add a visit' })
  await form.getByLabelText('Patient’s name').fill('Sam Hill')
  void router.navigate({ to: '/doctor/profile' })
  await question.getByRole('button', { name: 'Stay here' }).click()
  await expect.element(form.getByLabelText('Patient’s name')).toHaveValue('Sam Hill')
  await userEvent.keyboard('{Escape}')
  void router.navigate({ to: '/doctor/profile' })
  await expect.poll(() => router.state.location.pathname).toBe('/doctor/profile')
})

test('a file that is chosen and not imported yet is asked about', async ({ testApp }) => {
  const { router } = await openDashboard(testApp, '/doctor/availability/calendars')
  const file = new File(['Start,End\n2026-03-09 09:00,2026-03-09 09:30\n'], 'desk.csv')
  await userEvent.upload(page.getByLabelText('CSV file'), file)
  await expect.element(page.getByText(/desk\.csv, 1 row/)).toBeVisible()
  await link('Back to All Availabilities').click()
  await leave.click()
  await expect.poll(() => router.state.location.pathname).toBe('/doctor/availability/all')
})

/** Changes the fee and sends it, without waiting for the answer. */
async function saveFee(): Promise<void> {
  await button('Edit fees and visits').click()
  await page.getByRole('textbox', { name: 'First visit, in pounds' }).fill('72.50')
  await button('Save').click()
}

test('whoever leaves while a form is being saved goes on once it is', async ({ testApp }) => {
  const { router } = await openDashboard(testApp, '/doctor/profile')
  const release = delayRequests('profiles.updateOffer')
  await saveFee()
  await link('DashBoard').click()
  await expect.element(question).not.toBeInTheDocument()
  expect(router.state.location.pathname).toBe('/doctor/profile')
  release()
  await expect.poll(() => router.state.location.pathname).toBe('/dochome')
})

test('whoever leaves while a form is being saved is asked if that fails', async ({ testApp }) => {
  await openDashboard(testApp, '/doctor/profile')
  failRequests('profiles.updateOffer')
  await saveFee()
  await link('DashBoard').click()
  await expect.element(question).toBeVisible()
})
