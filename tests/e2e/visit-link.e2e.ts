import type { Page } from '@playwright/test'
import * as z from 'zod/mini'
import { mailBody, openMail } from './harness/accounts.ts'
import {
  act,
  ask,
  chooseLaterTime,
  findFreeTimeWhere,
  goToPayment,
  PURPOSE,
  payWith,
  signedInPatient,
} from './harness/booking.ts'
import { checkScreen, expect, ownSiteTest, signInToDemo, test } from './harness/fixtures.ts'

const HOUR = 3_600_000
const LABEL = 'See, change or cancel this visit'

type TimeFilter = Parameters<typeof findFreeTimeWhere>[1]

/** In the UK cancelling is free up to a day before, even where a provider asks for more notice. */
const early: TimeFilter = ({ startsAt }) => startsAt > Date.now() + 72 * HOUR

/** Within 24 hours and within the provider's own cancellation period. */
const late: TimeFilter = ({ startsAt, freeHours, latePercent }) =>
  latePercent > 0 && startsAt < Date.now() + Math.min(freeHours, 24) * HOUR - HOUR

const Mine = z.object({
  version: z.int(),
  today: z.string(),
  places: z.tuple([z.object({ id: z.string() })], z.unknown()),
})

/**
 * The demo's provider sees patients today and tomorrow, whatever day it is, and charges for late cancellations. At night,
 * because other tests add hours to their day.
 */
async function openToday(page: Page): Promise<void> {
  await signInToDemo(page, 'provider')
  await act(page, 'profiles.updateOffer', {
    modes: ['in_person'],
    follow_up_policy: 'trust',
    free_cancel_hours: 24,
    late_cancel_percent: 50,
    no_show_percent: 50,
  })
  const { version, today, places } = Mine.parse(await ask(page, 'availability.mine', {}))
  const tomorrow = Temporal.PlainDate.from(today).add({ days: 1 }).toString()
  const dates = { placeId: places[0].id, dates: [today, tomorrow] }
  await act(page, 'availability.addDates', { version, ...dates, from: 0, to: 6 * 60 })
  const after = Mine.parse(await ask(page, 'availability.mine', {}))
  const evening = { version: after.version, ...dates, from: 18 * 60, to: 24 * 60 }
  await act(page, 'availability.addDates', evening)
}

/** Books and pays by card, and opens the confirmation email; returns the link in it. */
async function bookAndOpenLink(page: Page, fits: TimeFilter): Promise<string> {
  const email = await signedInPatient(page)
  await page.goto(await findFreeTimeWhere(page, fits))
  await goToPayment(page, email)
  await page.getByRole('button', { name: /^Pay £.* by card$/ }).click()
  await payWith(page, '4242 4242 4242 4242')
  await expect(page.getByRole('heading', { name: 'Booking complete' })).toBeVisible()
  await openConfirmation(page, email)
  const link = await mailBody(page).getByRole('link', { name: LABEL }).getAttribute('href')
  return new URL(link ?? '').pathname
}

async function openConfirmation(page: Page, email: string): Promise<void> {
  await expect(async () => {
    await page.goto(`/demo/mailbox?to=${encodeURIComponent(email)}`)
    await expect(
      page.getByRole('main').getByRole('link', { name: /Booked: your visit/ }),
    ).toBeVisible({
      timeout: 200,
    })
  }).toPass({ intervals: [50] })
  const subject = page.getByRole('main').getByRole('link', { name: /Booked: your visit/ })
  await openMail(page, email, (await subject.locator('strong').textContent()) ?? '')
}

const cancelButton = (page: Page) => page.getByRole('button', { name: /^Cancel visit with/ })
const dialogIn = (page: Page) => page.getByRole('dialog', { name: 'Cancel this visit?' })
const heading = (page: Page) => page.getByRole('heading', { level: 1 })

