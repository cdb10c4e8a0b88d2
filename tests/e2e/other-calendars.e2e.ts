import { createServer } from 'node:http'
import type { Page } from '@playwright/test'
import { checkScreen, expect, test } from './fixtures.ts'

/** A calendar with half an hour every day for some weeks, before working hours. */
function calendar(): string {
  const day = new Date(Date.now() - 7 * 86_400_000).toISOString().slice(0, 10).replaceAll('-', '')
  return [
    'BEGIN:VCALENDAR',
    'BEGIN:VEVENT',
    'UID:early',
    'SUMMARY:Rowing with Sam',
    `DTSTART:${day}T050000`,
    `DTEND:${day}T053000`,
    'RRULE:FREQ=DAILY;COUNT=40',
    'END:VEVENT',
    'END:VCALENDAR',
  ].join('\r\n')
}

/** Serves the calendar at the one local address that the site under test may read. */
async function serveCalendar(): Promise<{ url: string; [Symbol.asyncDispose](): Promise<void> }> {
  const port = Number(process.env['E2E_CALENDAR_PORT'])
  const server = createServer((_, response) => response.end(calendar()))
  await new Promise<void>((done) => server.listen(port, '127.0.0.1', done))
  return {
    url: `http://127.0.0.1:${port}/private.ics`,
    [Symbol.asyncDispose]: () => new Promise((done) => server.close(() => done())),
  }
}

async function enter(page: Page): Promise<void> {
  await page.goto('/')
  await page
    .getByRole('button', { name: /^Enter as a provider/ })
    .nth(1)
    .press('Enter')
  await expect(page).toHaveURL('/dochome')
}

test('a provider subscribes to a calendar kept elsewhere, sees when it is busy, and removes it @once', async ({
  page,
  problems,
}) => {
  await using served = await serveCalendar()
  problems.expect(/answered 400/, /status of 400/)
  await enter(page)
  await page.goto('/doctor/availability/all')
  await page.getByRole('link', { name: 'Calendars and files' }).press('Enter')
  const panel = page.getByRole('region', { name: 'Other calendars' })
  await panel.getByRole('button', { name: 'Add a calendar' }).press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Add a calendar' })
  await dialog.getByLabel('Name').fill('Club')
  await dialog.getByLabel('Address').fill('https://169.254.169.254/latest/meta-data/')
  await dialog.getByRole('button', { name: 'Add calendar' }).press('Enter')
  await expect(dialog.getByText(/^This address can’t be read/).first()).toBeVisible()
  await checkScreen(page)
  await dialog.getByLabel('Address').fill(served.url)
  await dialog.getByRole('button', { name: 'Add calendar' }).press('Enter')
  await expect(dialog).toBeHidden()
  await expect(panel.getByText(/^Club · 127\.0\.0\.1/)).toBeVisible()
  await expect(panel.getByText(/busy times ahead/).last()).toBeVisible()
  await checkScreen(page)
  await page.goto('/dochome')
  await page.getByRole('button', { name: 'Week after' }).press('Enter')
  await expect(page.getByText(/Busy in another calendar$/).first()).toBeVisible()
  await expect(page.getByText('Rowing with Sam')).toBeHidden()
  await page.goto('/doctor/availability/calendars')
  await panel.getByRole('button', { name: 'Read now: Club' }).press('Enter')
  await expect(page.getByText('The calendar is up to date.')).toBeVisible()
  await panel.getByRole('button', { name: 'Edit Club' }).press('Enter')
  const edit = page.getByRole('dialog', { name: 'Edit this calendar' })
  await edit.getByLabel('Name').fill('Rowing')
  await edit.getByLabel(/^New address/).fill(`${served.url}?new`)
  await checkScreen(page)
  await edit.getByRole('button', { name: 'Save' }).press('Enter')
  await expect(panel.getByText(/^Rowing · 127\.0\.0\.1/)).toBeVisible()
  await panel.getByRole('button', { name: 'Remove Rowing' }).press('Enter')
  const question = page.getByRole('dialog', { name: 'Remove this calendar?' })
  await question.getByRole('button', { name: 'Remove' }).press('Enter')
  await expect(panel.getByText(/^Rowing · /)).toBeHidden()
})

test('a provider imports a file with mistakes, undoes it, and takes visits away as a file @once', async ({
  page,
}) => {
  await enter(page)
  await page.goto('/doctor/availability/calendars')
  const panel = page.getByRole('region', { name: 'Import appointments' })
  const year = new Date().getUTCFullYear() + 1
  const rows = [
    `12/31/${year} 5:00 am,12/31/${year} 5:30 am,Mr Reed`,
    '12/31/2019 5:00 am,,',
    'soon,,',
  ]
  await panel.getByLabel('CSV file').setInputFiles({
    name: 'desk.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(`\uFEFFStart,End,Patient\r\n${rows.join('\r\n')}\r\n`, 'utf16le'),
  })
  await panel.getByRole('radio', { name: /^Month first/ }).check()
  await checkScreen(page)
  await panel.getByRole('button', { name: 'Check the file' }).press('Enter')
  await expect(panel.getByText('1 appointment can be imported.')).toBeVisible()
  await expect(panel.getByText('2 rows left out')).toBeVisible()
  await checkScreen(page)
  await panel.getByRole('button', { name: 'Import 1 appointment' }).press('Enter')
  await expect(panel.getByText(/^1 appointment added/)).toBeVisible()
  await panel.getByRole('button', { name: 'Undo the import of desk.csv' }).press('Enter')
  const question = page.getByRole('dialog', { name: 'Undo this import?' })
  await question.getByRole('button', { name: 'Undo import' }).press('Enter')
  await expect(panel.getByText('desk.csv', { exact: true })).toBeHidden()
  const saved = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Visits as CSV' }).press('Enter')
  expect((await saved).suggestedFilename()).toMatch(/^visits-[\d-]+\.csv$/)
})
