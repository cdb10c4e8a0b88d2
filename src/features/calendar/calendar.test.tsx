import { afterEach, expect, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { test } from '#tests/harness/spa/spa-bridge.ts'
import { openDashboard } from '#tests/spa/dashboard.ts'
import { delayRequests, findMutation, recordMutations } from '#tests/spa/fake-network.ts'
import { mutateDirectly } from '#tests/spa/staff.ts'

afterEach(async () => {
  vi.restoreAllMocks()
  await page.viewport(1280, 900)
})

const calendar = () => page.getByRole('region', { name: /^Calendar, / })
const day = (name: string) => calendar().getByRole('region', { name, exact: true })
const dialog = (name: string) => page.getByRole('dialog', { name })
const visitDrawer = () => dialog('Visit')
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
  await expect.element(visitDrawer()).toMatchTextContent('Tuesday 3 March 2026, 14:30 to 15:00')
  await expect.element(visitDrawer().getByRole('heading', { name: 'Patient' })).toBeVisible()
  await visitDrawer().getByRole('button', { name: 'Show purpose of Maya Ellis' }).click()
  await expect.element(visitDrawer().getByText('A cough that will not go away')).toBeVisible()
  await expect.element(visitDrawer().getByRole('link', { name: 'Open as a page' })).toBeVisible()
  await userEvent.keyboard('{Escape}')
  await expect.element(visitDrawer()).not.toBeInTheDocument()
  expect(router.state.location.search).toEqual({})
})

test('an hour is blocked where the week shows it free', async ({ testApp }) => {
  await openDashboard(testApp, '/dochome', { overrides: { slots: [] }, hasHours: true })
  const free = button(/^Free on Wednesday 4 March, 13:30 to 17:00/)
  await expect.element(free).toBeVisible()
  const element = free.element()
  if (element instanceof HTMLElement) element.focus()
  await userEvent.keyboard('{Enter}')
  await dialog('Add a visit').getByRole('radio', { name: 'Blocked time' }).click()
  const form = dialog('Block time')
  await expect.element(form.getByLabelText('Day')).toHaveValue('2026-03-04')
  await expect.element(form.getByRole('combobox', { name: 'From' })).toHaveValue('13:30')
  await form.getByLabelText(/^Note/).fill('School play')
  await form.getByRole('button', { name: 'Block this time' }).click()
  await expect.element(form).not.toBeInTheDocument()
  await expect.element(day('Wednesday 4 March')).toMatchTextContent('Blocked: School play')
  await expect.element(button(/^Free on Wednesday 4 March, 13:30/)).not.toBeInTheDocument()
})

test('changing between a visit and a block keeps what was typed in each', async ({ testApp }) => {
  await openDashboard(testApp, '/dochome', { overrides: { slots: [] }, hasHours: true })
  const free = button(/^Free on Wednesday 4 March, 13:30 to 17:00/)
  await expect.element(free).toBeVisible()
  const element = free.element()
  if (element instanceof HTMLElement) element.focus()
  await userEvent.keyboard('{Enter}')
  const visit = dialog('Add a visit')
  const block = dialog('Block time')
  await visit.getByLabelText('Patient’s name').fill('Sam Hill')
  await visit.getByRole('radio', { name: 'Blocked time' }).click()
  await block.getByRole('combobox', { name: 'From' }).fill('15:00')
  await block.getByRole('checkbox', { name: 'Every week' }).click()
  await block.getByRole('radio', { name: 'Visit', exact: true }).click()
  await expect.element(visit.getByLabelText('Patient’s name')).toHaveValue('Sam Hill')
  await visit.getByRole('radio', { name: 'Blocked time' }).click()
  await expect.element(block.getByRole('combobox', { name: 'From' })).toHaveValue('15:00')
  await expect.element(block.getByRole('checkbox', { name: 'Every week' })).toBeChecked()
  await block.getByRole('button', { name: 'Block this time' }).click()
  await expect.element(block).not.toBeInTheDocument()
  await expect.element(button(/^Free on Wednesday 4 March, 13:30 to 15:00/)).toBeVisible()
})

