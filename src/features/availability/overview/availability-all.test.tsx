import { afterEach, expect, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { makeApiClient } from '#app/trpc.ts'
import { type Backend, test } from '#tests/harness/spa/spa-bridge.ts'
import { openSignedIn } from '#tests/harness/spa/spa-page.tsx'
import { openDashboard, saveInOtherWindow } from '#tests/spa/dashboard.ts'
import { delayRequests, failRequests } from '#tests/spa/fake-network.ts'

afterEach(() => vi.restoreAllMocks())

const section = (name: string) => page.getByRole('region', { name, exact: true })
const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true })
const dialog = (name: string) => page.getByRole('dialog', { name })

/** Signs in a Verified GP with typical hours and opens the overview. */
async function openAll(testApp: Backend) {
  const opened = await openDashboard(testApp, '/doctor/availability/all', { hasHours: true })
  await expect.element(section('Time off')).toBeVisible()
  return opened
}

async function fillInTimeOff(first: string, last: string): Promise<void> {
  await section('Time off').getByLabelText('First day').fill(first)
  await section('Time off')
    .getByLabelText(/^Last day/)
    .fill(last)
}

test('whoever has no hours is led to setting them', async ({ testApp }) => {
  const provider = await testApp.addProvider()
  const account = await testApp.addAccount({
    kind: 'provider',
    email: provider.email,
    provider_no: provider.no,
  })
  await openSignedIn(account, '/doctor/availability/all')
  await expect
    .element(page.getByRole('link', { name: 'Set your hours in two minutes' }))
    .toHaveAttribute('href', '/doctor/availability/new')
})

test('weekly hours, rules and public holidays stand there as they are', async ({ testApp }) => {
  await openAll(testApp)
  const hours = section('Weekly hours')
  await expect.element(hours.getByText('09:00 to 12:30').first()).toBeVisible()
  await expect.element(hours.getByText(/2 hours’ notice · 60 days ahead/)).toBeVisible()
  await expect.element(section('Public holidays').getByText('Good Friday')).toBeVisible()
})

test('time off over a booked visit lists the visit, and adds nothing before it is confirmed', async ({
  testApp,
}) => {
  const { provider } = await openAll(testApp)
  await testApp.bookVisit({ providerId: provider.id, startsAt: '2026-03-03T09:00:00.000Z' })
  await button('Add time off').click()
  await expect.element(section('Time off').getByLabelText('First day')).toHaveFocus()
  await fillInTimeOff('2026-03-03', '2026-03-06')
  await button('Add this time off').click()
  const question = dialog('1 booked visit outside these hours')
  await expect.element(question.getByText('Tuesday 3 March, 09:00 to 09:30')).toBeVisible()
  await question.getByRole('button', { name: 'Go back' }).click()
  await expect.element(section('Time off').getByLabelText('First day')).toHaveValue('2026-03-03')
  await expect.element(page.getByText('No time off is planned.')).toBeVisible()
  await button('Add this time off').click()
  await question.getByRole('button', { name: 'Save and keep the visit' }).click()
  await expect
    .element(section('Time off').getByText('Tue 3 March 2026 to Fri 6 March 2026'))
    .toBeVisible()
  await expect.element(button('Add time off')).toHaveFocus()
  await expect.element(button(/^Wednesday 4 March: Away/)).toBeVisible()
})

test('time off whose end is before its start is said beside the end, and kept', async ({
  testApp,
}) => {
  await openAll(testApp)
  await button('Add time off').click()
  await fillInTimeOff('2026-03-20', '2026-03-16')
  await button('Add this time off').click()
  await expect
    .element(section('Time off').getByLabelText(/^Last day/))
    .toHaveAccessibleDescription(/The last day must not be before the first\./)
  await fillInTimeOff('2026-03-16', '')
  await button('Add this time off').click()
  await expect.element(section('Time off').getByText('1 day', { exact: true })).toBeVisible()
})

