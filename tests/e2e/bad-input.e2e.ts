import type { Page } from '@playwright/test'
import { checkScreen, expect, test } from './fixtures.ts'
import { london, openHome, placeBox, waitForResults } from './steps.ts'

/** Whatever was requested, the page has a heading, a working place box and no application error. */
async function expectUsable(page: Page): Promise<void> {
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(page.getByText('Unexpected Application Error!')).toBeHidden()
  await expect(page.getByText('Something went wrong')).toBeHidden()
  const edit = page.getByRole('button', { name: 'Edit search' })
  if (await edit.isVisible()) await edit.click()
  await expect(placeBox(page)).toBeEditable()
}

const places = [
  {
    place: 'QQ1 1AA',
    region: 'uk',
    says: "We can't find the postcode 'QQ1 1AA'. Check it and try again.",
  },
  {
    place: 'BFPO 1',
    region: 'uk',
    says: "'BFPO 1' isn’t a place on the map. Enter the postcode of where you want to be seen.",
  },
  {
    place: '09012',
    region: 'usa',
    says: "'09012' is a military ZIP code overseas. Enter the ZIP code of where you want to be seen.",
  },
  {
    place: '00000',
    region: 'usa',
    says: "We can't find the ZIP code '00000'. Check it and try again.",
  },
  { place: '<img src=x onerror=alert(1)>', region: 'uk', says: '' },
  { place: "Leeds'; DROP TABLE providers; --", region: 'uk', says: '' },
]

test('places that are none: a sentence, and the form with what was typed @once', async ({
  page,
  problems,
}) => {
  problems.expect(/answered 40[04]: .*search/, /status of 40[04]/)
  for (const { place, region, says } of places) {
    const query = new URLSearchParams({ selectedRegion: region, postcode: place })
    await page.goto(`/results?${query}`)
    const alert = page.getByRole('alert')
    await expect(alert).toContainText('We couldn’t find that place')
    await expect(alert).toContainText(says)
    await expectUsable(page)
    await expect(placeBox(page)).toHaveValue(place)
  }
  await checkScreen(page)
  await page.getByRole('button', { name: 'Change the place' }).click()
  await expect(placeBox(page)).toBeFocused()
  await placeBox(page).fill('LS1 4DY')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(
    'Doctors and dentists near LS1 4DY',
  )
  await waitForResults(page)
})

const addresses = [
  { query: { radius: '-1' }, says: 'Choose a distance of 1, 3, 5, 10, 25 or 50 miles.' },
  { query: { radius: '1e9' }, says: 'Choose a distance of 1, 3, 5, 10, 25 or 50 miles.' },
  { query: { page: 'abc' }, says: 'Choose a page between 1 and 10,000.' },
  { query: { page: '99999999999999999999' }, says: 'Choose a page between 1 and 10,000.' },
  {
    query: { latitude: '91', longitude: '0' },
    says: 'Choose a point on the map.',
  },
  { query: { specialty: '<script>alert(1)</script>' }, says: 'Choose a specialty from the list.' },
  { query: { sort: "name'--" }, says: 'Choose one of the sort options.' },
  { query: { fee_max: 'NaN' }, says: 'Enter a maximum fee between 1 and 10,000.' },
]

test('addresses that make no sense: what could not be used is said, the rest is found @once', async ({
  page,
}) => {
  for (const { query, says } of addresses) {
    await page.goto(london(query))
    await expect(page.getByText(says)).toBeVisible()
    await expectUsable(page)
    await waitForResults(page)
  }
  await checkScreen(page)
  await page.goto(london({ page: '9999' }))
  await expect(page.getByRole('heading', { name: 'That page doesn’t exist' })).toBeVisible()
  await checkScreen(page)
  await page.getByRole('button', { name: 'Go to page 1' }).click()
  await waitForResults(page)
})

test('ten thousand characters are refused with a sentence, in the form and in the address @once', async ({
  page,
}) => {
  const long = 'SE1 '.repeat(2_500)
  await openHome(page)
  await placeBox(page).fill(long)
  await page.getByRole('button', { name: 'Search', exact: true }).click()
  await expect(placeBox(page)).toBeFocused()
  await expect(placeBox(page)).toHaveAccessibleDescription('Enter a valid postcode.')
  await expect(placeBox(page)).toHaveValue(long)
  await checkScreen(page)
  await page.goto(`/results?${new URLSearchParams({ postcode: long })}`)
  await expect(page.getByText('Enter a valid postcode.')).toBeVisible()
  await expectUsable(page)
  await checkScreen(page)
})
