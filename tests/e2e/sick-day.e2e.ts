import type { Page } from '@playwright/test'
import * as z from 'zod/mini'
import { checkScreen, expect, test } from './fixtures.ts'

const Week = z.object({
  result: z.object({
    data: z.object({
      now: z.string(),
      visits: z.array(
        z.object({ id: z.string(), startsAt: z.string(), desk: z.nullable(z.string()) }),
      ),
    }),
  }),
})

/**
 * Signs in as one of the demo's providers, a different one per screen size; returns their next paid visit.
 */
async function enter(page: Page): Promise<{ id: string; startsAt: string }> {
  await page.goto('/')
  const doors = page.getByRole('button', { name: /^Enter as a provider/ })
  const isPhone = (page.viewportSize()?.width ?? 0) < 768
  await (isPhone ? doors.nth(1) : doors.first()).press('Enter')
  await expect(page).toHaveURL('/dochome')
  const input = JSON.stringify({ from: new Date().toISOString().slice(0, 10) })
  const answer = await page.request.get(`/trpc/booking.week?input=${encodeURIComponent(input)}`)
  const { now, visits } = Week.parse(await answer.json()).result.data
  const next = visits.find(({ startsAt, desk }) => desk === null && startsAt > now)
  if (next === undefined) throw new Error('Nobody comes who has paid.')
  return next
}

test('a provider falls ill: the day is taken off, its visits are cancelled with a refund, by keyboard', async ({
  page,
}) => {
  const visit = await enter(page)
  await page.goto('/doctor/availability/all')
  await page.getByRole('button', { name: 'Add time off' }).press('Enter')
  // The local date: the demo's visits are by day, far from midnight UTC.
  await page.getByLabel('First day').fill(visit.startsAt.slice(0, 10))
  await page.getByRole('button', { name: 'Add this time off' }).press('Enter')
  const question = page.getByRole('dialog', { name: /booked visits? outside these hours$/ })
  await expect(question).toBeVisible()
  await checkScreen(page)
  await question.getByRole('button', { name: /^Save and cancel/ }).press('Enter')

  const list = page.getByRole('dialog', { name: 'Visits in your time off' })
  await expect(list.getByRole('checkbox').first()).toBeChecked()
  await expect(list.getByText(/^We’ll refund £?\$?[\d.,]+ and email/)).toBeVisible()
  await checkScreen(page)
  await list.getByRole('combobox', { name: 'Reason' }).selectOption('unwell')
  await list.getByRole('button', { name: /^Cancel \d+ visits? and refund$/ }).press('Enter')
  await expect(list.getByText(/^\d+ visits? cancelled$/)).toBeVisible()
  await expect(list.getByText(/^Cancelled, [£$][\d.,]+ refunded$/).first()).toBeVisible()
  await checkScreen(page)
  await list.getByRole('button', { name: 'Done' }).press('Enter')
  await expect(list).toBeHidden()

  await page.goto(`/doctor/visits/${visit.id}`)
  await expect(page.getByText('Cancelled', { exact: true })).toBeVisible()
})