test('time off is changed where it stands and deleted after a question', async ({ testApp }) => {
  await openAll(testApp)
  await button('Add time off').click()
  await fillInTimeOff('2026-03-16', '2026-03-20')
  await button('Add this time off').click()
  await button(/^Edit time off, Mon 16 March/).click()
  await page.getByRole('textbox', { name: /^Note/ }).fill('Skiing')
  await button('Save time off').click()
  await expect.element(section('Time off').getByText('5 days · Skiing')).toBeVisible()
  await expect.element(button(/^Edit time off, Mon 16 March/)).toHaveFocus()
  await button(/^Delete time off, Mon 16 March/).click()
  await dialog('Delete this time off?').getByRole('button', { name: 'Keep it' }).click()
  await expect.element(section('Time off').getByText('5 days · Skiing')).toBeVisible()
  await button(/^Delete time off, Mon 16 March/).click()
  await dialog('Delete this time off?').getByRole('button', { name: 'Delete time off' }).click()
  await expect.element(page.getByText('No time off is planned.')).toBeVisible()
})

test('what is typed for one time off stays while others are added and deleted', async ({
  testApp,
}) => {
  await openAll(testApp)
  await button('Add time off').click()
  await fillInTimeOff('2026-03-16', '2026-03-20')
  await button('Add this time off').click()
  await button(/^Edit time off, Mon 16 March/).click()
  const changed = section('Time off').getByRole('form', { name: 'Change time off' })
  await changed.getByRole('textbox', { name: /^Note/ }).fill('Skiing')
  await button('Add time off').click()
  const added = section('Time off').getByRole('form', { name: 'Time off', exact: true })
  await expect.element(added.getByLabelText('First day')).toHaveFocus()
  await added.getByLabelText('First day').fill('2026-03-30')
  await button('Add this time off').click()
  await expect.element(button('Add time off')).toHaveFocus()
  await button(/^Delete time off, Mon 30 March/).click()
  await dialog('Delete this time off?').getByRole('button', { name: 'Delete time off' }).click()
  await expect.element(page.getByText('The time off is deleted.')).toBeVisible()
  await expect.element(changed.getByRole('textbox', { name: /^Note/ })).toHaveValue('Skiing')
  await button('Save time off').click()
  await expect.element(section('Time off').getByText('5 days · Skiing')).toBeVisible()
})

test('whoever has moved on while a deletion is saved keeps the focus', async ({ testApp }) => {
  await openAll(testApp)
  await button('Add time off').click()
  await fillInTimeOff('2026-03-16', '2026-03-20')
  await button('Add this time off').click()
  await button(/^Delete time off, Mon 16 March/).click()
  const release = delayRequests('availability.preview')
  await dialog('Delete this time off?').getByRole('button', { name: 'Delete time off' }).click()
  await expect.element(page.getByRole('heading', { name: 'Time off' })).toHaveFocus()
  document.getElementById('why-opener')?.focus()
  release()
  await expect.element(page.getByText('The time off is deleted.')).toBeVisible()
  await expect.element(button('Explain a time')).toHaveFocus()
})

test('whoever has opened another form while one is saved keeps it with what was typed', async ({
  testApp,
}) => {
  await openAll(testApp)
  await button('Add time off').click()
  await fillInTimeOff('2026-03-16', '2026-03-20')
  await button('Add this time off').click()
  await button(/^Edit time off, Mon 16 March/).click()
  await page.getByRole('textbox', { name: /^Note/ }).fill('Skiing')
  const release = delayRequests('availability.addAbsence')
  await button('Save time off').click()
  await button('Add time off').click()
  const added = section('Time off').getByRole('form', { name: 'Time off', exact: true })
  await added.getByLabelText('First day').fill('2026-04-01')
  release()
  await expect.element(page.getByText('Your time off is saved.')).toBeVisible()
  await expect.element(added.getByLabelText('First day')).toHaveValue('2026-04-01')
})

test('an extra date is changed, and a day on which the hours meet the weekly ones is refused', async ({
  testApp,
}) => {
  await openAll(testApp)
  await page.getByRole('link', { name: 'Add extra dates' }).click()
  await button('Saturday 7 March').click()
  await button('Add extra date').click()
  await expect.element(page.getByText('No day chosen yet')).toBeVisible()
  await page.getByRole('link', { name: 'All Availabilities' }).first().click()
  await button('Edit extra date, Sat 7 March 2026').click()
  const day = section('Extra dates').getByLabelText('Day')
  await day.fill('2026-03-09')
  await button('Save extra date').click()
  await expect.element(day).toHaveAccessibleDescription(/These hours overlap: 09:00 to 12:30/)
  await day.fill('2026-03-08')
  await button('Save extra date').click()
  await expect.element(section('Extra dates').getByText('Sun 8 March 2026')).toBeVisible()
  await button('Delete extra date, Sun 8 March 2026').click()
  await button('Delete extra date').click()
  await expect.element(page.getByText('No extra dates ahead.')).toBeVisible()
})

