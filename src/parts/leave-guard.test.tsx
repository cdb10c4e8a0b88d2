import { expect } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { test } from '#tests/harness/spa/spa-bridge.ts'
import { openDashboard } from '#tests/spa/dashboard.ts'

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
  await expect.element(question).toMatchTextContent('What you typed is not saved yet.')
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
  await expect.element(question).toBeVisible()
  await userEvent.keyboard('{Escape}')
  await expect.element(question).not.toBeInTheDocument()
  await expect.element(dialog.getByRole('textbox', { name: 'Name' })).toHaveValue('Family')
  void router.navigate({ to: '/doctor/availability/all' })
  await leave.click()
  await expect.poll(() => router.state.location.pathname).toBe('/doctor/availability/all')
})
