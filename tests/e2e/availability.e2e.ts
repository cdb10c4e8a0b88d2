import { createServer } from 'node:http'
import type { Page } from '@playwright/test'
import * as z from 'zod/mini'
import { checkScreen, enterDemo, expect, isPhone, ownSiteTest, test } from './harness/fixtures.ts'

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const part = (page: Page, name: string) => page.getByRole('region', { name, exact: true })

/** Closes all toasts, then checks the screen. */
async function checkMessages(page: Page): Promise<void> {
  const messages = page.getByLabel('Close message')
  await expect(async () => {
    if ((await messages.count()) > 0) await messages.first().press('Enter', { timeout: 500 })
    await expect(messages).toHaveCount(0, { timeout: 100 })
  }).toPass({ intervals: [50] })
  await checkScreen(page)
}

/** Signs in as one of the demo's providers, a different one for each screen size. */
async function enter(page: Page): Promise<{ id: string; region: string }> {
  await page.context().clearCookies({ name: 'demo_access_token' })
  await enterDemo(page, isPhone(page) ? 'provider-us' : 'provider')
  const own = await page.evaluate(async () => (await fetch('/trpc/profiles.own')).text())
  const Answer = z.object({
    result: z.object({ data: z.object({ id: z.string(), region: z.string() }) }),
  })
  return Answer.parse(JSON.parse(own)).result.data
}

/** Opens a page of the provider's menu, which is a drawer on phones. */
async function open(page: Page, name: string): Promise<void> {
  if (isPhone(page)) await button(page, 'Provider menu').press('Enter')
  await page.getByRole('link', { name, exact: true }).first().press('Enter')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(name)
}

/** Types a time; on phones, with native pickers, in the exact format. */
async function setTime(page: Page, label: string, [typed, exact]: [string, string]): Promise<void> {
  const field = page.getByLabel(label, { exact: true })
  await field.fill(isPhone(page) ? exact : typed)
  await field.press('Tab')
}

/** Dates of the preview's days of one kind. */
async function daysOf(page: Page, kind: string): Promise<string[]> {
  const cells = page.locator(`td[data-date]${kind}`)
  await expect(page.locator('td[data-date]').first()).toBeVisible()
  return cells.evaluateAll((all) => all.map((cell) => cell.getAttribute('data-date') ?? ''))
}

/** Sets hours on a day that is closed, by keyboard. */
async function setHours(page: Page): Promise<string> {
  const day = page.getByRole('switch', { checked: false }).first()
  const name = (await day.getAttribute('aria-label')) ?? ''
  await day.press('Space')
  await expect(page.getByRole('switch', { name, exact: true })).toBeChecked()
  await setTime(page, `${name}, from`, ['930', '09:30'])
  await setTime(page, `${name}, until`, ['1pm', '13:00'])
  await button(page, `Add hours on ${name}`).press('Enter')
  await expect(page.getByLabel(`${name}, second hours, from`)).toBeFocused()
  await setTime(page, `${name}, second hours, until`, ['16.00', '16:00'])
  return name
}

/** Takes a day off that has a booked visit; nothing is saved before the list of visits was shown. */
async function takeBookedDayOff(page: Page): Promise<void> {
  const cell = page.getByRole('cell', { name: /: \d+ free,.* \d+ booked/ }).last()
  const date = (await cell.getAttribute('data-date')) ?? ''
  const off = part(page, 'Time off')
  await button(page, 'Add time off').press('Enter')
  await expect(off.getByLabel('First day')).toBeFocused()
  await off.getByLabel('First day').fill(date)
  await off.getByLabel('Note').fill('A day away')
  await button(page, 'Add this time off').press('Enter')
  const question = page.getByRole('dialog', { name: /^\d+ booked visits? outside these hours$/ })
  await expect(question.getByRole('listitem').first()).toContainText(/\d/)
  await checkMessages(page)
  await question.getByRole('button', { name: /^Save and keep the visits?$/ }).press('Enter')
  await expect(off.getByText(/A day away/)).toBeVisible()
  await expect(page.locator(`td[data-date="${date}"]`)).toHaveAttribute('data-closed', 'absence')
}

/** Moves to a day of the calendar with the arrow keys and selects it. */
async function chooseDay(page: Page, date: string): Promise<void> {
  const grid = page.getByRole('grid', { name: 'Days with extra hours' })
  const today = grid.locator('button[tabindex="0"]')
  await today.focus()
  const from = (await today.getAttribute('data-date')) ?? ''
  const days = (Date.parse(date) - Date.parse(from)) / 86_400_000
  for (let step = 0; step < Math.floor(days / 7); step += 1) await page.keyboard.press('ArrowDown')
  for (let step = 0; step < days % 7; step += 1) await page.keyboard.press('ArrowRight')
  await expect(page.locator(`button[data-date="${date}"]`)).toBeFocused()
  await page.keyboard.press('Enter')
}

