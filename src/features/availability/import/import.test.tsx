import { expect } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { test } from '#tests/harness/spa/spa-bridge.ts'
import { openDashboard } from '#tests/spa/dashboard.ts'

const panel = () => page.getByRole('region', { name: 'Import appointments' })
const button = (name: string) => panel().getByRole('button', { name })

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
  await userEvent.upload(panel().getByLabelText('CSV file'), file)
  await expect.element(panel()).toMatchTextContent('desk.csv, 3 rows')
  await button('Check the file').click()
  await expect.element(panel()).toMatchTextContent('Say how dates are written in this file.')
  await panel()
    .getByRole('radio', { name: /^Day first/ })
    .click()
  await button('Check the file').click()
  await expect.element(panel()).toMatchTextContent('1 appointment can be imported.')
  await expect.element(panel()).toMatchTextContent('The first one is row 2: Tue 10 Mar, 09:00.')
  await expect.element(panel()).toMatchTextContent('Row 3 The start or end is not a date')
  await expect.element(panel()).toMatchTextContent('Row 4 It is over.')
  await button('Import 1 appointment').click()
  await expect.element(panel()).toMatchTextContent('1 appointment added, 2 rows left out.')
  await button('Undo the import of desk.csv').click()
  await page.getByRole('dialog').getByRole('button', { name: 'Undo import' }).click()
  await expect.element(button('Undo the import of desk.csv')).not.toBeInTheDocument()
})