test('what another window saved meanwhile is not overwritten, and nothing typed is lost', async ({
  testApp,
}) => {
  const { router } = await openAll(testApp)
  await button('Add time off').click()
  await fillInTimeOff('2026-03-16', '2026-03-17')
  await saveInOtherWindow(router, 2)
  await button('Add this time off').click()
  await expect.element(page.getByText('What you typed is still here')).toBeVisible()
  await button('Load the saved version').click()
  await expect
    .element(section('Weekly hours').getByText('Closed', { exact: true }).first())
    .toBeVisible()
  await expect.element(section('Time off').getByLabelText('First day')).toHaveValue('2026-03-16')
  await button('Add this time off').click()
  await expect.element(section('Time off').getByText('2 days', { exact: true })).toBeVisible()
})

test('what is typed into time off that another window changed meanwhile is kept', async ({
  testApp,
}) => {
  await openAll(testApp)
  await button('Add time off').click()
  await fillInTimeOff('2026-03-16', '2026-03-17')
  await button('Add this time off').click()
  await button(/^Edit time off, Mon 16 March/).click()
  await page.getByRole('textbox', { name: /^Note/ }).fill('Skiing')
  const { availability } = makeApiClient()
  const { version, absences } = await availability.mine.query()
  const all = { placeId: null, note: '' }
  const longer = { ...all, from: '2026-03-16', to: '2026-03-18', replaces: absences[0]?.id }
  await availability.addAbsence.mutate({ ...longer, version })
  const other = { ...all, from: '2026-03-24', to: '2026-03-24' }
  await availability.addAbsence.mutate({ ...other, version: version + 1 })
  await button('Save time off').click()
  await button('Load the saved version').click()
  await expect.element(section('Time off').getByText('Tue 24 March 2026')).toBeVisible()
  await expect.element(page.getByRole('textbox', { name: /^Note/ })).toHaveValue('Skiing')
  await button('Save time off').click()
  await expect.element(section('Time off').getByText('2 days · Skiing')).toBeVisible()
})

test('the calendar and time off come before the hours, and explaining a time is on request', async ({
  testApp,
}) => {
  await openAll(testApp)
  const titles = page.getByRole('main').getByRole('heading', { level: 2 })
  expect(titles.elements().map(({ textContent }) => textContent)).toEqual([
    'The next four weeks',
    'Time off',
    'Blocked times',
    'Calendars and files',
    'Weekly hours',
    'Extra dates',
    'Public holidays',
  ])
  const opener = button('Explain a time')
  await opener.click()
  const why = section('Why is this time not offered?')
  await expect.element(why.getByRole('heading', { level: 2 })).toHaveFocus()
  await expect.element(opener).toHaveAttribute('aria-expanded', 'true')
  await why.getByRole('button', { name: 'Close' }).click()
  await expect.element(why).not.toBeInTheDocument()
  await expect.element(opener).toHaveFocus()
})

test('why a time is not offered is said in words, with the nearest times that are', async ({
  testApp,
}) => {
  await openAll(testApp)
  await button(/^Monday 9 March: 14 free/).click()
  await expect.element(page.getByRole('heading', { name: /^Why is this time/ })).toHaveFocus()
  const why = section('Why is this time not offered?')
  const list = why.getByRole('list', { name: 'What Monday 9 March is made of' })
  await expect.element(list.getByText('09:00 to 12:30: Free')).toBeVisible()
  await why.getByRole('combobox', { name: 'Time' }).fill('1pm')
  await userEvent.keyboard('{Enter}')
  await expect.element(why.getByText('This time is not offered')).toBeVisible()
  await expect.element(why.getByText('It is outside your hours.')).toBeVisible()
  await why.getByRole('button', { name: '13:30' }).click()
  await expect.element(why.getByText('This time is offered')).toBeVisible()
})

