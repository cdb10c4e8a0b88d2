import type { Locator, Page } from '@playwright/test'
import { checkScreen, expect } from './fixtures.ts'
// These tests move the demo's visits, so they need their own site, where no other test relies on them.
import { test } from './own-site.ts'

const calendar = (page: Page) => page.getByRole('region', { name: /^Calendar, / })
const dialog = (page: Page) => page.getByRole('dialog', { name: 'Move this visit' })
/** Visits booked online; those added at the desk show another question. */
const BOOKED = '[data-visit^="apt_"] [aria-keyshortcuts]'
const isPhone = (page: Page) => (page.viewportSize()?.width ?? 0) < 768

/** Opens the calendar at the first day or week from tomorrow on with a visit and free times after it. */
async function openGrid(page: Page): Promise<void> {
  await page.goto('/')
  await page
    .getByRole('button', { name: /^Enter as a provider/ })
    .first()
    .press('Enter')
  await expect(page).toHaveURL('/dochome')
  await calendar(page)
    .getByRole('combobox', { name: 'View' })
    .selectOption(isPhone(page) ? 'day' : 'week')
  const card = calendar(page).locator(BOOKED)
  const title = calendar(page).getByRole('heading', { level: 2 })
  for (let turn = 0; turn < 14; turn += 1) {
    const before = await title.textContent()
    await calendar(page)
      .getByRole('button', { name: /^(Day|Week) after$/ })
      .press('Enter')
    await expect(title).not.toHaveText(before ?? '')
    await expect(calendar(page).getByRole('group', { name: 'Days' })).toBeVisible()
    if ((await card.count()) > 0) return
  }
  throw new Error('Nobody comes.')
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
    await checkScreen(page)
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
  await checkScreen(page)
  await dialog(page).getByRole('button', { name: 'Move visit' }).press('Enter')
  await expect(
    page.getByText(/^The visit is moved to .*We’ve told the patient\.$/).first(),
  ).toBeVisible()
  await expect(dialog(page)).toBeHidden()
}

test('a provider moves a visit by dragging it to a free time', async ({ page }) => {
  await openGrid(page)
  const card = calendar(page).locator('[data-visit^="apt_"]:has([aria-keyshortcuts])').first()
  const before = await card.textContent()
  const { from, to } = await findDragPath(page, card)
  // On phones the drag starts on the handle.
  const grip = isPhone(page) ? middle(await boxOf(card.locator('[data-handle]'))).x : from.x
  await drag(page, { x: grip, y: from.y }, to)
  await confirm(page)
  await expect(card.filter({ hasText: before ?? '' })).toHaveCount(0)
})

test('a provider moves a visit by keyboard, after a time that is not free has said why', async ({
  page,
}) => {
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
})
