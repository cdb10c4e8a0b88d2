import { afterEach, expect, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { test } from '#tests/harness/spa/spa-bridge.ts'
import { openDashboard } from '#tests/spa/dashboard.ts'
import { changeResponses, delayRequests } from '#tests/spa/fake-network.ts'

afterEach(async () => {
  vi.restoreAllMocks()
  await page.viewport(1280, 900)
})

const panel = () => page.getByRole('region', { name: 'Other calendars' })
const dialog = () => page.getByRole('dialog')

test('a calendar is added by its address, says how it stands, and is removed again', async ({
  testApp,
}) => {
  await openDashboard(testApp, '/doctor/availability/calendars')
  await expect.element(panel()).toMatchTextContent('You have added no calendars.')
  await panel().getByRole('button', { name: 'Add a calendar' }).click()
  await dialog().getByRole('button', { name: 'Add calendar' }).click()
  await expect.element(dialog().getByText('Give the calendar a name.').first()).toBeVisible()
  await dialog().getByLabelText('Name').fill('Family')
  await dialog().getByLabelText('Address').fill('https://169.254.169.254/latest')
  await dialog().getByRole('button', { name: 'Add calendar' }).click()
  await expect
    .element(
      dialog()
        .getByText(/This address can’t be read/)
        .first(),
    )
    .toBeVisible()
  await dialog().getByLabelText('Address').fill('webcal://calendar.example/private.ics')
  await dialog().getByRole('button', { name: 'Add calendar' }).click()
  await expect.element(dialog()).not.toBeInTheDocument()
  // The host is unreachable in tests: the calendar is kept, shows the failure, and is retried.
  await expect.element(panel()).toMatchTextContent(/Family · calendar\.example/)
  await expect.element(panel()).toMatchTextContent(/Failing since .* could not be reached\./)
  await panel().getByRole('checkbox', { name: 'Ignore all-day events of Family' }).click()
  await expect
    .element(panel().getByRole('checkbox', { name: 'Ignore all-day events of Family' }))
    .toBeChecked()
  await panel().getByRole('button', { name: 'Remove Family' }).click()
  await dialog().getByRole('button', { name: 'Remove' }).click()
  await expect.element(panel()).toMatchTextContent('You have added no calendars.')
})

test('a calendar is renamed and read at another address, which must be one that can be read', async ({
  testApp,
}) => {
  await openDashboard(testApp, '/doctor/availability/calendars')
  await panel().getByRole('button', { name: 'Add a calendar' }).click()
  await dialog().getByLabelText('Name').fill('Famly')
  await dialog().getByLabelText('Address').fill('webcal://calendar.example/private.ics')
  await dialog().getByRole('button', { name: 'Add calendar' }).click()
  await panel().getByRole('button', { name: 'Edit Famly' }).click()
  await expect.element(dialog().getByLabelText('Name')).toHaveValue('Famly')
  await dialog().getByLabelText('Name').fill('')
  await dialog().getByRole('button', { name: 'Save' }).click()
  await expect.element(dialog().getByText('Give the calendar a name.').first()).toBeVisible()
  await dialog().getByLabelText('Name').fill('Family')
  await dialog().getByRole('button', { name: 'Save' }).click()
  await expect.element(dialog()).not.toBeInTheDocument()
  await expect.element(panel()).toMatchTextContent(/Family · calendar\.example/)
  await panel().getByRole('button', { name: 'Edit Family' }).click()
  await dialog()
    .getByLabelText(/New address/)
    .fill('https://169.254.169.254/latest')
  await dialog().getByRole('button', { name: 'Save' }).click()
  await expect
    .element(
      dialog()
        .getByText(/This address can’t be read/)
        .first(),
    )
    .toBeVisible()
  await dialog()
    .getByLabelText(/New address/)
    .fill('https://club.example/private.ics')
  await dialog().getByRole('button', { name: 'Save' }).click()
  await expect.element(panel()).toMatchTextContent(/Family · club\.example/)
})

const importPanel = () => page.getByRole('region', { name: 'Import appointments' })
const button = (name: string) => importPanel().getByRole('button', { name })

const FILE = [
  'Start,Duration,Patient',
  '10/03/2026 09:00,30,Mrs Bell',
  'next week,30,Mr Cole',
  '01/03/2026 09:00,30,Ms Dunn',
].join('\n')

test('a file with mistakes says what is wrong with each row, imports the rest, and can be undone', async ({
  testApp,
}) => {
  await openDashboard(testApp, '/doctor/availability/calendars')
  const file = new File([FILE], 'desk.csv', { type: 'text/csv' })
  await userEvent.upload(importPanel().getByLabelText('CSV file'), file)
  await expect.element(importPanel()).toMatchTextContent('desk.csv, 3 rows')
  await button('Check the file').click()
  await expect
    .element(importPanel().getByRole('alert'))
    .toMatchTextContent('Say how dates are written in this file.')
  await expect.element(importPanel().getByRole('alert')).toHaveFocus()
  await importPanel()
    .getByRole('radio', { name: /^Day first/ })
    .click()
  await button('Check the file').click()
  await expect.element(importPanel()).toMatchTextContent('1 appointment can be imported.')
  await expect
    .element(importPanel())
    .toMatchTextContent('The first one is row 2: Tue 10 Mar, 09:00 (London time, GMT).')
  await expect.element(importPanel()).toMatchTextContent('Row 3 The start or end is not a date')
  await expect.element(importPanel()).toMatchTextContent('Row 4 It is over.')
  await button('Import 1 appointment').click()
  await expect.element(importPanel()).toMatchTextContent('1 appointment added, 2 rows left out.')
  await button('Undo the import of desk.csv').click()
  await page.getByRole('dialog').getByRole('button', { name: 'Undo import' }).click()
  await expect.element(button('Undo the import of desk.csv')).not.toBeInTheDocument()
})

test('the first appointment is shown at its place’s time, as the file has it', async ({
  testApp,
}) => {
  await openDashboard(testApp, '/doctor/availability/calendars', {
    overrides: {
      region: 'usa',
      places: [
        { name: 'Canal Clinic', postcode: '10001', time_zone: 'America/New_York' },
        { name: 'Lake Clinic', postcode: '60601', time_zone: 'America/Chicago' },
      ],
    },
  })
  const text = 'Start,Duration,Place\n2026-03-10 09:00,30,Lake Clinic'
  const file = new File([text], 'desk.csv', { type: 'text/csv' })
  await userEvent.upload(importPanel().getByLabelText('CSV file'), file)
  // This date has one reading.
  await expect.element(importPanel()).not.toMatchTextContent('How are dates written?')
  await button('Check the file').click()
  await expect
    .element(importPanel())
    .toMatchTextContent('The first one is row 2: Tue Mar 10, 9:00 am (Central Time, CDT).')
})

test('a file cannot be put away while it is being checked', async ({ testApp }) => {
  await openDashboard(testApp, '/doctor/availability/calendars')
  const file = new File([FILE], 'desk.csv', { type: 'text/csv' })
  await userEvent.upload(importPanel().getByLabelText('CSV file'), file)
  await importPanel()
    .getByRole('radio', { name: /^Day first/ })
    .click()
  const release = delayRequests('imports.check')
  await button('Check the file').click()
  await expect.element(button('Cancel')).toBeDisabled()
  release()
  await button('Import 1 appointment').click()
  await expect.element(importPanel()).toMatchTextContent('1 appointment added, 2 rows left out.')
})

test('what a calendar is not certain about is shown by its times, which can be blocked', async ({
  testApp,
}) => {
  await openDashboard(testApp, '/doctor/availability/calendars')
  await panel().getByRole('button', { name: 'Add a calendar' }).click()
  await dialog().getByLabelText('Name').fill('Family')
  await dialog().getByLabelText('Address').fill('webcal://calendar.example/private.ics')
  const doubts = [
    { startsAt: '2030-12-09T09:00:00.000Z', endsAt: '2030-12-09T10:30:00.000Z', reason: 'zone' },
    { startsAt: null, endsAt: null, reason: 'date' },
  ]
  changeResponses((answer) =>
    answer.replaceAll(
      '"unreadable":0,"doubts":[]',
      `"unreadable":3,"doubts":${JSON.stringify(doubts)}`,
    ),
  )
  await dialog().getByRole('button', { name: 'Add calendar' }).click()
  await expect.element(panel()).toMatchTextContent('We’re not certain about 3 entries.')
  await panel().getByText('See when, and block the right times').click()
  const list = panel().getByRole('list', { name: 'Not certain in Family' })
  await expect.element(list).toMatchTextContent(/9 Dec, 09:00 to 10:30.*a time zone we don’t know/)
  await expect.element(list).toMatchTextContent(/At a time we can’t read/)
  await expect.element(panel()).toMatchTextContent('And 1 more.')
  await list.getByRole('button', { name: /^Block time: Mon 9 Dec/ }).click()
  await expect.element(dialog().getByLabelText('Day')).toHaveValue('2030-12-09')
})

test('a calendar that is no longer read can be resumed', async ({ testApp }) => {
  await openDashboard(testApp, '/doctor/availability/calendars')
  await panel().getByRole('button', { name: 'Add a calendar' }).click()
  await dialog().getByLabelText('Name').fill('Family')
  await dialog().getByLabelText('Address').fill('webcal://calendar.example/private.ics')
  changeResponses((answer) =>
    answer.replaceAll('"pausedAt":null', '"pausedAt":"2026-03-03T09:00:00.000Z"'),
  )
  await dialog().getByRole('button', { name: 'Add calendar' }).click()
  await expect.element(panel()).toMatchTextContent('We’ve stopped trying')
  vi.restoreAllMocks()
  await panel().getByRole('button', { name: 'Resume: Family' }).click()
  await expect.element(panel().getByRole('button', { name: 'Read now: Family' })).toBeVisible()
})