test('an answer that comes late closes no form opened meanwhile', async ({ testApp }) => {
  await openDashboard(testApp, '/dochome', { overrides: { slots: [] }, hasHours: true })
  const release = delayRequests('booking.addDesk')
  await addWalkIn({ name: 'Sam Hill', time: '09:30' })
  await userEvent.keyboard('{Escape}')
  await expect.element(dialog('Add a visit')).not.toBeInTheDocument()
  await calendar().getByRole('button', { name: 'Block time', exact: true }).click()
  await dialog('Block time').getByLabelText(/^Note/).fill('School play')
  release()
  await expect.element(page.getByText(/^The visit is in your calendar/)).toBeVisible()
  await expect.element(dialog('Block time').getByLabelText(/^Note/)).toHaveValue('School play')
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
  await expect.element(visitDrawer()).toBeVisible()
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

const oneVisit = [{ startsAt: '2026-03-03T14:30:00Z' }]

/** A walk-in on Wednesday, by the button above the calendar. */
async function addWalkIn({ name, time }: { name: string; time: string }) {
  await calendar().getByRole('button', { name: 'Add a visit', exact: true }).click()
  const form = dialog('Add a visit')
  await form.getByRole('radio', { name: 'Walk-in' }).click()
  await form.getByLabelText('Patient’s name').fill(name)
  await form.getByLabelText('Day').fill('2026-03-04')
  await form.getByLabelText('Time').fill(time)
  await form.getByRole('button', { name: 'Add visit' }).click()
  return form
}

test('a phone patient is put in where the day is pressed, labelled, and opens beside the calendar', async ({
  testApp,
}) => {
  await openDashboard(testApp, '/dochome', { visits: oneVisit })
  const anyTime = calendar().getByRole('button', {
    name: 'Add a visit or block time on Wednesday 4 March',
  })
  await expect.element(anyTime).toBeInTheDocument()
  const element = anyTime.element()
  if (element instanceof HTMLElement) element.focus()
  await userEvent.keyboard('{Enter}')
  const form = dialog('Add a visit')
  await expect.element(form.getByLabelText('Day')).toHaveValue('2026-03-04')
  await form.getByRole('button', { name: 'Add visit' }).click()
  await expect.element(form.getByText('Enter the patient’s name.').first()).toBeVisible()
  await form.getByLabelText('Patient’s name').fill('ida Rowe')
  await form.getByLabelText(/^Phone number/).fill('020 7946 0123')
  await form.getByLabelText(/^Note/).fill('Fell on the stairs')
  await form.getByLabelText('Time').fill('19:10')
  await form.getByRole('button', { name: 'Add visit' }).click()
  await expect.element(form).not.toBeInTheDocument()
  await expect
    .element(day('Wednesday 4 March'))
    .toMatchTextContent(/19:10 Ida Rowe.*Phone · 020 7946 0123/)
  await calendar()
    .getByRole('button', { name: /19:10 Ida Rowe/ })
    .click()
  const drawer = dialog('Visit')
  await expect.element(drawer).toMatchTextContent('Nothing through Apposite')
  await drawer.getByRole('button', { name: 'Show note of Ida Rowe' }).click()
  await expect.element(drawer.getByText('Fell on the stairs')).toBeVisible()
})

test('a time somebody has is refused beside the field, and what was typed stays', async ({
  testApp,
}) => {
  await openDashboard(testApp, '/dochome', { visits: oneVisit })
  const form = await addWalkIn({ name: 'Ida Rowe', time: '14:30' })
  await expect.element(form).not.toBeInTheDocument()
  await addWalkIn({ name: 'Sam Hill', time: '14:40' })
  const said = /^You already have a visit then, or somebody is booking that time/
  await expect.element(form.getByText(said).first()).toBeVisible()
  await expect.element(form.getByLabelText('Patient’s name')).toHaveValue('Sam Hill')
  await form.getByLabelText('Time').fill('15:30')
  await form.getByRole('button', { name: 'Add visit' }).click()
  await expect.element(day('Wednesday 4 March')).toMatchTextContent(/15:30 Sam Hill.*Walk-in/)
})

test('of a time that the clocks show twice, a phone patient gets the one that is chosen', async ({
  testApp,
}) => {
  await openDashboard(testApp, '/dochome?on=2026-10-25', { visits: oneVisit })
  await calendar().getByRole('button', { name: 'Add a visit', exact: true }).click()
  const form = dialog('Add a visit')
  await form.getByRole('radio', { name: 'Walk-in' }).click()
  await form.getByLabelText('Patient’s name').fill('Ida Rowe')
  await form.getByLabelText('Day').fill('2026-10-25')
  await form.getByLabelText('Time').fill('02:30')
  await expect.element(form.getByLabelText(/^Which/)).not.toBeInTheDocument()
  await form.getByLabelText('Time').fill('01:30')
  const which = form.getByLabelText('Which 01:30?')
  await expect.element(which).toHaveTextContent('01:30 (London time, BST)01:30 (London time, GMT)')
  await which.selectOptions('01:30 (London time, GMT)')
  const writes = recordMutations()
  await form.getByRole('button', { name: 'Add visit' }).click()
  await expect.element(form).not.toBeInTheDocument()
  expect(findMutation(writes, 'booking.addDesk').answer).toMatchObject({
    startsAt: '2026-10-25T01:30:00.000Z',
  })
  await expect
    .element(page.getByText('The visit is in your calendar: Sun 25 Oct, 01:30 GMT.'))
    .toBeVisible()
  await calendar()
    .getByRole('button', { name: /01:30 GMT Ida Rowe/ })
    .click()
  await dialog('Visit').getByRole('button', { name: 'Move visit' }).click()
  const move = dialog('Move this visit')
  await move.getByRole('button', { name: 'Choose any other time' }).click()
  // The first of the two, which nobody has to choose.
  await move.getByLabelText('Which 01:30?').selectOptions('01:30 (London time, BST)')
  await move.getByRole('button', { name: 'Continue' }).click()
  await expect
    .element(move)
    .toMatchTextContent(/Sunday 25 October, 01:30 GMT.*Sunday 25 October, 01:30 BST/)
  await move.getByRole('button', { name: 'Move visit' }).click()
  await expect.element(dialog('Visit')).toMatchTextContent('Moved from Sun 25 Oct, 01:30 GMT')
  expect(findMutation(writes, 'booking.moveDesk').answer).toMatchObject({
    startsAt: '2026-10-25T00:30:00.000Z',
  })
})

test('it is edited, moved to a time that is not offered, and cancelled, with the question each time', async ({
  testApp,
}) => {
  await openDashboard(testApp, '/dochome', { visits: oneVisit })
  await addWalkIn({ name: 'Sam Hill', time: '15:30' })
  await calendar()
    .getByRole('button', { name: /15:30 Sam Hill/ })
    .click()
  const drawer = dialog('Visit')
  await drawer.getByRole('button', { name: 'Edit' }).click()
  const edit = dialog('Edit this visit')
  await edit.getByLabelText('Patient’s name').fill('Sam Hall')
  await edit.getByRole('button', { name: 'Save' }).click()
  await expect.element(drawer.getByRole('heading', { name: 'Sam Hall' })).toBeVisible()
  await drawer.getByRole('button', { name: 'Move visit' }).click()
  const move = dialog('Move this visit')
  await move.getByRole('button', { name: 'Choose any other time' }).click()
  await move.getByLabelText('Time').fill('20:15')
  await move.getByRole('button', { name: 'Continue' }).click()
  await expect
    .element(move)
    .toMatchTextContent(/Wednesday 4 March, 15:30.*Wednesday 4 March, 20:15/)
  await expect.element(move).toMatchTextContent('Nobody is emailed')
  await move.getByRole('button', { name: 'Move visit' }).click()
  await expect.element(drawer).toMatchTextContent('Moved from Wed 4 Mar, 15:30')
  await drawer.getByRole('button', { name: 'Cancel visit' }).click()
  const question = dialog('Cancel this visit?')
  await question.getByRole('button', { name: 'Cancel visit' }).click()
  await expect.element(drawer).toMatchTextContent('This visit was cancelled.')
})

test('whoever walks in now is put in for now, marked as there, and on the day sheet', async ({
  testApp,
}) => {
  const { router } = await openDashboard(testApp, '/dochome', { visits: oneVisit })
  await calendar().getByRole('button', { name: 'Add a visit', exact: true }).click()
  const form = dialog('Add a visit')
  await form.getByRole('radio', { name: 'Walk-in' }).click()
  await form.getByLabelText('Patient’s name').fill('Sam Hill')
  await expect.element(form.getByLabelText('Day')).toHaveValue('2026-03-02')
  await form.getByLabelText('Time').fill('09:05')
  await form.getByRole('button', { name: 'Add visit' }).click()
  await expect.element(form).not.toBeInTheDocument()
  const today = page.getByRole('region', { name: 'Today' })
  await expect.element(today).toMatchTextContent(/Sam Hill.*Walk-in/)
  await today.getByRole('button', { name: /^Arrived ?: Sam Hill/ }).click()
  await expect.element(today).toMatchTextContent(/Sam Hill.*Arrived 09:0/)
  await router.navigate({ to: '/doctor/day-sheet' })
  await expect
    .element(page.getByRole('row', { name: /09:05.*Sam Hill/ }))
    .toMatchTextContent('Walk-in')
})

test('visits put in at the desk are listed ten to a page', async ({ testApp }) => {
  const { router } = await openDashboard(testApp, '/dochome')
  for (const [at, name] of 'Ann Bea Cid Dan Eve Fay Gus Hal Ida Joe Kit'.split(' ').entries()) {
    const slot = { startsAt: `2026-03-03T${at + 10}:00:00Z` }
    const visit = { kind: 'phone', name: `${name} Hill`, phone: '020 7946 0123', slot }
    expect(await mutateDirectly('booking.addDesk', visit)).toBe(200)
  }
  await router.navigate({ to: '/doctor/appointment-history' })
  const list = page.getByRole('region', { name: 'Phone and walk-in visits' })
  await expect.element(list).toMatchTextContent('11 visits')
  await expect.poll(() => list.getByRole('link').elements().length).toBe(10)
  const pages = page.getByRole('navigation', { name: 'Phone and walk-in visits by page' })
  await pages.getByRole('button', { name: 'Page 2' }).click()
  await expect.poll(() => list.getByRole('link').elements().length).toBe(1)
  await expect
    .element(pages.getByRole('button', { name: 'Page 2' }))
    .toHaveAttribute('aria-current', 'page')
  await pages.getByRole('button', { name: 'Previous page' }).click()
  await expect.poll(() => list.getByRole('link').elements().length).toBe(10)
})
