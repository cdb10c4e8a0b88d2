import type { Locator, Page } from '@playwright/test'
import * as z from 'zod/mini'
import { mailBody, openMail } from './accounts.ts'
import { bookVisitWith } from './booking.ts'
import { checkScreen, expect, test } from './fixtures.ts'

const Own = z.object({ result: z.object({ data: z.object({ id: z.string() }) }) })

/** Signs in as the demo's provider in the UK; returns their id. */
async function enterAsProvider(page: Page): Promise<string> {
  await page.goto('/')
  await page
    .getByRole('button', { name: /^Enter as a provider/ })
    .first()
    .click()
  await expect(page).toHaveURL('/dochome')
  const answer = await page.request.get('/trpc/profiles.own')
  return Own.parse(await answer.json()).result.data.id
}

/** Opens the newest email with a matching subject, as soon as it has arrived. */
async function openMailAbout(page: Page, email: string, about: RegExp): Promise<void> {
  const subject = page.getByRole('main').getByRole('link').locator('strong', { hasText: about })
  await expect(async () => {
    await page.goto(`/demo/mailbox?to=${encodeURIComponent(email)}`)
    await expect(subject.first()).toBeVisible({ timeout: 200 })
  }).toPass({ intervals: [50] })
  await openMail(page, email, (await subject.first().textContent()) ?? '')
}

/** The tests share a provider, so each picks from a different sixth of the second day that has times. */
async function chooseTime(page: Page, within: Locator, journey: 0 | 1 | 2): Promise<void> {
  const day = within.getByRole('tablist', { name: 'Day' }).getByRole('tab').nth(1)
  await day.press('Enter')
  await expect(day).toHaveAttribute('aria-selected', 'true')
  const times = within.getByRole('button', { name: /^\d\d:\d\d, / })
  await expect(times.first()).toBeVisible()
  await checkScreen(page)
  const isPhone = (page.viewportSize()?.width ?? 0) < 768
  const sixth = journey + (isPhone ? 0 : 3)
  await times.nth(Math.floor(((await times.count()) * sixth) / 6)).press('Enter')
}

/** Chooses a free time by keyboard and continues to the confirmation. */
async function continueToConfirmation(page: Page, within: Locator, journey: 0 | 1): Promise<void> {
  await chooseTime(page, within, journey)
  await within.getByRole('button', { name: /^Continue with/ }).press('Enter')
  await expect(within.getByText('New time', { exact: true })).toBeVisible()
  await checkScreen(page)
}

/** Checks that the patient's account shows who moved their visit. */
async function expectMoveShown(page: Page, by: RegExp): Promise<void> {
  await page.goto('/userProfile')
  await page.getByRole('article').locator('summary').first().click()
  await expect(page.getByText(by)).toBeVisible()
}

test('a provider moves a visit as agreed with the patient, by keyboard, who is told', async ({
  page,
  secondPage,
}) => {
  const providerId = await enterAsProvider(page)
  const { id, email } = await bookVisitWith(secondPage, providerId)
  await page.goto(`/doctor/visits/${id}`)
  const move = page.getByRole('button', { name: 'Move visit' })
  await move.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Move this visit' })
  await expect(dialog).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await expect(move).toBeFocused()
  await page.keyboard.press('Enter')
  await continueToConfirmation(page, dialog, 0)
  await expect(dialog.getByText('Agree the time with the patient first')).toBeVisible()
  await dialog.getByRole('textbox', { name: /^Message to the patient/ }).fill('As we agreed.')
  await dialog.getByRole('button', { name: 'Move visit' }).press('Enter')
  await expect(page.getByText(/^The visit is moved to .*We’ve told the patient\.$/)).toBeVisible()
  await expect(dialog).toBeHidden()
  await checkScreen(page)
  await expectMoveShown(secondPage, /^By your provider on/)
  await openMailAbout(secondPage, email, /has moved$/)
  await expect(mailBody(secondPage).getByText('As we agreed.')).toBeVisible()
})

test('staff move a visit for its provider with a reason, by keyboard, and both are told', async ({
  page,
  secondPage,
  browser,
}) => {
  const third = await browser.newPage()
  const providerId = await enterAsProvider(third)
  await third.close()
  const { id } = await bookVisitWith(secondPage, providerId)
  await page.goto('/')
  await page.getByRole('button', { name: /^Enter as a superuser/ }).click()
  await expect(page).toHaveURL('/admin-home')
  await page.goto(`/admin-home/payments?visit=${id}`)
  const sheet = page.getByRole('dialog')
  await sheet.getByRole('button', { name: 'Move visit' }).press('Enter')
  await continueToConfirmation(page, sheet, 1)
  await sheet.getByRole('radio', { name: /^The provider/ }).press('Space')
  await sheet.getByRole('button', { name: 'Move visit' }).press('Enter')
  await expect(
    sheet.getByText('Give the reason: it is kept with the payment.').first(),
  ).toBeVisible()
  await sheet.getByRole('textbox', { name: 'Reason' }).fill('The practice called.')
  await sheet.getByRole('button', { name: 'Move visit' }).press('Enter')
  await expect(page.getByText('The visit is moved. We’ve told both of them.')).toBeVisible()
  await expect(sheet.getByText('Visit moved', { exact: true })).toBeVisible()
  await expect(sheet.getByText(/The practice called\.$/)).toBeVisible()
  await checkScreen(page)
  await expectMoveShown(secondPage, /^By Apposite on/)
})

test('a provider proposes a time, which the patient takes by the link of the email, by keyboard', async ({
  page,
  secondPage,
}) => {
  const providerId = await enterAsProvider(page)
  const { id, email } = await bookVisitWith(secondPage, providerId)
  await page.goto(`/doctor/visits/${id}`)
  await page.getByRole('button', { name: 'Propose times' }).press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Propose times' })
  await chooseTime(page, dialog, 2)
  await dialog.getByRole('button', { name: /^Add / }).press('Enter')
  await expect(dialog.getByText('Times to propose (1 of 3)')).toBeVisible()
  await checkScreen(page)
  await dialog.getByRole('button', { name: 'Send to the patient' }).press('Enter')
  await expect(page.getByText('We’ve sent the times to the patient.')).toBeVisible()
  await expect(page.getByText(/^Not answered yet/)).toBeVisible()
  await checkScreen(page)

  await openMailAbout(secondPage, email, /asks whether another time suits you$/)
  const link = mailBody(secondPage).getByRole('link', { name: 'Choose a time or keep yours' })
  const path = new URL((await link.getAttribute('href')) ?? '').pathname
  // In the other browser, which has no session of the patient.
  await page.goto(path)
  const asked = page.getByRole('region', { name: /asks whether another time suits you$/ })
  await expect(asked).toBeVisible()
  await checkScreen(page)
  await asked.getByRole('listitem').getByRole('button').first().press('Enter')
  const moving = page.getByRole('dialog', { name: 'Move this visit' })
  await expect(moving.getByText(/doesn’t count as one of your moves\.$/)).toBeVisible()
  await checkScreen(page)
  await moving.getByRole('button', { name: 'Move visit' }).press('Enter')
  await expect(page.getByText(/^Your visit is moved to/)).toBeVisible()
  await expect(asked).toBeHidden()
  await expect(page.getByRole('heading', { name: 'Can’t come?' })).toBeFocused()
  await checkScreen(page)
})
