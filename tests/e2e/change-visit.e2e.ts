import type { Locator, Page } from '@playwright/test'
import * as z from 'zod/mini'
import { mailBody, openMail } from './harness/accounts.ts'
import {
  bookVisitWith,
  chooseLaterTime,
  findFreeTimeWhere,
  goToPayment,
  payWith,
  signedInPatient,
} from './harness/booking.ts'
import { checkScreen, enterDemo, expect, signInToDemo, test } from './harness/fixtures.ts'

const DAY = 24 * 3_600_000

/** Books a visit that can be cancelled for free until some day, and pays by card; ends on the account. */
async function book(page: Page): Promise<void> {
  const email = await signedInPatient(page)
  const address = await findFreeTimeWhere(
    page,
    ({ startsAt, freeHours, latePercent }) =>
      freeHours > 0 && latePercent > 0 && startsAt > Date.now() + 3 * DAY,
  )
  await page.goto(address)
  await goToPayment(page, email)
  const panel = page.getByRole('region', { name: 'Payment' })
  await expect(panel.getByText(/^Free cancellation until \w{3} \d/)).toBeVisible()
  await page.getByRole('button', { name: /^Pay £.* by card$/ }).click()
  await payWith(page, '4242 4242 4242 4242')
  await expect(page.getByRole('heading', { name: 'Booking complete' })).toBeVisible()
  await page.goto('/userProfile')
}

test('a visit is cancelled by keyboard from the account, after showing the refund @once', async ({
  page,
}) => {
  await book(page)
  const cancel = page.getByRole('button', { name: /^Cancel visit with/ })
  await cancel.focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Cancel this visit?' })
  await expect(dialog.getByText(/^You get £[\d.]+ back to your card$/)).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await expect(cancel).toBeFocused()
  await page.keyboard.press('Enter')
  const confirm = dialog.getByRole('button', { name: 'Cancel visit' })
  await expect(confirm).toBeEnabled()
  await confirm.focus()
  await page.keyboard.press('Enter')
  await expect(page.getByText('Your visit is cancelled.')).toBeVisible()
  await expect(page.getByText('Cancelled', { exact: true })).toBeVisible()
  await checkScreen(page)
})

const Week = z.object({
  result: z.object({
    data: z.object({ visits: z.array(z.object({ id: z.string(), startsAt: z.string() })) }),
  }),
})

/** Id of the next visit that a patient has booked with the demo's provider, after today. */
async function nextVisit(page: Page): Promise<string> {
  for (const days of [1, 8]) {
    const from = new Date(Date.now() + days * DAY).toISOString().slice(0, 10)
    const input = encodeURIComponent(JSON.stringify({ from, days: 7 }))
    // The second week only if the first has none.
    const answer = await page.request.get(`/trpc/booking.week?input=${input}`)
    const { visits } = Week.parse(await answer.json()).result.data
    // Those added at the desk are paid and cancelled there.
    const next = visits.find(({ id }) => id.startsWith('apt_'))
    if (next !== undefined) return next.id
  }
  throw new Error('There is no visit.')
}

test('a provider cancels a visit with a reason, and staff see what they would refund @once', async ({
  page,
  secondPage,
}) => {
  await signInToDemo(page, 'provider')
  const id = await nextVisit(page)
  await page.goto(`/doctor/visits/${id}`)

  await enterDemo(secondPage, 'superuser', `/admin-home/payments?visit=${id}`)
  const sheet = secondPage.getByRole('dialog')
  await sheet.getByRole('button', { name: 'Cancel visit' }).click()
  await sheet.getByRole('radio', { name: /^The provider/ }).check()
  await expect(sheet.getByText(/^£[\d.]+ of £[\d.]+ goes back$/)).toBeVisible()
  await checkScreen(secondPage)

  await page.getByRole('button', { name: 'Cancel visit' }).press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Cancel this visit?' })
  await expect(dialog.getByText(/^We’ll refund £[\d.]+ in full/)).toBeVisible()
  await checkScreen(page)
  await dialog.getByRole('combobox', { name: 'Reason' }).selectOption('closed')
  await dialog.getByRole('button', { name: 'Cancel and refund' }).press('Enter')
  await expect(page.getByText('The visit is cancelled. We’ve told the patient.')).toBeVisible()
  await expect(page.getByText('Cancelled', { exact: true })).toBeVisible()
})

