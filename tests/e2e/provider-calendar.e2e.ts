import type { Locator, Page } from '@playwright/test'
import * as z from 'zod/mini'
import {
  checkScreen,
  enterDemo,
  expect,
  isPhone,
  ownSiteTest,
  signInToDemo,
  test,
} from './harness/fixtures.ts'

const calendar = (page: Page) => page.getByRole('region', { name: /^Calendar, / })

async function enter(page: Page): Promise<void> {
  await enterDemo(page, 'provider')
  await expect(calendar(page)).toBeVisible()
}

/** On a phone one day is listed: the first of the week with visits, by the arrow keys. */
async function chooseBusyDay(page: Page): Promise<void> {
  const days = calendar(page).getByRole('tab')
  if (!isPhone(page)) return
  await expect(days).toHaveCount(7)
  await days.and(page.locator('[aria-selected=true]')).press('Home')
  await expect(days.first()).toBeFocused()
  const names = await days.allTextContents()
  const at = names.findIndex((name) => /, \d+ visits?/.test(name))
  for (let step = 0; step < at; step += 1) {
    await page.keyboard.press('ArrowRight')
    await expect(days.nth(step + 1)).toBeFocused()
  }
  await expect(page).toHaveURL(/on=\d{4}-\d\d-\d\d/)
}

test('a provider looks through the weeks and opens a visit', async ({ page }) => {
  await enter(page)
  const title = calendar(page).getByRole('heading', { level: 2 })
  const before = await title.textContent()
  await calendar(page).getByRole('button', { name: 'Week after' }).press('Enter')
  await expect(title).not.toHaveText(before ?? '')
  await chooseBusyDay(page)
  const visit = calendar(page).getByRole('listitem').getByRole('button').first()
  await expect(visit).toBeVisible()
  await checkScreen(page)
  await visit.press('Enter')
  const drawer = page.getByRole('dialog', { name: 'Visit' })
  await expect(drawer.getByRole('heading', { name: 'Patient' })).toBeVisible()
  await expect(drawer.getByText(/London time/).first()).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(drawer).toBeHidden()
  await expect(page).not.toHaveURL(/visit=/)
})

/** A Sunday some weeks ahead, when no other test adds visits. */
function quietDay(weeks: number): string {
  const day = new Date()
  day.setUTCDate(day.getUTCDate() + 7 * weeks + ((7 - day.getUTCDay()) % 7))
  return day.toISOString().slice(0, 10)
}

/** A surname unique in the run, with letters for digits because names have none. */
const newSurname = () =>
  Array.from(String(Date.now()), (digit) => 'bcdfghjklm'[Number(digit)]).join('')

