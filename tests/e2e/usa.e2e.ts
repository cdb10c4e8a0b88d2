import { checkScreen, expect, test } from './fixtures.ts'
import { openHome, placeBox, resultNames, waitForResults } from './steps.ts'

test('USA: ZIP codes, dollars, a 12-hour clock, and the region is remembered @once', async ({
  page,
}) => {
  await openHome(page)
  await page.getByRole('radio', { name: 'USA' }).check()
  await expect(page.getByRole('combobox', { name: 'ZIP code or town' })).toBeVisible()
  await page.getByRole('combobox', { name: 'Specialty' }).selectOption('Family doctor')
  await page.reload()
  await expect(page.getByRole('radio', { name: 'USA' })).toBeChecked()
  await checkScreen(page)

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
  problems,
}) => {
  problems.expect(/answered 400: .*search/, /status of 400/)
  await page.goto('/results?selectedRegion=uk&postcode=78701')
  await expect(page.getByRole('alert')).toContainText(
    "'78701' is in the USA. Switch to the USA to search there.",
  )
  await expect(placeBox(page)).toHaveValue('78701')
  await checkScreen(page)
  await page.getByRole('button', { name: 'Search in the USA' }).click()
  await expect(page.getByRole('heading', { level: 1, name: / near / })).toBeFocused()
  await waitForResults(page)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(
    'Doctors and dentists near 78701',
  )
  // The page's notice opens late and covers what is behind it.
  await openHome(page)
  await expect(page.getByRole('radio', { name: 'USA' })).toBeChecked()
})