test('a visit is moved by keyboard from the account, and cancelled from there @once', async ({
  page,
}) => {
  await book(page)
  const move = page.getByRole('button', { name: /^Move visit with/ })
  await move.focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Move this visit' })
  await expect(dialog.getByText(/You can move this visit 3 more times\.$/)).toBeVisible()
  await expect(dialog.getByRole('tablist', { name: 'Day' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await expect(move).toBeFocused()
  await page.keyboard.press('Enter')

  await chooseLaterTime(dialog)
  await dialog.getByRole('button', { name: /^Continue with/ }).press('Enter')
  await expect(dialog.getByRole('heading', { name: /^Move your visit with/ })).toBeFocused()
  await expect(dialog.getByText('Nothing to pay: your fee stays the same.')).toBeVisible()
  const when = await dialog.getByText('New time', { exact: true }).locator('xpath=..').innerText()
  await dialog.getByRole('button', { name: 'Move visit' }).press('Enter')
  await expect(page.getByText(/^Your visit is moved to/)).toBeVisible()
  await expect(dialog).toBeHidden()
  const clock = /\d\d:\d\d/.exec(when)?.[0] ?? 'no time'
  await expect(page.getByText(clock, { exact: true }).first()).toBeVisible()
  await page.getByRole('article').locator('summary').first().click()
  await expect(page.getByText(/^By you on/)).toBeVisible()

  await move.press('Enter')
  await expect(dialog.getByText(/You can move this visit 2 more times\.$/)).toBeVisible()
  await dialog.getByRole('button', { name: 'Cancel visit' }).press('Enter')
  const cancelling = page.getByRole('dialog', { name: 'Cancel this visit?' })
  await cancelling.getByRole('button', { name: 'Cancel visit' }).press('Enter')
  await expect(page.getByText('Your visit is cancelled.')).toBeVisible()
})

const Own = z.object({ result: z.object({ data: z.object({ id: z.string() }) }) })

/** Signs in as the demo's provider in the UK; returns their id. */
async function enterAsProvider(page: Page): Promise<string> {
  await signInToDemo(page, 'provider')
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

/** The tests share a provider, so each picks from a different third of the second day that has times. */
async function chooseTime(page: Page, within: Locator, journey: 0 | 1 | 2): Promise<void> {
  const day = within.getByRole('tablist', { name: 'Day' }).getByRole('tab').nth(1)
  await day.press('Enter')
  await expect(day).toHaveAttribute('aria-selected', 'true')
  const times = within.getByRole('button', { name: /^\d\d:\d\d, / })
  await expect(times.first()).toBeVisible()
  await checkScreen(page)
  await times.nth(Math.floor(((await times.count()) * journey) / 3)).press('Enter')
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

test('a provider moves a visit by keyboard as agreed with the patient, who is emailed @once', async ({
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
  await expectMoveShown(secondPage, /^By your provider on/)
  await openMailAbout(secondPage, email, /^Moved: your visit/)
  await expect(mailBody(secondPage).getByText('As we agreed.')).toBeVisible()
})

test('staff move a visit for its provider with a reason, by keyboard, and both are emailed @once', async ({
  page,
  secondPage,
  browser,
}) => {
  const third = await browser.newPage()
  const providerId = await enterAsProvider(third)
  await third.close()
  const { id } = await bookVisitWith(secondPage, providerId)
  await enterDemo(page, 'superuser', `/admin-home/payments?visit=${id}`)
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

test('a provider proposes a time, which the patient accepts through the emailed link, by keyboard @once', async ({
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

  await openMailAbout(secondPage, email, /has proposed other times$/)
  const link = mailBody(secondPage).getByRole('link', { name: 'Choose a time or keep yours' })
  const path = new URL((await link.getAttribute('href')) ?? '').pathname
  // In the other browser, which has no session of the patient.
  await page.goto(path)
  const asked = page.getByRole('region', { name: /has proposed other times$/ })
  await expect(asked).toBeVisible()
  await checkScreen(page)
  await asked.getByRole('listitem').getByRole('button').first().press('Enter')
  const moving = page.getByRole('dialog', { name: 'Move this visit' })
  await expect(moving.getByText(/doesn’t count as one of your moves\.$/)).toBeVisible()
  await moving.getByRole('button', { name: 'Move visit' }).press('Enter')
  await expect(page.getByText(/^Your visit is moved to/)).toBeVisible()
  await expect(asked).toBeHidden()
  await expect(page.getByRole('heading', { name: 'Can’t come?' })).toBeFocused()
})

const STATEMENT = 'I sat in the waiting room from ten to two, and nobody called me.'

test('a patient contests a missed visit by keyboard, and staff decide in their favour @once', async ({
  page,
  secondPage,
}) => {
  await enterDemo(page, 'patient', '/userProfile?section=visits')
  const past = page.getByRole('region', { name: /^Past/ })
  const visit = past.getByRole('listitem').filter({ hasText: 'Your provider says you didn’t come' })
  const reference = /AP-\w{4}-\w{2}/.exec(await visit.first().innerText())?.[0] ?? ''
  await visit
    .first()
    .getByRole('button', { name: /^That’s not right/ })
    .press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Tell us what happened' })
  await dialog.getByRole('radio', { name: 'I was there' }).press('Space')
  await dialog.getByRole('button', { name: 'Send' }).press('Enter')
  const words = dialog.getByRole('textbox', { name: 'In your own words' })
  await expect(words).toHaveAccessibleDescription(/Tell us what happened\./)
  await words.fill(STATEMENT)
  await dialog.getByRole('button', { name: 'Send' }).press('Enter')
  await expect(past.getByText(/We’ll email you our decision\./).first()).toBeVisible()

  await enterDemo(secondPage, 'superuser', '/admin-home/claims')
  const claim = secondPage.getByRole('article').filter({ hasText: reference })
  await expect(claim.getByText(STATEMENT)).toBeVisible()
  await expect(claim.getByText(/^None yet\. They have until/)).toBeVisible()
  await claim.getByRole('button', { name: /^Decide about/ }).press('Enter')
  await claim
    .getByRole('textbox', { name: 'Why' })
    .fill('The practice confirms that they were there.')
  await claim.getByRole('radio', { name: /^The patient was there/ }).press('Space')
  await checkScreen(secondPage)
  await claim.getByRole('button', { name: 'Decide', exact: true }).press('Enter')
  await expect(claim).toBeHidden()

  await page.reload()
  const decided = past.getByRole('listitem').filter({ hasText: reference })
  await expect(decided.getByText('Missed', { exact: true })).toBeHidden()
})
