import { afterEach, expect, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { type Backend, test } from '#tests/harness/spa/spa-bridge.ts'
import { openSignedIn } from '#tests/harness/spa/spa-page.tsx'
import { saveInOtherWindow } from '#tests/spa/dashboard.ts'
import { delayRequests, recordRequests } from '#tests/spa/fake-network.ts'

afterEach(async () => {
  vi.restoreAllMocks()
  await page.viewport(1280, 900)
})

const button = (name: string) => page.getByRole('button', { name, exact: true })
const time = (name: string) => page.getByRole('combobox', { name, exact: true })
const day = (name: string) => page.getByRole('switch', { name, exact: true })
const status = (text: string) => page.getByRole('status').filter({ hasText: text })
const cell = (name: RegExp) => page.getByRole('cell', { name })

async function addPractitioner(
  testApp: Backend,
  overrides: Parameters<Backend['addProvider']>[0] = {},
) {
  const provider = await testApp.addProvider(overrides)
  const account = await testApp.addAccount({
    kind: 'provider',
    email: provider.email,
    provider_no: provider.no,
  })
  return { ...provider, account }
}

/** Signs in a Verified GP without any hours and opens the editor. */
async function openEditor(testApp: Backend) {
  const provider = await addPractitioner(testApp)
  const opened = await openSignedIn(provider.account, '/doctor/availability/new')
  await expect.element(day('Monday')).toBeVisible()
  return { ...opened, provider }
}

test('whoever has no hours finds a good week, and saves it with one press', async ({ testApp }) => {
  await openEditor(testApp)
  await expect.element(page.getByText('A typical week to start from')).toBeVisible()
  await expect.element(time('Monday, from')).toHaveValue('09:00')
  await expect.element(time('Friday, second hours, until')).toHaveValue('17:00')
  await expect.element(day('Saturday')).not.toBeChecked()
  await button('Save hours').click()
  await expect.element(status('Everything is saved')).toBeVisible()
  await expect.element(page.getByText('A typical week to start from')).not.toBeInTheDocument()
  await expect.element(cell(/^Monday 9 March: 14 free, 09:00 to 12:30/)).toBeInTheDocument()
})

test('saving and discarding leave the focus where they say what is saved', async ({ testApp }) => {
  await openEditor(testApp)
  button('Save hours').element().focus()
  await userEvent.keyboard('{Enter}')
  await expect.element(status('Everything is saved')).toHaveFocus()
  await day('Saturday').click()
  button('Discard').element().focus()
  await userEvent.keyboard('{Enter}')
  await expect.element(status('Everything is saved')).toHaveFocus()
})

test('a day is switched off and has its hours back when it is switched on', async ({ testApp }) => {
  await openEditor(testApp)
  await time('Monday, from').fill('8')
  await day('Monday').click()
  await expect.element(day('Monday')).not.toBeChecked()
  await expect.element(time('Monday, from')).not.toBeInTheDocument()
  await day('Monday').click()
  await expect.element(time('Monday, from')).toHaveValue('08:00')
  await expect.element(time('Monday, second hours, from')).toHaveValue('13:30')
})

test('times are typed as people write them or picked with the arrows', async ({ testApp }) => {
  await openEditor(testApp)
  for (const [typed, shown] of [
    ['930', '09:30'],
    ['8am', '08:00'],
    ['10.15', '10:15'],
  ] as const) {
    await time('Monday, from').fill(typed)
    await userEvent.keyboard('{Enter}')
    await expect.element(time('Monday, from')).toHaveValue(shown)
  }
  await userEvent.keyboard('{ArrowDown}{ArrowDown}')
  await expect
    .element(page.getByRole('option', { name: '10:30' }))
    .toHaveAttribute('aria-selected', 'true')
  await userEvent.keyboard('{Enter}')
  await expect.element(time('Monday, from')).toHaveValue('10:30')
  // A start past its end moves the end one step on.
  await time('Monday, from').fill('12:45')
  await userEvent.keyboard('{Tab}')
  await expect.element(time('Monday, until')).toHaveValue('13:00')
})

test('what is no time stays as it was typed, and saving leads to it', async ({ testApp }) => {
  await openEditor(testApp)
  await time('Tuesday, until').fill('lunch')
  await userEvent.keyboard('{Tab}')
  await expect.element(time('Tuesday, until')).toHaveValue('lunch')
  await expect
    .element(time('Tuesday, until'))
    .toHaveAccessibleDescription('Enter a time, such as 9:30.')
  await expect.element(status('1 mistake')).toBeVisible()
  await button('Save hours').click()
  await expect.element(time('Tuesday, until')).toHaveFocus()
})

test('saving leads to a mistake in a week that is not on the screen', async ({ testApp }) => {
  await openEditor(testApp)
  await page.getByRole('button', { name: /^Booking rules/ }).click()
  await page.getByRole('combobox', { name: 'Repeats every' }).selectOptions('2')
  await page.getByRole('radio', { name: 'Week 2' }).click()
  await time('Tuesday, until').fill('lunch')
  await page.getByRole('radio', { name: 'Week 1' }).click()
  await expect.element(time('Tuesday, until')).toHaveValue('12:30')
  await button('Save hours').click()
  await expect.element(time('Tuesday, until')).toHaveValue('lunch')
  await expect.element(time('Tuesday, until')).toHaveFocus()
})

test('overlapping and inverted hours are said beside them', async ({ testApp }) => {
  await openEditor(testApp)
  await time('Monday, second hours, from').fill('12:00')
  await userEvent.keyboard('{Tab}')
  await expect
    .element(time('Monday, second hours, from'))
    .toHaveAccessibleDescription('These hours overlap 09:00 to 12:30.')
  await time('Tuesday, until').fill('08:00')
  await userEvent.keyboard('{Tab}')
  await expect
    .element(time('Tuesday, until'))
    .toHaveAccessibleDescription('The end must be after the start.')
})

test('hours are added and taken away, and focus goes along', async ({ testApp }) => {
  await openEditor(testApp)
  await day('Sunday').click()
  await expect.element(page.getByRole('button', { name: /^Remove Sunday/ })).not.toBeInTheDocument()
  await button('Add hours on Sunday').click()
  await expect.element(time('Sunday, second hours, from')).toHaveFocus()
  await expect.element(time('Sunday, second hours, from')).toHaveValue('18:00')
  await expect.element(status('Sunday: 18:00 to 19:00 added')).toBeInTheDocument()
  await button('Remove Sunday, 09:00 to 17:00').click()
  await expect.element(time('Sunday, from')).toHaveFocus()
  await expect.element(time('Sunday, from')).toHaveValue('18:00')
})

test('a day is copied to others from a list that the arrows go through', async ({ testApp }) => {
  await openEditor(testApp)
  await time('Monday, from').fill('7')
  await button('Copy Monday to other days').click()
  const list = page.getByRole('dialog', { name: 'Copy the hours of Monday to' })
  await expect.element(list.getByRole('checkbox', { name: 'Select all' })).toHaveFocus()
  await expect.element(list.getByRole('button', { name: 'Apply' })).toBeDisabled()
  await userEvent.keyboard('{ArrowUp}')
  await expect.element(list.getByRole('checkbox', { name: 'Sunday' })).toHaveFocus()
  await userEvent.keyboard(' {ArrowUp} ')
  await list.getByRole('button', { name: 'Apply' }).click()
  await expect.element(button('Copy Monday to other days')).toHaveFocus()
  await expect.element(time('Sunday, from')).toHaveValue('07:00')
  await expect.element(time('Saturday, from')).toHaveValue('07:00')
  await expect.element(time('Tuesday, from')).toHaveValue('09:00')
  await expect.element(status('Hours of Monday copied to Saturday and Sunday')).toBeInTheDocument()
  await button('Copy Monday to other days').click()
  await list.getByRole('checkbox', { name: 'Select all' }).click()
  await userEvent.keyboard('{Escape}')
  await expect.element(list).not.toBeInTheDocument()
  await expect.element(time('Tuesday, from')).toHaveValue('09:00')
})

test('weeks in turn have hours of their own, and the preview follows before saving', async ({
  testApp,
}) => {
  await openEditor(testApp)
  await button('Save hours').click()
  await expect.element(status('Everything is saved')).toBeVisible()
  await page.getByRole('button', { name: /^Booking rules/ }).click()
  await page.getByRole('combobox', { name: 'Repeats every' }).selectOptions('2')
  await page.getByRole('radio', { name: 'Week 2' }).click()
  await button('Close week 2').click()
  await expect.element(status('6 changes')).toBeVisible()
  await expect.element(cell(/^Monday 9 March: Closed/)).toBeInTheDocument()
  await expect.element(cell(/^Monday 16 March: 14 free/)).toBeInTheDocument()
  await button('Save hours').click()
  await expect.element(status('Everything is saved')).toBeVisible()
})

test('a booked visit outside the new hours is listed before anything is saved', async ({
  testApp,
}) => {
  const { provider } = await openEditor(testApp)
  await button('Save hours').click()
  await expect.element(status('Everything is saved')).toBeVisible()
  await testApp.bookVisit({ providerId: provider.id, startsAt: '2026-03-03T09:00:00.000Z' })
  await day('Tuesday').click()
  await expect.element(page.getByText('1 booked visit would lie outside these hours')).toBeVisible()
  await button('Save hours').click()
  const question = page.getByRole('dialog', { name: '1 booked visit outside these hours' })
  await expect.element(question.getByText('Tuesday 3 March, 09:00 to 09:30')).toBeVisible()
  await question.getByRole('button', { name: 'Go back' }).click()
  await expect.element(status('1 change')).toBeVisible()
  await button('Save hours').click()
  await question.getByRole('button', { name: 'Save and keep the visit' }).click()
  await expect.element(status('Everything is saved')).toBeVisible()
  await expect.element(cell(/^Tuesday 3 March: Closed, 1 booked/)).toBeInTheDocument()
})

test('what another window saved meanwhile is refused, and what was set stays to be saved', async ({
  testApp,
}) => {
  const { router } = await openEditor(testApp)
  await button('Save hours').click()
  await expect.element(status('Everything is saved')).toBeVisible()
  await saveInOtherWindow(router, 8)
  await day('Saturday').click()
  await button('Save hours').click()
  await expect.element(page.getByText(/^Your hours were changed in another window\./)).toBeVisible()
  await expect.element(day('Saturday')).toBeChecked()
  await button('Keep mine, then save').click()
  // Friday, which the other window closed, differs now as well.
  await expect.element(status('2 changes')).toBeVisible()
  await button('Save hours').click()
  await expect.element(status('Everything is saved')).toBeVisible()
  await expect.element(day('Saturday')).toBeChecked()
})

test('leaving with changes asks first, and the other half of the page keeps them', async ({
  testApp,
}) => {
  const { router } = await openEditor(testApp)
  await day('Saturday').click()
  await page.getByRole('link', { name: 'Extra dates' }).click()
  await expect.element(page.getByRole('grid')).toBeVisible()
  await page.getByRole('link', { name: 'Weekly hours' }).click()
  await expect.element(day('Saturday')).toBeChecked()
  await page.getByRole('link', { name: 'DashBoard' }).click()
  const question = page.getByRole('dialog', { name: 'Leave without saving?' })
  await question.getByRole('button', { name: 'Stay here' }).click()
  expect(router.state.location.pathname).toBe('/doctor/availability/new')
  await expect.element(day('Saturday')).toBeChecked()
  await page.getByRole('link', { name: 'DashBoard' }).click()
  await question.getByRole('button', { name: 'Leave without saving' }).click()
  await expect.poll(() => router.state.location.pathname).toBe('/dochome')
})

test('several extra dates are chosen by keyboard and added at once', async ({ testApp }) => {
  const provider = await addPractitioner(testApp)
  await openSignedIn(provider.account, '/doctor/availability/new?view=dates')
  await button('Add extra date').click()
  await expect.element(page.getByText('Choose at least one day.').first()).toBeVisible()
  await button('Monday 2 March').click()
  await userEvent.keyboard('{ArrowDown}{ArrowRight}{Enter}{ArrowRight}{Enter}')
  await expect.element(page.getByText('3 days chosen')).toBeVisible()
  await button('Remove Mon 2 March 2026').click()
  await time('From').fill('6pm')
  await time('Until').fill('8')
  await button('Add 2 extra dates').click()
  await expect.element(page.getByText('No day chosen yet')).toBeVisible()
  await expect.element(cell(/^Tuesday 10 March: 4 free, 18:00 to 20:00 extra/)).toBeInTheDocument()
  await expect.element(cell(/^Wednesday 11 March: 4 free/)).toBeInTheDocument()
})

test('days chosen for extra hours outlast a look at the weekly ones, and leaving asks first', async ({
  testApp,
}) => {
  const provider = await addPractitioner(testApp)
  await openSignedIn(provider.account, '/doctor/availability/new?view=dates')
  await button('Monday 9 March').click()
  await button('Tuesday 10 March').click()
  await time('From').fill('6pm')
  await page.getByRole('textbox', { name: /^Note/ }).fill('Late clinic')
  await page.getByRole('link', { name: 'Weekly hours' }).click()
  await expect.element(day('Monday')).toBeVisible()
  await page.getByRole('link', { name: 'Extra dates' }).click()
  await expect.element(page.getByText('2 days chosen')).toBeVisible()
  await expect.element(time('From')).toHaveValue('18:00')
  await expect.element(page.getByRole('textbox', { name: /^Note/ })).toHaveValue('Late clinic')
  await page.getByRole('link', { name: 'DashBoard' }).click()
  const question = page.getByRole('dialog', { name: 'Leave without saving?' })
  await expect.element(question).toMatchTextContent('2 extra dates are not added yet.')
  await question.getByRole('button', { name: 'Stay here' }).click()
  await time('Until').fill('8pm')
  await button('Add 2 extra dates').click()
  await expect.element(cell(/^Tuesday 10 March: 4 free, 18:00 to 20:00 extra/)).toBeInTheDocument()
})

test('in the USA weeks begin on Sunday and clocks have twelve hours', async ({ testApp }) => {
  const provider = await addPractitioner(testApp, {
    region: 'usa',
    currency: 'USD',
    place: { time_zone: 'America/New_York', postcode: '10001', locality: 'New York' },
    slots: [],
  })
  await openSignedIn(provider.account, '/doctor/availability/new')
  await expect.element(page.getByRole('switch').first()).toHaveAccessibleName('Sunday')
  await expect.element(time('Monday, from')).toHaveValue('9:00 am')
  await time('Monday, until').fill('1')
  await userEvent.keyboard('{Enter}')
  await expect.element(time('Monday, until')).toHaveValue('1:00 pm')
  // Those of a rotation run from Monday to Sunday, and the field says so.
  await page.getByRole('button', { name: /^Booking rules/ }).click()
  await page.getByRole('combobox', { name: 'Repeats every' }).selectOptions('2')
  const start = page.getByLabelText('Week 1 starts')
  await start.fill('2026-03-08')
  await expect
    .element(start)
    .toHaveAccessibleDescription(
      'These weeks run from Monday to Sunday, so week 1 starts on Mon, March 2, 2026.',
    )
  await start.fill('2026-03-09')
  await expect.element(start).toHaveAccessibleDescription('We count the weeks from this date.')
})

test('the length of a visit leads to the visit types that it follows from', async ({ testApp }) => {
  await openEditor(testApp)
  await page.getByRole('button', { name: /^Booking rules/ }).click()
  await page.getByRole('link', { name: 'your profile' }).click()
  await expect
    .element(page.getByRole('heading', { name: 'Visit types', exact: true }))
    .toBeInViewport()
})

test('on phones every day folds away behind its hours', async ({ testApp }) => {
  await page.viewport(360, 740)
  await openEditor(testApp)
  await expect.element(time('Monday, from')).not.toBeInTheDocument()
  await button('Change the hours of Monday').click()
  await expect.element(time('Monday, from')).toBeVisible()
  await button('Collapse Monday').click()
  await expect.element(time('Monday, from')).not.toBeInTheDocument()
})

test('hours changed while earlier ones are being saved are kept, and not saved yet', async ({
  testApp,
}) => {
  await openEditor(testApp)
  const release = delayRequests('availability.saveHours')
  await button('Save hours').click()
  await time('Monday, from').fill('8')
  await userEvent.keyboard('{Tab}')
  release()
  await expect.element(page.getByText('Your hours are saved.')).toBeVisible()
  await expect.element(time('Monday, from')).toHaveValue('08:00')
  await expect.element(status('1 change')).toBeVisible()
})

test('a week to start from is previewed with one request', async ({ testApp }) => {
  const requests = recordRequests()
  await openEditor(testApp)
  await expect.element(cell(/^Monday 9 March: 14 free/)).toBeInTheDocument()
  expect(requests.join(' ').match(/availability\.preview/g)).toHaveLength(1)
})
