import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import * as z from 'zod/mini'
import {
  findFreeTime,
  goToPayment,
  payWith,
  signedInPatient,
  stepTitle,
} from './harness/booking.ts'
import { checkScreen, enterDemo, expect, test } from './harness/fixtures.ts'

const PAYMENTS_PATH = '/admin-home/payments'
const heading = (page: Page) => page.getByRole('heading', { level: 1 })
const filters = (page: Page) => page.getByRole('form', { name: 'Filters' })
const sheet = (page: Page) => page.getByRole('dialog')
const rows = (page: Page) =>
  page
    .getByRole('table', { name: 'Booked appointments' })
    .getByRole('row')
    .or(page.getByRole('list', { name: 'Booked appointments' }).getByRole('listitem'))
    .filter({ visible: true })

/** Signs in and opens the payments. */
async function enter(page: Page, role: 'superuser' | 'editor', address = PAYMENTS_PATH) {
  await enterDemo(page, role, address)
}

/** Steps up in advance: some fees exceed what can be refunded without. */
async function stepUp(page: Page) {
  const headers = { origin: new URL(page.url()).origin, 'sec-fetch-site': 'same-origin' }
  const data = { password: 'Apposite-demo-1' }
  expect((await page.request.post('/trpc/auth.stepUp', { headers, data })).status()).toBe(200)
}

const Visits = z.object({
  result: z.object({ data: z.object({ visits: z.array(z.object({ id: z.string() })) }) }),
})

/** Books and pays by card as a new patient; returns the id of the visit. */
async function paidVisit(page: Page): Promise<string> {
  const email = await signedInPatient(page)
  await page.goto(await findFreeTime(page))
  await expect(stepTitle(page)).toHaveText('Appointment Info')
  await goToPayment(page, email)
  await page.getByRole('button', { name: /^Pay £[\d,]+\.\d\d by card$/ }).click()
  await payWith(page, '4242 4242 4242 4242')
  await expect(stepTitle(page)).toHaveText('Booking complete')
  const input = encodeURIComponent(JSON.stringify({ when: 'coming' }))
  const answer = await page.request.get(`/trpc/booking.visits?input=${input}`)
  const [visit] = Visits.parse(await answer.json()).result.data.visits
  return visit?.id ?? ''
}

test('staff filter everybody’s history, open a row, print it and export it @once', async ({
  page,
  problems,
}) => {
  problems.expect(/answered 403: \/download\/payment-history/, /status of 403/)
  await enter(page, 'superuser')
  await expect(heading(page)).toHaveText('Appointment History')
  await expect(rows(page).first()).toBeVisible()
  await filters(page).getByText('Filters').click()
  await filters(page).getByRole('combobox', { name: 'Status' }).selectOption('Refunded')
  await filters(page).getByRole('combobox', { name: 'Sort by' }).selectOption('Amount')
  await filters(page).getByRole('button', { name: 'Submit' }).click()
  await expect(page).toHaveURL(`${PAYMENTS_PATH}?sort_by=amount&state=refunded`)
  await expect(rows(page).last()).toContainText('refunded')
  await checkScreen(page)

  const open = page.getByRole('link', { name: /^Open 1, / }).filter({ visible: true })
  await open.click()
  await expect(sheet(page).getByRole('heading', { name: 'Timeline' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(sheet(page)).toBeHidden()
  await expect(open).toBeFocused()

  const arriving = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download CSV' }).click()
  await sheet(page).getByRole('textbox', { name: 'Your password' }).fill('Apposite-demo-1')
  await sheet(page).getByRole('button', { name: 'Confirm' }).click()
  const file = await arriving
  expect(file.suggestedFilename()).toMatch(/^appointments-\d{4}-\d\d-\d\d\.csv$/)
  const lines = (await readFile(await file.path(), 'utf8')).trimEnd().split('\r\n')
  expect(lines[0]).toContain('#,User name,Doctor name,Date,Time,Amount')
  expect(lines.length).toBeGreaterThan(3)

  await page.evaluate(() => {
    Object.assign(window, { print: () => document.body.setAttribute('data-printed', '') })
  })
  await page.getByRole('button', { name: 'Print' }).click()
  await expect(page.locator('body[data-printed]')).toBeVisible()
  await page.emulateMedia({ media: 'print' })
  await expect(page.getByRole('table', { name: 'Booked appointments' })).toBeVisible()
  await expect(filters(page)).toBeHidden()
  await expect(page.getByRole('button').filter({ visible: true })).toHaveCount(0)
})

test('a paid visit is refunded through the gateway and its time released; the patient sees both @once', async ({
  page,
  secondPage: staff,
}) => {
  const id = await paidVisit(page)
  await enter(staff, 'superuser', `${PAYMENTS_PATH}?visit=${id}`)
  await stepUp(staff)
  const refund = sheet(staff).getByRole('button', { name: 'Refund', exact: true })
  await refund.click()
  await sheet(staff).getByRole('button', { name: 'Continue' }).click()
  await expect(
    sheet(staff).getByText('Give the reason: it is kept with the payment.').last(),
  ).toBeVisible()
  await checkScreen(staff)
  await sheet(staff)
    .getByRole('checkbox', { name: 'Cancel the visit and open its time again' })
    .check()
  await sheet(staff).getByRole('textbox', { name: 'Reason' }).fill('The practice is closed.')
  await sheet(staff).getByRole('button', { name: 'Continue' }).click()
  await expect(sheet(staff).getByText(/^Refund £.* The visit is cancelled/)).toBeVisible()
  await checkScreen(staff)
  await sheet(staff)
    .getByRole('button', { name: /^Refund £/ })
    .click()
  await expect(sheet(staff).getByText('Fully refunded')).toBeVisible()
  await expect(sheet(staff).getByText('Cancelled', { exact: true })).toBeVisible()
  await expect(sheet(staff).getByText(/^re_/).first()).toBeVisible()
  await checkScreen(staff)
  await page.goto('/userProfile')
  await expect(page.getByRole('region', { name: 'Upcoming visits' })).toContainText('Cancelled')
})

test('what is in review is compared and decided; an editor looks on @once', async ({
  page,
  secondPage: editor,
}) => {
  await enter(editor, 'editor', `${PAYMENTS_PATH}?show=review`)
  await expect(editor.getByRole('button', { name: 'Refund' }).first()).toBeDisabled()
  await checkScreen(editor)
  await editor.goto(PAYMENTS_PATH)
  await expect(rows(editor).last()).toContainText('N/A')
  await checkScreen(editor)

  await enter(page, 'superuser', `${PAYMENTS_PATH}?show=review`)
  await expect(page.getByText('Received').first()).toBeVisible()
  await page.getByRole('button', { name: 'Accept as paid' }).first().click()
  await expect(sheet(page).getByText(/The visit is booked for/)).toBeVisible()
  await checkScreen(page)
  await page.keyboard.press('Escape')
  await page.goto(`${PAYMENTS_PATH}?show=differences`)
  await expect(page.getByRole('button', { name: 'Mark as resolved' }).first()).toBeVisible()
  await checkScreen(page)
})
