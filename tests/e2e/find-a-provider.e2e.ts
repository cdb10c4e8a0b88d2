import type { Page } from '@playwright/test'
import { checkScreen, expect, test } from './fixtures.ts'
import {
  isWide,
  london,
  openHome,
  placeBox,
  queryParam,
  resultNames,
  waitForResults,
} from './steps.ts'

/** On phones the filters are in a sheet; on wide screens in a bar. */
async function chooseFilter(page: Page, label: string, option: string): Promise<void> {
  if (isWide(page)) {
    await page.getByRole('combobox', { name: label, exact: true }).selectOption(option)
    return
  }
  await page.getByRole('button', { name: 'Filters' }).click()
  const sheet = page.getByRole('dialog', { name: 'Filters' })
  await sheet.getByRole('combobox', { name: label, exact: true }).selectOption(option)
  await checkScreen(page)
  await sheet.getByRole('button', { name: /^Show [\d,]+ results?$/ }).click()
  await expect(sheet).toBeHidden()
}

test('from the home page to a list of dentists, by keyboard', async ({ page }) => {
  await openHome(page)
  await checkScreen(page)

  await placeBox(page).focus()
  await page.keyboard.type('hereford')
  const option = page.getByRole('option', { name: /^Hereford\b/ }).first()
  await expect(option).toBeVisible()
  await checkScreen(page)
  await page.keyboard.press('ArrowDown')
  await expect(option).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.press('Enter')
  await expect(placeBox(page)).toHaveValue('Hereford')
  await expect(page).toHaveURL(/\/home$/)

  await page.keyboard.press('Tab')
  await expect(page.getByRole('button', { name: 'Use my location' })).toBeFocused()
  await page.keyboard.press('Tab')
  await expect(page.getByRole('combobox', { name: 'Specialty' })).toBeFocused()
  await page.keyboard.type('Dentist')
  await page.keyboard.press('Tab')
  await expect(page.getByRole('combobox', { name: 'Distance' })).toBeFocused()
  await page.keyboard.type('Within 25')
  await page.keyboard.press('Tab')
  await expect(page.getByRole('button', { name: 'Search', exact: true })).toBeFocused()
  await page.keyboard.press('Enter')

  const heading = page.getByRole('heading', { level: 1, name: 'Dentists near Hereford' })
  await expect(heading).toBeFocused()
  await waitForResults(page)
  await expect(page.getByText(/^[\d,]+ within 25 miles$/)).toBeVisible()
  expect(queryParam(page, 'postcode')).toBe('Hereford')
  expect(queryParam(page, 'specialty')).toBe('dentist')
  expect(queryParam(page, 'radius')).toBe('25')
  await checkScreen(page)
})

test('results are narrowed, ordered, paged, and the back button restores each step', async ({
  page,
}) => {
  await page.goto(london())
  await waitForResults(page)
  const everybody = await page.getByText(/^[\d,]+ within 10 miles$/).innerText()

  await chooseFilter(page, 'Visit', 'Video')
  await expect(page).toHaveURL(/mode=video/)
  await waitForResults(page)
  await expect(page.getByRole('group', { name: 'Active filters' })).toContainText('Video')
  await expect(page.getByText(everybody, { exact: true })).toBeHidden()
  const fewer = await page.getByText(/^[\d,]+ within 10 miles$/).innerText()

  await page.getByRole('combobox', { name: 'Sort by' }).selectOption('Name, A to Z')
  await expect(page).toHaveURL(/sort=name/)
  await waitForResults(page)
  const firstPage = await resultNames(page).allInnerTexts()
  expect(firstPage).toHaveLength(10)

  await page.getByRole('link', { name: 'Next page' }).click()
  await expect(page).toHaveURL(/page=2/)
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
  await waitForResults(page)
  await expect(resultNames(page).first()).not.toHaveText(firstPage[0] ?? '')
  await checkScreen(page)

  await page.goBack()
  await expect(resultNames(page)).toHaveText(firstPage)
  await page.goBack()
  await expect(page.getByRole('combobox', { name: 'Sort by' })).toHaveValue('distance')
  await expect(page.getByText(fewer, { exact: true })).toBeVisible()
  await page.goBack()
  await expect(page.getByText(everybody, { exact: true })).toBeVisible()
  await expect(page.getByRole('group', { name: 'Active filters' })).toBeHidden()
})

test('a result leads to its profile, and back to where one was in the list', async ({ page }) => {
  await page.goto(london({ specialty: 'gp' }))
  await waitForResults(page)
  const fifth = resultNames(page).nth(4)
  const name = await fifth.innerText()
  await fifth.scrollIntoViewIfNeeded()
  await fifth.getByRole('link').click()
  await expect(page.getByRole('heading', { level: 1, name })).toBeFocused()
  await expect(page).toHaveURL(/\/doctor-profile\/prv_\w+\/\d+\.\d\?region=uk$/)
  await page.goBack()
  await expect(fifth).toHaveText(name)
  await expect(fifth).toBeInViewport()
})
