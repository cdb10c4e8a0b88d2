import { checkScreen, expect, test } from './fixtures.ts'
import { london, resultNames, waitForResults } from './steps.ts'

const MAP_CODE = /\/assets\/results-map-[^/]*\.js$/
const ABOUT_CODE = /\/assets\/about-(us|page)-[^/]*\.js$/

test('with the network cut, the map says so and the list stays; back online it loads @phone', async ({
  page,
  context,
  problems,
}) => {
  problems.expect(/ERR_INTERNET_DISCONNECTED/)
  await page.goto(london())
  await waitForResults(page)
  const first = await resultNames(page).first().innerText()
  await context.setOffline(true)
  await page.getByRole('link', { name: 'Map', exact: true }).click()
  const notice = page.getByRole('status').filter({ hasText: 'The map didn’t load.' })
  await expect(notice).toBeVisible()
  await checkScreen(page)
  await notice.getByRole('button', { name: 'Try again' }).click()
  await expect(notice).toContainText('There is still no connection.')
  await page.getByRole('link', { name: 'List', exact: true }).click()
  await expect(resultNames(page).first()).toHaveText(first)
  await page.getByRole('link', { name: 'Map', exact: true }).click()
  await expect(notice).toBeVisible()

  await context.setOffline(false)
  const map = page.getByRole('region', { name: 'Map of results' })
  await expect(map.getByRole('button', { name: `1, ${first}, ` })).toBeVisible()
  await expect(notice).toBeHidden()
})

test('when the code of the map is lost on its way, reloading the page brings it @phone', async ({
  page,
  context,
  problems,
}) => {
  problems.expect(/ERR_FAILED/)
  await page.goto(london())
  await waitForResults(page)
  await context.route(MAP_CODE, (route) => route.abort())
  await page.getByRole('link', { name: 'Map', exact: true }).click()
  const notice = page.getByRole('status').filter({ hasText: 'The map didn’t load.' })
  const reload = notice.getByRole('button', { name: 'Reload the page' })
  await expect(reload).toBeVisible()
  await checkScreen(page)
  await context.unroute(MAP_CODE)
  await reload.click()
  const map = page.getByRole('region', { name: 'Map of results' })
  await expect(map.getByRole('button', { name: /^1, / })).toBeVisible()
})

test('offline a page not fetched yet says so, and comes by itself once the network is back @once', async ({
  page,
  context,
  problems,
}) => {
  problems.expect(/ERR_INTERNET_DISCONNECTED/, /Failed to fetch dynamically imported module/)
  await page.goto(london())
  await waitForResults(page)
  await context.setOffline(true)
  await page.getByRole('contentinfo').getByRole('link', { name: 'About us' }).click()
  const alert = page.getByRole('alert').filter({ hasText: 'You’re offline.' })
  await expect(alert).toBeVisible()
  await context.setOffline(false)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('About us')
})

test('code that a release has replaced reloads the page once, and no more @once', async ({
  page,
  context,
  problems,
}) => {
  problems.expect(/answered 404/, /Failed to (load|fetch)/)
  await page.goto(london())
  await waitForResults(page)
  let loads = 0
  page.on('load', () => {
    loads += 1
  })
  await context.route(ABOUT_CODE, (route) => route.fulfill({ status: 404 }))
  await page.getByRole('contentinfo').getByRole('link', { name: 'About us' }).click()
  const alert = page.getByRole('alert').filter({ hasText: 'This site has been updated.' })
  await expect(alert).toBeVisible()
  await expect.poll(() => loads).toBe(1)
  await checkScreen(page)
  await context.unroute(ABOUT_CODE)
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('About us')
  expect(loads).toBe(2)
})
