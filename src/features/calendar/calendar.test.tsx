import { afterEach, expect } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { test } from '#tests/harness/spa/spa-bridge.ts'
import { openDashboard } from '#tests/spa/dashboard.ts'

afterEach(() => page.viewport(1280, 900))

const calendar = () => page.getByRole('region', { name: /^Calendar, / })
const day = (name: string) => calendar().getByRole('region', { name, exact: true })
const drawer = () => page.getByRole('dialog', { name: 'Visit' })
const button = (name: string | RegExp) => calendar().getByRole('button', { name })

const visits = [
  // The test clock is at nine on Monday 2 March 2026.
  { startsAt: '2026-03-03T14:30:00Z' },
  { startsAt: '2026-03-05T09:00:00Z', isFollowUp: true },
  { startsAt: '2026-03-10T10:00:00Z' },
]

test('a week shows each visit on its day, and another week is a press away', async ({
  testApp,
}) => {
  await openDashboard(testApp, '/dochome', { visits })
  await expect.element(calendar()).toMatchTextContent('Mon 2 Mar to Sun 8 Mar')
  await expect.element(day('Tuesday 3 March')).toMatchTextContent(/14:30 Maya Ellis.*First visit/)
  await expect.element(day('Thursday 5 March')).toMatchTextContent(/09:00 Maya Ellis.*Follow-up/)
  await button('Week after').click()
  await expect.element(calendar()).toMatchTextContent('Mon 9 Mar to Sun 15 Mar')
  await expect.element(day('Tuesday 10 March')).toMatchTextContent('10:00 Maya Ellis')
  await button('Tue 10 Mar').click()
  await expect.element(calendar()).toMatchTextContent('Tuesday 10 March')
  await button('Today').click()
  await expect.element(calendar()).toMatchTextContent('Monday 2 March')
})

test('a visit opens beside the calendar with how to reach who comes, and what can be done', async ({
  testApp,
}) => {
  const { router } = await openDashboard(testApp, '/dochome', { visits })
  await button(/14:30 Maya Ellis/).click()
  await expect.element(drawer()).toMatchTextContent('Tuesday 3 March 2026, 14:30 to 15:00')
  await expect.element(drawer().getByRole('heading', { name: 'Patient' })).toBeVisible()
  await drawer().getByRole('button', { name: 'Show purpose of Maya Ellis' }).click()
  await expect.element(drawer().getByText('A cough that will not go away')).toBeVisible()
  await expect.element(drawer().getByRole('link', { name: 'Open as a page' })).toBeVisible()
  await userEvent.keyboard('{Escape}')
  await expect.element(drawer()).not.toBeInTheDocument()
  expect(router.state.location.search).toEqual({})
})

test('an hour is blocked where the week shows it free', async ({ testApp }) => {
  await openDashboard(testApp, '/doctor/availability/new', { overrides: { slots: [] } })
  await page.getByRole('button', { name: 'Save hours' }).click()
  await expect
    .element(page.getByRole('status').filter({ hasText: 'Everything is saved' }))
    .toBeVisible()
  await page.getByRole('link', { name: 'DashBoard' }).click()
  const free = button(/^Free on Wednesday 4 March, 13:30 to 17:00/)
  await expect.element(free).toBeVisible()
  const element = free.element()
  if (element instanceof HTMLElement) element.focus()
  await userEvent.keyboard('{Enter}')
  await page
    .getByRole('dialog', { name: 'Add a visit' })
    .getByRole('radio', { name: 'Blocked time' })
    .click()
  const dialog = page.getByRole('dialog', { name: 'Block time' })
  await expect.element(dialog.getByLabelText('Day')).toHaveValue('2026-03-04')
  await expect.element(dialog.getByRole('combobox', { name: 'From' })).toHaveValue('13:30')
  await dialog.getByLabelText(/^Note/).fill('School play')
  await dialog.getByRole('button', { name: 'Block this time' }).click()
  await expect.element(dialog).not.toBeInTheDocument()
  await expect.element(day('Wednesday 4 March')).toMatchTextContent('Blocked: School play')
  await expect.element(button(/^Free on Wednesday 4 March, 13:30/)).not.toBeInTheDocument()
})

const tab = (name: string | RegExp) => calendar().getByRole('tab', { name })

test('a phone counts the visits of each day and lists one of them, with numbers to call', async ({
  testApp,
}) => {
  await page.viewport(360, 800)
  const { router } = await openDashboard(testApp, '/dochome', { visits })
  await expect.element(tab('Monday 2 March, no visits')).toHaveAttribute('aria-current', 'date')
  await expect.element(day('Tuesday 3 March')).not.toBeInTheDocument()
  await tab('Tuesday 3 March, 1 visit').click()
  expect(router.state.location.search).toEqual({ on: '2026-03-03' })
  const tuesday = calendar().getByRole('region', { name: 'Tuesday 3 March' })
  await expect.element(tuesday).toMatchTextContent(/14:30 to 15:00.*Maya Ellis.*First visit/)
  await tuesday.getByRole('button', { name: 'Maya Ellis' }).click()
  await expect.element(drawer()).toBeVisible()
})

test('arrow keys go from day to day, and on into the next week', async ({ testApp }) => {
  await page.viewport(360, 800)
  await openDashboard(testApp, '/dochome?on=2026-03-07', { visits })
  await tab(/^Saturday 7 March/).click()
  await userEvent.keyboard('{ArrowRight}')
  await expect.element(tab(/^Sunday 8 March/)).toHaveFocus()
  await userEvent.keyboard('{ArrowRight}')
  await expect.element(tab(/^Monday 9 March/)).toHaveFocus()
  await userEvent.keyboard('{ArrowRight}')
  await expect.element(tab('Tuesday 10 March, 1 visit')).toHaveFocus()
  await expect.element(tab('Tuesday 10 March, 1 visit')).toHaveAttribute('aria-selected', 'true')
  await expect.element(calendar()).toMatchTextContent('10:00 to 10:30')
  await userEvent.keyboard('{Home}')
  await expect.element(tab(/^Monday 9 March/)).toHaveFocus()
})

test('a phone shows the whole week as a list to whoever asks for it', async ({ testApp }) => {
  await page.viewport(360, 800)
  await openDashboard(testApp, '/dochome', { visits })
  await calendar().getByRole('combobox', { name: 'View' }).selectOptions('Week as list')
  await expect.element(day('Tuesday 3 March')).toMatchTextContent(/14:30 to 15:00.*Maya Ellis/)
  await expect.element(day('Thursday 5 March')).toMatchTextContent(/09:00 to 09:30.*Maya Ellis/)
})
