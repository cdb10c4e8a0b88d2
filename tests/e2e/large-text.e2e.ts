import type { Page } from '@playwright/test'
import { signedInPatient } from './harness/booking.ts'
import { expect, london, resultNames, test, waitForResults } from './harness/fixtures.ts'

/** Simulates a browser with text set to twice the size. */
async function enlargeText(page: Page): Promise<void> {
  await page.evaluate(() => {
    document.documentElement.style.fontSize = '200%'
  })
}

/** Layout problems at this size: a page wider than the screen, words broken into single letters. */
function problemsOf(page: Page): Promise<string[]> {
  return page.evaluate(async () => {
    await document.fonts.ready
    const { scrollWidth, clientWidth } = document.documentElement
    const found = scrollWidth > clientWidth ? [`${scrollWidth} pixels wide`] : []
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    for (let node = texts.nextNode(); node !== null; node = texts.nextNode()) {
      const text = node.textContent?.trim() ?? ''
      if (text.length < 4 || node.parentElement?.closest('.sr-only, script, svg')) continue
      const range = document.createRange()
      range.selectNodeContents(node)
      const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size
      if (lines > text.length / 2.5) found.push(`letter by letter: ${text.slice(0, 40)}`)
    }
    return found
  })
}

async function checkLarge(page: Page, address: string): Promise<void> {
  await page.goto(address)
  // Found by its tag, because a modal covers it on the home page.
  await expect(page.locator('h1').first()).toBeVisible()
  await enlargeText(page)
  await expect.poll(() => problemsOf(page), { message: address }).toEqual([])
  if (address !== '/home') return
  // While the modal is open, the page behind it is cut off at the edge of the screen.
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toBeHidden()
  await expect.poll(() => problemsOf(page), { message: address }).toEqual([])
}

const OPEN = [
  '/home',
  london(),
  london({ view: 'map' }),
  london({ specialty: 'dermatologist', language: 'cy', radius: '1' }),
  '/results?selectedRegion=uk&postcode=BT58+4AA',
  '/about-us',
  '/contact-us',
  '/terms-of-use',
  '/privacy-cookie',
  '/company-profile',
  '/sign-in',
  '/register',
  '/forgot-password',
]

test('public pages wrap at twice the text size on a phone @phone', async ({ page, problems }) => {
  problems.expect(/answered 404: .*search/, /status of 404/)
  for (const address of OPEN) await checkLarge(page, address)
  await page.goto(london({ specialty: 'gp' }))
  await waitForResults(page)
  const profile = await resultNames(page).first().getByRole('link').getAttribute('href')
  await checkLarge(page, profile ?? '')
})

test('account pages wrap at twice the text size on a phone @phone', async ({ page }) => {
  await signedInPatient(page)
  for (const section of ['visits', 'saved', 'details', 'security', 'data']) {
    await checkLarge(page, `/userProfile?section=${section}`)
  }
})

test('a pin’s card is in view, and Continue covers no times, on a phone @phone', async ({
  page,
}) => {
  await page.goto(london({ view: 'map', specialty: 'gp' }))
  await page.getByRole('region', { name: 'Map of results' }).locator('.map-pin').first().click()
  const card = page.getByRole('dialog').filter({ has: page.getByRole('link') })
  await expect(card).toBeInViewport({ ratio: 1 })
  await card.getByRole('link').click()
  // The day that is shown may be without a morning.
  const times = page
    .getByRole('group', { name: /^(?:Morning|Afternoon|Evening)$/ })
    .getByRole('button')
  await times.first().click()
  const next = page.getByRole('link', { name: /^Continue with / })
  await expect(next).toBeInViewport({ ratio: 1 })
  const top = (await next.boundingBox())?.y ?? 0
  for (const time of await times.all()) {
    const box = await time.boundingBox()
    expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(top)
  }
})
