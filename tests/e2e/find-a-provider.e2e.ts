import type { Page } from '@playwright/test'
import {
  checkScreen,
  expect,
  isWide,
  london,
  openHome,
  placeBox,
  queryParam,
  resultNames,
  test,
  uniqueName,
  waitForResults,
} from './harness/fixtures.ts'

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
})

test('results are filtered, sorted and paged, and the back button restores each step', async ({
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

test('a result links to its profile, and back to the same place in the list', async ({ page }) => {
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

/** Opens the demo's own GP from the results, as a patient would. */
async function openDemoProvider(page: Page): Promise<void> {
  await page.goto(london({ specialty: 'gp' }))
  await waitForResults(page)
  await resultNames(page).filter({ hasText: 'Dr Amara Bennett' }).getByRole('link').click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Dr Amara Bennett')
}

test('a time is chosen by keyboard alone, is in the URL and survives a reload', async ({
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
  await mail.click()
  await expect(page.getByRole('main')).toContainText(text)
  await expect(page.getByRole('main')).toContainText('sian@example.org')
  await expect(page.getByRole('main')).toContainText('Hello Amara,')
})

test('USA: ZIP codes, dollars, a 12-hour clock, and the region is remembered @once', async ({
  page,
}) => {
  await openHome(page)
  await page.getByRole('radio', { name: 'USA' }).check()
  await expect(page.getByRole('combobox', { name: 'ZIP code or town' })).toBeVisible()
  await page.getByRole('combobox', { name: 'Specialty' }).selectOption('Family doctor')
  await page.reload()
  await expect(page.getByRole('radio', { name: 'USA' })).toBeChecked()

  await placeBox(page).fill('78704')
  await page.getByRole('combobox', { name: 'Specialty' }).selectOption('Family doctor')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Search', exact: true }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Family doctors near 78704')
  await waitForResults(page)
  const list = page.getByRole('list', { name: 'Results' })
  await expect(list).toContainText(/First visit \$\d+/)
  await expect(list).not.toContainText('£')
  await expect(list.getByRole('link', { name: /^\d{1,2}:\d\d [ap]m/ }).first()).toBeVisible()
  await checkScreen(page)

  const demo = resultNames(page).filter({ hasText: 'Rivera' })
  await demo.getByRole('link').click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Dr. Daniel Rivera')
  await expect(page.getByText(/^Times shown in Central Time \(C[SD]T\)$/)).toBeVisible()
  await page.getByRole('button', { name: /^First available/ }).click()
  await expect(
    page.getByRole('link', { name: /^Continue with .+, \d{1,2}:\d\d [ap]m$/ }),
  ).toBeVisible()
  await expect(page.getByRole('table')).toContainText('$')
  await checkScreen(page)
})

test('a code of the other region offers the switch, and the switch works @once', async ({
  page,
}) => {
  // The refused search comes in one response with the specialties, which is no failure as a whole.
  await page.goto('/results?selectedRegion=uk&postcode=78701')
  await expect(page.getByRole('alert')).toContainText(
    '“78701” is in the USA. Switch to the USA to search there.',
  )
  await expect(placeBox(page)).toHaveValue('78701')
  await page.getByRole('button', { name: 'Search in the USA' }).click()
  await expect(page.getByRole('heading', { level: 1, name: / near / })).toBeFocused()
  await waitForResults(page)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(
    'Doctors and dentists near 78701',
  )
  // The page's modal opens late and covers what is behind it.
  await openHome(page)
  await expect(page.getByRole('radio', { name: 'USA' })).toBeChecked()
})
