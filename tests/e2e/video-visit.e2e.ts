import type { Page } from '@playwright/test'
import * as z from 'zod/mini'
import { DAY_MS } from '#contract/base/time.ts'
import {
  ask,
  goToPayment,
  mailedCode,
  payWith,
  signedInPatient,
  stepTitle,
} from './harness/booking.ts'
import {
  checkScreen,
  enterDemo,
  expect,
  ownSiteTest,
  test,
  waitForResults,
} from './harness/fixtures.ts'

const meeting = (page: Page) => page.getByRole('group', { name: 'How would you like to be seen?' })
const join = (page: Page) => page.getByRole('button', { name: /^Join video visit with/ })

test('a video visit is booked from a search, and the account shows when to join @once', async ({
  page,
}) => {
  const email = await signedInPatient(page)
  await page.goto('/results?postcode=SE1+6ET&mode=video&page=2')
  await waitForResults(page)
  const list = page.getByRole('list', { name: 'Results' })
  await list
    .getByRole('link', { name: /^\d\d:\d\d, / })
    .last()
    .click()
  await page.getByRole('link', { name: /^Continue with / }).click()
  await expect(page).toHaveURL(/mode=video/)
  await expect(stepTitle(page)).toHaveText('Appointment Info')
  const byVideo = meeting(page).getByRole('radio', { name: /^Video visit/ })
  // Some providers offer video only, without a choice.
  if (await byVideo.isVisible()) await expect(byVideo).toBeChecked()
  await goToPayment(page, email)
  await page.getByRole('button', { name: /^Pay £.* by card$/ }).click()
  await payWith(page, '4242 4242 4242 4242')
  await expect(stepTitle(page)).toHaveText('Booking complete')
  await expect(
    page.getByText('Join from your visits, from 15 minutes before it begins.').first(),
  ).toBeVisible()
  await checkScreen(page)
  await page.goto('/userProfile')
  await expect(
    page.getByText(/^You can join here from \w{3} \d+ \w{3}, \d\d:\d\d\.$/),
  ).toBeVisible()
  await expect(join(page)).toBeHidden()
  expect(await mailedCode(page, email)).toMatch(/^\d{6}$/)
})

test('in the USA the state is required, and one without a licence is refused @once', async ({
  page,
}) => {
  await signedInPatient(page)
  await page.goto('/results?selectedRegion=usa&postcode=78704&mode=video')
  await waitForResults(page)
  const list = page.getByRole('list', { name: 'Results' })
  await list
    .getByRole('link', { name: /^\d{1,2}:\d\d [ap]m, / })
    .last()
    .click()
  await page.getByRole('link', { name: /^Continue with / }).click()
  await expect(stepTitle(page)).toHaveText('Appointment Info')
  const state = page.getByRole('combobox', { name: 'Which state will you be in during the visit?' })
  const next = page.getByRole('button', { name: 'Next', exact: true })
  await next.click()
  await expect(state).toBeFocused()
  await expect(
    page.getByText('Choose the state you’ll be in during the video visit.'),
  ).toBeVisible()
  await checkScreen(page)
  await state.selectOption('Ohio')
  await expect(page.getByText(/^This provider isn’t licensed in that state\./)).toBeVisible()
  await next.click()
  await expect(stepTitle(page)).toHaveText('Appointment Info')
  await state.selectOption('Texas')
  await next.click()
  await expect(stepTitle(page)).toHaveText('Purpose of your visit')
})

const Week = z.object({
  visits: z.array(z.object({ id: z.string(), mode: z.string(), startsAt: z.string() })),
})

/**
 * Opens the visit by video nearest to now as its provider. About midnight it is one of the day before or after, and not
 * among today's.
 */
async function openNearestVideoVisit(page: Page): Promise<void> {
  const now = Date.now()
  const from = new Date(now - DAY_MS).toISOString().slice(0, 10)
  const { visits } = Week.parse(await ask(page, 'booking.week', { from, days: 3 }))
  const awayMs = ({ startsAt }: { startsAt: string }) => Math.abs(Date.parse(startsAt) - now)
  const nearest = visits
    .filter(({ mode }) => mode === 'video')
    .toSorted((one, other) => awayMs(one) - awayMs(other))[0]
  if (nearest === undefined) throw new Error('There is no visit by video.')
  await page.goto(`/doctor/visits/${nearest.id}`)
}

// A new demo has a video visit that can be joined for an hour.

ownSiteTest(
  'both join a video visit when it is time, and get to the same room @once',
  async ({ page, secondPage }) => {
    await enterDemo(page, 'patient', '/userProfile')
    await expect(join(page)).toBeVisible()
    await expect(page.getByText(/^Takes you to localhost/)).toBeVisible()
    await checkScreen(page)
    await join(page).focus()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(
      'You’ve joined the video visit',
    )
    const room = page.url()

    await enterDemo(secondPage, 'provider')
    await openNearestVideoVisit(secondPage)
    await expect(join(secondPage)).toBeVisible()
    await checkScreen(secondPage)
    await join(secondPage).click()
    await expect(secondPage).toHaveURL(room)
  },
)
