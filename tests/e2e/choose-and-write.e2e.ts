import type { Page } from '@playwright/test'
import { checkScreen, expect, test } from './fixtures.ts'
import { london, queryParam, resultNames, uniqueName, waitForResults } from './steps.ts'

/** Opens the demo's own GP, whose address is known, from the results as a patient would. */
async function openDemoProvider(page: Page): Promise<void> {
  await page.goto(london({ specialty: 'gp' }))
  await waitForResults(page)
  await resultNames(page).filter({ hasText: 'Dr Amara Bennett' }).getByRole('link').click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Dr Amara Bennett')
}

test('a time is chosen by keyboard alone, stands in the address and outlives a reload', async ({
  page,
}) => {
  await openDemoProvider(page)
  const next = page.getByRole('link', { name: /^Continue with / })
  const first = page.getByRole('button', { name: /^First available/ })
  await first.focus()
  await page.keyboard.press('Enter')
  await expect(next).toBeVisible()
  const soonest = queryParam(page, 'date')
  expect(soonest).toMatch(/^\d{4}-\d\d-\d\d$/)
  expect(queryParam(page, 'time')).toMatch(/^\d\d:\d\d$/)
  await checkScreen(page)

  const tabs = page.getByRole('tablist', { name: 'Day' }).getByRole('tab')
  await page.keyboard.press('Tab')
  await expect(tabs.nth(0)).toBeFocused()
  await page.keyboard.press('ArrowRight')
  await expect(tabs.nth(1)).toBeFocused()
  await expect(tabs.nth(1)).toHaveAttribute('aria-selected', 'true')
  await expect(next).toBeHidden()
  await page.keyboard.press('End')
  await expect(page.getByRole('tab', { name: 'Other dates' })).toBeFocused()
  await checkScreen(page)

  const day = page.getByRole('grid').locator(':focus')
  // Tabs past "Previous month" and "Next month", which may be disabled.
  await expect(async () => {
    await page.keyboard.press('Tab')
    await expect(day).toBeVisible({ timeout: 50 })
  }).toPass({ intervals: [0] })
  const before = await day.getAttribute('aria-label')
  await page.keyboard.press('ArrowDown')
  await expect(day).not.toHaveAttribute('aria-label', before ?? '')
  await expect(day).toHaveAttribute('aria-label', /^\w+day \d+ \w+, \d+ times?$/)
  const chosen = ((await day.getAttribute('aria-label')) ?? '').split(',')[0] ?? ''
  await page.keyboard.press('Enter')
  const times = page.getByRole('heading', { name: `${chosen}, free times`, exact: true })
  await expect(times).toBeFocused()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Space')
  await expect(next).toBeVisible()
  const words = await next.innerText()
  expect(queryParam(page, 'date')).not.toBe(soonest)
  expect(words).toContain(queryParam(page, 'time') ?? 'a time')

  await page.reload()
  await expect(next).toHaveText(words)
  await expect(page.getByRole('button', { pressed: true })).toHaveAccessibleName(
    new RegExp(`^${queryParam(page, 'time')}.*${chosen}$`),
  )
  await next.click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Sign in to book this time')
  await expect(page.getByRole('timer')).toBeVisible()
  await checkScreen(page)
  await page.getByRole('button', { name: 'Choose another time' }).click()
  await expect(page).toHaveURL(/\/doctor-profile\//)
})

test('a message to the provider arrives in their mailbox with its text @once', async ({ page }) => {
  await openDemoProvider(page)
  await checkScreen(page)
  const form = page.getByRole('form', { name: 'Message to Dr Amara Bennett' })
  const text = 'Do you see children on <b>Saturdays</b>?'
  const last = uniqueName()
  await form.getByLabel('First name').fill('Siân')
  await form.getByLabel('Last name').fill(last)
  await form.getByLabel('Email').fill('Sian@Example.org')
  await form.getByLabel('Message').fill(text)
  // The server rejects a form filled in faster than this.
  await page.waitForTimeout(3_000)
  await form.getByRole('button', { name: 'Send message' }).click()
  const receipt = page.getByRole('status').filter({ hasText: 'Message sent' })
  await expect(receipt).toBeFocused()
  await expect(receipt).toContainText(/Reference: msg_\w{26}/)
  await checkScreen(page)

  const mail = page.getByRole('link', { name: `Message from Siân ${last}` })
  await expect(async () => {
    await page.goto('/demo/mailbox?to=provider@demo.example')
    await expect(mail).toBeVisible({ timeout: 200 })
  }).toPass()
  await checkScreen(page)
  await mail.click()
  await expect(page.getByRole('main')).toContainText(text)
  await expect(page.getByRole('main')).toContainText('sian@example.org')
  await expect(page.getByRole('main')).toContainText('Dear Dr Amara Bennett')
})