test('a phone patient is added, opened, moved and cancelled with the keyboard alone', async ({
  page,
}) => {
  const date = quietDay(isPhone(page) ? 5 : 6)
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

// These tests move the demo's visits, so they need their own site, where no other test relies on them.

const dialog = (page: Page) => page.getByRole('dialog', { name: 'Move this visit' })
/** Visits booked online; those added at the desk show another question. */
const BOOKED = '[data-visit^="apt_"] [aria-keyshortcuts]'

/** Opens the calendar at the first day or week from tomorrow on with a visit and free times after it. */
async function openGrid(page: Page): Promise<void> {
  await enterDemo(page, 'provider')
  await calendar(page)
    .getByRole('combobox', { name: 'View' })
    .selectOption(isPhone(page) ? 'day' : 'week')
  const card = calendar(page).locator(BOOKED)
  const free = calendar(page).getByRole('button', { name: /^Free on / })
  const title = calendar(page).getByRole('heading', { level: 2 })
  for (let turn = 0; turn < 14; turn += 1) {
    const before = await title.textContent()
    await calendar(page)
      .getByRole('button', { name: /^(Day|Week) after$/ })
      .press('Enter')
    await expect(title).not.toHaveText(before ?? '')
    await expect(calendar(page).getByRole('group', { name: 'Days' })).toBeVisible()
    if ((await card.count()) > 0 && (await free.count()) > 0) return
  }
  throw new Error('There is no visit.')
}

type Point = { x: number; y: number }
type Box = Point & { width: number; height: number }

async function boxOf(target: Locator): Promise<Box> {
  const box = await target.boundingBox()
  if (box === null) throw new Error('It is not on the screen.')
  return box
}

const middle = ({ x, y, width, height }: Box) => ({ x: x + width / 2, y: y + height / 2 })

/** The way from the middle of a card to the nearest free time; scrolls both into view. */
async function findDragPath(page: Page, card: Locator): Promise<{ from: Point; to: Point }> {
  const free = calendar(page).getByRole('button', { name: /^Free on / })
  const { y, height } = await boxOf(card)
  const aim = ({ y: top, height: room }: Box) =>
    Math.max(top + height / 2, Math.min(top + room - height / 2, y + height / 2))
  const boxes = await Promise.all((await free.all()).map((one) => boxOf(one)))
  const [nearest] = boxes
    .filter((box) => box.height >= height)
    .toSorted((one, other) => Math.abs(aim(one) - y) - Math.abs(aim(other) - y))
  if (nearest === undefined) throw new Error('Nothing is free.')
  const from = middle(await boxOf(card))
  const to = { x: middle(nearest).x, y: aim(nearest) }
  const scrolled = await page.evaluate(
    (by) => {
      const before = scrollY
      scrollBy(0, by)
      return scrollY - before
    },
    (from.y + to.y) / 2 - 400,
  )
  return { from: { ...from, y: from.y - scrolled }, to: { ...to, y: to.y - scrolled } }
}

/** Drags a card with a finger or a mouse, over a few points. */
async function drag(page: Page, from: Point, to: Point): Promise<void> {
  const steps = [0.2, 0.6, 1].map((share) => ({
    x: from.x + (to.x - from.x) * share,
    y: from.y + (to.y - from.y) * share,
  }))
  if (!isPhone(page)) {
    await page.mouse.move(from.x, from.y)
    await page.mouse.down()
    for (const { x, y } of steps) await page.mouse.move(x, y)
    await page.mouse.up()
    return
  }
  const finger = await page.context().newCDPSession(page)
  const touch = (type: 'touchStart' | 'touchMove', point: Point) =>
    finger.send('Input.dispatchTouchEvent', { type, touchPoints: [point] })
  await touch('touchStart', from)
  for (const point of steps) await touch('touchMove', point)
  await finger.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
}

async function confirm(page: Page): Promise<void> {
  await expect(dialog(page).getByRole('heading', { name: 'Move this visit?' })).toBeVisible()
  await expect(dialog(page).getByText('Agree the time with the patient first')).toBeVisible()
  await dialog(page).getByRole('button', { name: 'Move visit' }).press('Enter')
  await expect(
    page.getByText(/^The visit is moved to .*We’ve told the patient\.$/).first(),
  ).toBeVisible()
  await expect(dialog(page)).toBeHidden()
}

ownSiteTest('a provider moves a visit by dragging it to a free time', async ({ page }) => {
  await openGrid(page)
  const id = await calendar(page)
    .locator('[data-visit^="apt_"]:has([aria-keyshortcuts])')
    .first()
    .getAttribute('data-visit')
  const card = calendar(page).locator(`[data-visit="${id}"]`)
  // It may move to the same time of another day.
  const dayAndTime = () =>
    card.evaluate((item) => `${item.closest('section')?.ariaLabel}: ${item.textContent}`)
  const before = await dayAndTime()
  const { from, to } = await findDragPath(page, card)
  // On phones the drag starts on the handle.
  const grip = isPhone(page) ? middle(await boxOf(card.locator('[data-handle]'))).x : from.x
  await drag(page, { x: grip, y: from.y }, to)
  await confirm(page)
  await expect.poll(dayAndTime).not.toBe(before)
})

ownSiteTest(
  'a provider moves a visit by keyboard, after a time that is not free has said why',
  async ({ page }) => {
    await openGrid(page)
    const card = calendar(page).locator(BOOKED).first()
    await card.press('m')
    const said = page.getByRole('status').filter({ hasText: / picked up, / })
    await expect(said).toHaveCount(1)
    await checkScreen(page)
    const status = calendar(page).getByRole('status')
    // Up beyond opening hours, then down to the first free time.
    for (let step = 0; step < 40; step += 1) await page.keyboard.press('ArrowUp')
    await expect(status).not.toHaveText(/ picked up, |Looking for/)
    for (let step = 0; step < 40 && !(await status.textContent())?.endsWith(': Free'); step += 1) {
      await page.keyboard.press('ArrowDown')
    }
    await expect(status).toHaveText(/: Free$/)
    await page.keyboard.press('Enter')
    await confirm(page)
  },
)

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
async function enterWithPaidVisit(page: Page): Promise<{ id: string; startsAt: string }> {
  await signInToDemo(page, isPhone(page) ? 'provider-us' : 'provider')
  const input = JSON.stringify({ from: new Date().toISOString().slice(0, 10) })
  const answer = await page.request.get(`/trpc/booking.week?input=${encodeURIComponent(input)}`)
  const { now, visits } = Week.parse(await answer.json()).result.data
  const next = visits.find(({ startsAt, desk }) => desk === null && startsAt > now)
  if (next === undefined) throw new Error('There is no paid visit.')
  return next
}

test('a provider takes a day off and cancels its visits with a refund, by keyboard @once', async ({
  page,
}) => {
  const visit = await enterWithPaidVisit(page)
  await page.goto('/doctor/availability/all')
  await page.getByRole('button', { name: 'Add time off' }).press('Enter')
  // The local date: the demo's visits are by day, far from midnight UTC.
  await page.getByLabel('First day').fill(visit.startsAt.slice(0, 10))
  await page.getByRole('button', { name: 'Add this time off' }).press('Enter')
  const question = page.getByRole('dialog', { name: /booked visits? outside these hours$/ })
  await expect(question).toBeVisible()
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