/** Blocks an hour from the calendar, sees it there, and deletes the block. */
async function blockAnHour(page: Page, region: string): Promise<void> {
  await open(page, 'DashBoard')
  const calendar = page.getByRole('region', { name: /^Calendar, / })
  await calendar.getByRole('button', { name: 'Block time', exact: true }).press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Block time' })
  // Far enough ahead that no other test books then.
  const today = Temporal.Now.plainDateISO(region === 'uk' ? 'Europe/London' : 'America/Chicago')
  const date = today.add({ days: 35 }).toString()
  await dialog.getByLabel('Day').fill(date)
  await dialog.getByLabel(/^Note/).fill('Stocktaking')
  await checkMessages(page)
  await button(page, 'Block this time').press('Enter')
  await expect(dialog).toBeHidden()
  await calendar.getByRole('combobox', { name: 'View' }).selectOption('list')
  for (let week = 0; week < 5; week += 1) {
    await calendar.getByRole('button', { name: 'Week after' }).press('Enter')
  }
  // A block that crosses the start or end of opening hours is listed in parts.
  await expect(calendar.getByText(/: Blocked: Stocktaking$/).first()).toBeVisible()
  await open(page, 'All Availabilities')
  const blocks = part(page, 'Blocked times')
  const entry = blocks.getByRole('listitem').filter({ hasText: 'Stocktaking' })
  await entry.getByRole('button', { name: /^Delete/ }).press('Enter')
  await button(page, 'Delete block').press('Enter')
  await expect(entry).toBeHidden()
}

ownSiteTest(
  'a provider sets hours by keyboard, takes a booked day off, adds a date that patients see, and blocks an hour',
  async ({ page, secondPage }) => {
    const { id, region } = await enter(page)
    await open(page, 'Add New Availability')
    await expect(page.getByRole('switch')).toHaveCount(7)
    await checkMessages(page)
    const free = page.getByText(/^\d+ free times?$/)
    const before = await free.textContent()
    const day = await setHours(page)
    await expect(page.getByText('1 change', { exact: true })).toBeVisible()
    await expect(free).not.toHaveText(before ?? '')
    await checkMessages(page)
    await button(page, `Copy ${day} to other days`).press('Enter')
    await expect(page.getByRole('checkbox', { name: 'Select all' })).toBeFocused()
    await checkMessages(page)
    await page.keyboard.press('Escape')
    await button(page, 'Save hours').press('Enter')
    await expect(page.getByText('Everything is saved')).toBeVisible()

    await open(page, 'All Availabilities')
    await expect(part(page, 'Weekly hours').getByText(day, { exact: true })).toBeVisible()
    await checkMessages(page)
    await takeBookedDayOff(page)

    await page.getByRole('link', { name: 'Add extra dates' }).press('Enter')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Add New Availability')
    const extra = (await daysOf(page, '[data-closed="no_hours"]')).at(-1) ?? ''
    await chooseDay(page, extra)
    await setTime(page, 'From', ['6pm', '18:00'])
    await setTime(page, 'Until', ['8pm', '20:00'])
    await checkMessages(page)
    await button(page, 'Add extra date').press('Enter')
    await expect(page.locator(`td[data-date="${extra}"]`)).not.toHaveAttribute('data-closed')

    await secondPage.goto(`/doctor-profile/${id}/1?region=${region}&date=${extra}`)
    await expect(
      secondPage.getByRole('group', { name: 'Evening' }).getByRole('button').first(),
    ).toHaveText(/^(18:00|6:00 pm)/)

    await open(page, 'All Availabilities')
    await page
      .getByRole('button', { name: /^Delete time off/ })
      .first()
      .press('Enter')
    await checkMessages(page)
    await button(page, 'Delete time off').press('Enter')
    await expect(page.getByRole('dialog', { name: 'Delete this time off?' })).toBeHidden()
    // Until the focus has settled, it could take the next key press.
    await expect(page.getByRole('heading', { name: 'Time off', exact: true })).toBeFocused()
    await button(page, 'Explain a time').press('Enter')
    const why = part(page, 'Why is this time not offered?')
    await why.getByLabel('Day', { exact: true }).fill(extra)
    await setTime(page, 'Time', ['9pm', '21:00'])
    await expect(why.getByText('This time is not offered')).toBeVisible()
    await expect(why.getByText('It is outside your hours.')).toBeVisible()
    await checkMessages(page)
    await blockAnHour(page, region)
  },
)

/** A calendar with half an hour every day for some weeks, before working hours. */
function calendarFile(): string {
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
  const server = createServer((_, response) => response.end(calendarFile()))
  await new Promise<void>((done) => server.listen(port, '127.0.0.1', done))
  return {
    url: `http://127.0.0.1:${port}/private.ics`,
    [Symbol.asyncDispose]: () => new Promise((done) => server.close(() => done())),
  }
}

test('a provider adds an outside calendar, sees its busy times, and removes it @once', async ({
  page,
  problems,
}) => {
  await using served = await serveCalendar()
  problems.expect(/answered 400/, /status of 400/)
  await enterDemo(page, 'provider-us', '/doctor/availability/all')
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
  await edit.getByRole('button', { name: 'Save' }).press('Enter')
  await expect(panel.getByText(/^Rowing · 127\.0\.0\.1/)).toBeVisible()
  await panel.getByRole('button', { name: 'Remove Rowing' }).press('Enter')
  const question = page.getByRole('dialog', { name: 'Remove this calendar?' })
  await question.getByRole('button', { name: 'Remove' }).press('Enter')
  await expect(panel.getByText(/^Rowing · /)).toBeHidden()
})

test('a provider imports a file with mistakes, undoes it, and exports visits @once', async ({
  page,
}) => {
  await enterDemo(page, 'provider-us', '/doctor/availability/calendars')
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
  // Its dates have one reading.
  await expect(panel.getByText('How are dates written?')).toBeHidden()
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
