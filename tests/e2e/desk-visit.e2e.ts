import type { Page } from '@playwright/test'
import { checkScreen, expect, test } from './fixtures.ts'

const calendar = (page: Page) => page.getByRole('region', { name: /^Calendar, / })

async function enter(page: Page): Promise<void> {
  await page.goto('/')
  await page.getByRole('button', { name: 'Enter as a provider (provider@demo.example)' }).click()
  await expect(page).toHaveURL('/dochome')
  await expect(calendar(page)).toBeVisible()
}

/** A Sunday some weeks ahead, when no other test adds visits. */
function quietDay(weeks: number): string {
  const day = new Date()
  day.setUTCDate(day.getUTCDate() + 7 * weeks + ((7 - day.getUTCDay()) % 7))
  return day.toISOString().slice(0, 10)
}

/** A surname unique in the run, with letters for digits because names have none. */
const newSurname = () =>
  Array.from(String(Date.now()), (digit) => 'bcdfghjklm'[Number(digit)]).join('')

test('a phone patient is put in, opened, moved and cancelled with the keyboard alone', async ({
  page,
}, { project }) => {
  const isPhone = project.name === 'phone'
  const date = quietDay(isPhone ? 5 : 6)
  const name = `Ada ${newSurname()}`
  await enter(page)
  await calendar(page).getByRole('button', { name: 'Add a visit', exact: true }).press('Enter')
  const form = page.getByRole('dialog', { name: 'Add a visit' })
  await form.getByRole('radio', { name: 'Phone' }).press('Tab')
  await page.keyboard.type(name)
  await page.keyboard.press('Tab')
  await page.keyboard.type('020 7946 0155')
  await form.getByLabel('Day').fill(date)
  await form.getByLabel('Time', { exact: true }).fill('19:10')
  await form.getByLabel(/^Note/).fill('Asked for an evening')
  await checkScreen(page)
  await form.getByRole('button', { name: 'Add visit' }).press('Enter')
  await expect(form).toBeHidden()
  await expect(page.getByText(/^The visit is in your calendar: .*19:10/)).toBeVisible()
  await page.goto(`/dochome?view=day&on=${date}`)
  const card = calendar(page).getByRole('button', { name: new RegExp(name) })
  await expect(card).toContainText('Phone')
  const move = page.getByRole('dialog', { name: 'Move this visit' })
  // Moves it by keyboard to a time not offered online, which asks the same question as the form.
  await card.press('m')
  await page.keyboard.press('ArrowUp')
  await expect(calendar(page).getByRole('status')).toHaveText(/18:45: Not offered/)
  await checkScreen(page)
  await page.keyboard.press('Enter')
  await expect(move.getByText(/18:45/)).toBeVisible()
  await checkScreen(page)
  await move.getByRole('button', { name: 'Move visit' }).press('Enter')
  await expect(card).toContainText('18:45')
  await card.press('Enter')
  const drawer = page.getByRole('dialog', { name: 'Visit' })
  await expect(drawer.getByText('Nothing through Apposite')).toBeVisible()
  await checkScreen(page)
  await drawer.getByRole('button', { name: 'Move visit' }).press('Enter')
  await move.getByRole('button', { name: 'Choose any other time' }).press('Enter')
  await move.getByLabel('Time', { exact: true }).fill('20:15')
  await move.getByRole('button', { name: 'Continue' }).press('Enter')
  await expect(move.getByText(/20:15/)).toBeVisible()
  await move.getByRole('button', { name: 'Move visit' }).press('Enter')
  await expect(drawer.getByText(/^Moved from .*18:45$/)).toBeVisible()
  await drawer.getByRole('button', { name: 'Cancel visit' }).press('Enter')
  const question = page.getByRole('dialog', { name: 'Cancel this visit?' })
  await question.getByRole('button', { name: 'Cancel visit' }).press('Enter')
  await expect(drawer.getByText('This visit was cancelled.')).toBeVisible()
  await page.goto('/doctor/appointment-history')
  const list = page.getByRole('region', { name: 'Phone and walk-in visits' })
  await list.getByLabel('Name, phone or reference').fill(name)
  await list.getByRole('button', { name: 'Search' }).press('Enter')
  await expect(list.getByRole('listitem')).toHaveCount(1)
  await expect(list.getByRole('listitem')).toContainText('Cancelled')
  await checkScreen(page)
})