test('a visit is cancelled in time from the email, without signing in and by keyboard, with a full refund @once', async ({
  page,
  secondPage,
}) => {
  const path = await bookAndOpenLink(page, early)
  // Another browser, without any earlier session.
  await secondPage.goto(path)
  await expect(heading(secondPage)).toHaveText('Your visit')
  await expect(secondPage.getByText(/^Free cancellation until/)).toBeVisible()
  await expect(secondPage.getByText(PURPOSE)).toBeHidden()
  await expect(secondPage.getByText('Robin')).toBeHidden()
  await checkScreen(secondPage)
  await cancelButton(secondPage).press('Enter')
  const dialog = dialogIn(secondPage)
  await expect(dialog.getByText(/^You get £[\d.]+ back to your card$/)).toBeVisible()
  await checkScreen(secondPage)
  await secondPage.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await expect(cancelButton(secondPage)).toBeFocused()
  await secondPage.keyboard.press('Enter')
  const confirm = dialog.getByRole('button', { name: 'Cancel visit' })
  await expect(confirm).toBeEnabled()
  await confirm.press('Enter')
  await expect(heading(secondPage)).toHaveText('This visit is cancelled')
  await expect(heading(secondPage)).toBeFocused()
  await expect(
    secondPage.getByText(/^We’re refunding £[\d.]+ in full to your card\./),
  ).toBeVisible()
  await checkScreen(secondPage)
  // Reopening the same link shows the current state of the visit.
  await secondPage.reload()
  await expect(heading(secondPage)).toHaveText('This visit is cancelled')
})

test('a visit is moved from the email, without signing in and by keyboard, and the link still works @once', async ({
  page,
  secondPage,
}) => {
  const path = await bookAndOpenLink(page, early)
  await secondPage.goto(path)
  const move = secondPage.getByRole('button', { name: /^Move visit with/ })
  await move.press('Enter')
  const dialog = secondPage.getByRole('dialog', { name: 'Move this visit' })
  await expect(dialog.getByText(/You can move this visit 3 more times\.$/)).toBeVisible()
  await expect(dialog.getByRole('tablist', { name: 'Day' })).toBeVisible()
  await checkScreen(secondPage)
  await secondPage.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await expect(move).toBeFocused()
  await secondPage.keyboard.press('Enter')
  await chooseLaterTime(dialog)
  await dialog.getByRole('button', { name: /^Continue with/ }).press('Enter')
  await expect(dialog.getByRole('heading', { name: /^Move your visit with/ })).toBeFocused()
  await expect(dialog.getByText('Nothing to pay: your fee stays the same.')).toBeVisible()
  await checkScreen(secondPage)
  const when = await dialog.getByText('New time', { exact: true }).locator('xpath=..').innerText()
  await dialog.getByRole('button', { name: 'Move visit' }).press('Enter')
  await expect(secondPage.getByText(/^Your visit is moved to/)).toBeVisible()
  await expect(dialog).toBeHidden()
  const clock = /\d\d:\d\d/.exec(when)?.[0] ?? 'no time'
  await expect(secondPage.getByText(new RegExp(`^${clock} to`))).toBeVisible()
  await expect(secondPage.getByText(/^By you on/)).toBeVisible()
  // Reopening the same link shows the current state of the visit.
  await secondPage.reload()
  await expect(secondPage.getByText(/^By you on/)).toBeVisible()
  await expect(move).toBeVisible()
})

ownSiteTest('late, the emailed link shows what is kept, and keeps it @once', async ({ page }) => {
  await openToday(page)
  await bookAndOpenLink(page, late)
  await mailBody(page).getByRole('link', { name: LABEL }).click()
  await expect(heading(page)).toHaveText('Your visit')
  await expect(page).toHaveURL(/\/visit\/apt_\w+\/[\w-]{43}$/)
  await expect(page.getByRole('link', { name: 'Open in your account' })).toBeVisible()
  await cancelButton(page).click()
  const dialog = dialogIn(page)
  await expect(
    dialog.getByText(/^You get (no refund|£[\d.]+ of £[\d.]+ back to your card)$/),
  ).toBeVisible()
  await expect(dialog.getByText(/Cancelling now costs £[\d.]+\./)).toBeVisible()
  await dialog.getByRole('button', { name: 'Cancel visit' }).click()
  await expect(heading(page)).toHaveText('This visit is cancelled')
  await expect(
    page.getByText(/^(We’re refunding £[\d.]+ of £[\d.]+ to your card|It was too late)/),
  ).toBeVisible()
})

test('programs that open the link change nothing; an invalid link leads to the account @once', async ({
  page,
  problems,
}) => {
  const path = await bookAndOpenLink(page, early)
  const opened = await page.request.get(path)
  expect(opened.headers()).toMatchObject({
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-store',
    'x-robots-tag': 'noindex',
  })
  expect((await page.request.head(path)).status()).toBe(200)
  expect((await page.request.post(path, { form: { cancel: 'yes' } })).status()).toBe(405)
  await page.goto(path)
  await expect(cancelButton(page)).toBeVisible()

  problems.expect(/console error: .*404/, /answered 404: \/trpc\/visits\.byLink/)
  await page.goto(`${path.slice(0, -4)}AAAA`)
  await expect(page.getByRole('heading', { name: 'This link doesn’t work any more' })).toBeVisible()
  await checkScreen(page)
})