test('an afternoon is blocked every week, and given back', async ({ testApp }) => {
  await openAll(testApp)
  const blocks = section('Blocked times')
  await blocks.getByRole('button', { name: 'Block time' }).click()
  await blocks.getByLabelText('Day').fill('2026-03-04')
  await blocks.getByRole('combobox', { name: 'From' }).fill('14')
  await blocks.getByRole('combobox', { name: 'Until' }).fill('13:00')
  await userEvent.keyboard('{Enter}')
  await blocks.getByRole('button', { name: 'Block this time' }).click()
  await expect.element(blocks.getByText('The end must be after the start.').first()).toBeVisible()
  await blocks.getByRole('combobox', { name: 'Until' }).fill('17')
  await userEvent.keyboard('{Enter}')
  await blocks.getByLabelText('Every week').click()
  await blocks.getByRole('button', { name: 'Block this time' }).click()
  await expect.element(blocks.getByText('Every week from Wed 4 March 2026')).toBeVisible()
  await expect.element(blocks.getByText('14:00 to 17:00')).toBeVisible()
  await blocks.getByRole('button', { name: /^Delete the block/ }).click()
  await dialog('Delete this block?').getByRole('button', { name: 'Delete block' }).click()
  await expect.element(blocks.getByText('No time is blocked.')).toBeVisible()
})

test('a slow press right after the last mistake is put right is not lost', async ({ testApp }) => {
  await openAll(testApp)
  const blocks = section('Blocked times')
  await blocks.getByRole('button', { name: 'Block time' }).click()
  await blocks.getByLabelText('Day').fill('2026-03-04')
  await blocks.getByRole('combobox', { name: 'From' }).fill('14')
  await blocks.getByRole('combobox', { name: 'Until' }).fill('13:00')
  await userEvent.keyboard('{Enter}')
  const send = blocks.getByRole('button', { name: 'Block this time' })
  await send.click()
  await expect.element(blocks.getByText('The end must be after the start.').first()).toBeVisible()
  // The field reports the typed value on blur, which happens while the button is pressed.
  await blocks.getByRole('combobox', { name: 'Until' }).fill('17')
  await send.click({ delay: 300 })
  await expect.element(blocks.getByText('14:00 to 17:00')).toBeVisible()
})

test('booked visits in time off that cannot be had are not taken for none', async ({ testApp }) => {
  const { provider } = await openAll(testApp)
  await testApp.bookVisit({ providerId: provider.id, startsAt: '2026-03-03T09:00:00.000Z' })
  const cut = failRequests('visits.inTimeOff')
  await button('Add time off').click()
  await fillInTimeOff('2026-03-03', '2026-03-06')
  await button('Add this time off').click()
  await button('Save and keep the visit').click()
  const alert = section('Time off').getByRole('alert')
  await expect
    .element(alert)
    .toMatchTextContent(/We couldn’t check for visits booked on these days.*You’re offline\./)
  cut.mockRestore()
  await alert.getByRole('button', { name: 'Try again' }).click()
  await expect.element(button(/^1 booked visit, Tue 3 March/)).toBeVisible()
  await expect.element(alert).not.toBeInTheDocument()
})

test('blocks name their zone where places are in several, and visits in them their own', async ({
  testApp,
}) => {
  // Ten in New York is nine in Chicago, where the visit is.
  const startsAt = '2026-03-03T15:00:00.000Z'
  await openDashboard(testApp, '/doctor/availability/all', {
    overrides: {
      region: 'usa',
      currency: 'USD',
      places: [
        { name: 'Canal Clinic', postcode: '10001', time_zone: 'America/New_York' },
        { name: 'Lake Clinic', postcode: '60601', time_zone: 'America/Chicago' },
      ],
      slots: [Date.parse(startsAt)],
      slotPlace: 1,
    },
    booked: [startsAt],
  })
  const blocks = page.getByRole('region', { name: 'Blocked times' })
  await expect.element(blocks).toMatchTextContent(/at school\. Times are in Eastern Time\./)
  await blocks.getByRole('button', { name: 'Block time' }).click()
  await expect.element(blocks).toMatchTextContent(/In Eastern Time, at all your places\./)
  await blocks.getByLabelText('Day').fill('2026-03-03')
  await blocks.getByRole('combobox', { name: 'From' }).fill('10am')
  await blocks.getByRole('combobox', { name: 'Until' }).fill('11am')
  await blocks.getByRole('button', { name: 'Block this time' }).click()
  await expect
    .element(dialog('1 booked visit outside these hours'))
    .toMatchTextContent(/Tuesday March 3, 9:00 am to 9:30 am CST.*Lake Clinic/)
})
