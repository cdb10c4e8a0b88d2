import { afterEach, expect, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { type Backend, test } from '#tests/harness/spa/spa-bridge.ts'
import { openSignedIn } from '#tests/harness/spa/spa-page.tsx'
import { advancePageClock } from '#tests/spa/checkout.ts'
import { delayRequests, failProcedure } from '#tests/spa/fake-network.ts'

const HOUR = 3_600_000
const START = Date.parse('2026-03-05T09:00:00Z')
const iso = (at: number) => new Date(at).toISOString()

afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

const cancelButton = () => page.getByRole('button', { name: /^Cancel visit with/ })
const cancelDialog = () => page.getByRole('dialog', { name: 'Cancel this visit?' })

test('cancelled in time: all of it comes back, and the list says so', async ({ testApp }) => {
  const provider = await testApp.addProvider({ slots: [START] })
  const account = await testApp.addAccount()
  const startsAt = new Date(START).toISOString()
  await testApp.bookVisit({ providerId: provider.id, startsAt, account })
  await openSignedIn(account, '/userProfile')
  await cancelButton().click()
  await expect.element(cancelDialog().getByText('You get £60.00 back to your card')).toBeVisible()
  await expect
    .element(cancelDialog().getByText('Cancellation is free until Wed 4 Mar, 09:00.'))
    .toBeVisible()
  await cancelDialog().getByRole('button', { name: 'Keep visit' }).click()
  await expect.element(cancelDialog()).not.toBeInTheDocument()
  await cancelButton().click()
  await cancelDialog().getByRole('button', { name: 'Cancel visit' }).click()
  await expect.element(page.getByText('Your visit is cancelled.')).toBeVisible()
  await expect.element(page.getByText('Cancelled', { exact: true })).toBeVisible()
  await expect.element(cancelButton()).not.toBeInTheDocument()
  await expect.element(page.getByRole('heading', { name: 'Upcoming (1)' })).toHaveFocus()
})

test('cancelled late: what comes back and what is kept is said, and that the rest may follow', async ({
  testApp,
}) => {
  const provider = await testApp.addProvider({ slots: [START] })
  const account = await testApp.addAccount()
  const startsAt = new Date(START).toISOString()
  await testApp.bookVisit({ providerId: provider.id, startsAt, account })
  await testApp.advanceClock(50 * HOUR)
  await openSignedIn(account, '/userProfile')
  await cancelButton().click()
  await expect
    .element(cancelDialog().getByText('You get £30.00 of £60.00 back to your card'))
    .toBeVisible()
  await expect
    .element(
      cancelDialog().getByText(
        'Free cancellation ended on Wed 4 Mar, 09:00. Cancelling now costs £30.00. If someone else takes your time, you get the full fee back.',
      ),
    )
    .toBeVisible()
  await cancelDialog().getByRole('button', { name: 'Cancel visit' }).click()
  await expect
    .element(
      page.getByText(
        '£30.00 is kept because you cancelled late. If someone else takes your time, you get the full fee back.',
      ),
    )
    .toBeVisible()
})

test('a refund that has changed meanwhile is reported, shown again, and can be confirmed', async ({
  testApp,
}) => {
  const provider = await testApp.addProvider({ slots: [START] })
  const account = await testApp.addAccount()
  const startsAt = new Date(START).toISOString()
  await testApp.bookVisit({ providerId: provider.id, startsAt, account })
  await testApp.advanceClock(47 * HOUR)
  await openSignedIn(account, '/userProfile')
  await cancelButton().click()
  await expect.element(cancelDialog().getByText('You get £60.00 back to your card')).toBeVisible()
  await testApp.advanceClock(2 * HOUR)
  await cancelDialog().getByRole('button', { name: 'Cancel visit' }).click()
  await expect.element(cancelDialog().getByText(/^Your refund has changed/)).toBeVisible()
  await expect
    .element(cancelDialog().getByText('You get £30.00 of £60.00 back to your card'))
    .toBeVisible()
  await cancelDialog().getByRole('button', { name: 'Cancel visit' }).click()
  await expect.element(page.getByText('Your visit is cancelled.')).toBeVisible()
})

test('an answer that is lost is no refusal: the visit is cancelled, and says so', async ({
  testApp,
}) => {
  const provider = await testApp.addProvider({ slots: [START] })
  const account = await testApp.addAccount()
  const startsAt = new Date(START).toISOString()
  await testApp.bookVisit({ providerId: provider.id, startsAt, account })
  await openSignedIn(account, '/userProfile')
  await cancelButton().click()
  await expect.element(cancelDialog().getByText('You get £60.00 back to your card')).toBeVisible()
  failProcedure('visits.cancel', 'internal')
  await cancelDialog().getByRole('button', { name: 'Cancel visit' }).click()
  await expect.element(page.getByText('Cancelled', { exact: true })).toBeVisible()
  await expect.element(cancelDialog()).not.toBeInTheDocument()
})

test('while it is being cancelled nothing says that it is kept', async ({ testApp }) => {
  const provider = await testApp.addProvider({ slots: [START] })
  const account = await testApp.addAccount()
  await testApp.bookVisit({ providerId: provider.id, startsAt: iso(START), account })
  await openSignedIn(account, '/userProfile')
  await cancelButton().click()
  const send = delayRequests('visits.cancel?')
  const cancel = cancelDialog().getByRole('button', { name: 'Cancel visit' })
  await cancel.click()
  await expect.element(cancel).toHaveAttribute('aria-busy', 'true')
  await expect.element(cancelDialog().getByRole('button', { name: 'Keep visit' })).toBeDisabled()
  const close = cancelDialog().getByRole('button', { name: 'Close' })
  await expect.element(close).toHaveAttribute('aria-disabled', 'true')
  await close.click({ force: true })
  await userEvent.keyboard('{Escape}')
  await expect.element(cancelDialog()).toBeVisible()
  send()
  await expect.element(page.getByText('Your visit is cancelled.')).toBeVisible()
  await expect.element(cancelDialog()).not.toBeInTheDocument()
})

test('a visit that began meanwhile can’t be cancelled, and after that has been said it isn’t offered again', async ({
  testApp,
}) => {
  const soon = Date.parse('2026-03-02T09:10:00Z')
  const provider = await testApp.addProvider({ slots: [soon] })
  const account = await testApp.addAccount()
  await testApp.bookVisit({ providerId: provider.id, startsAt: iso(soon), account })
  await openSignedIn(account, '/userProfile')
  await expect.element(cancelButton()).toBeVisible()
  await testApp.advanceClock(HOUR / 4)
  advancePageClock(HOUR / 4)
  await cancelButton().click()
  await expect.element(cancelDialog().getByText('This visit can’t be cancelled')).toBeVisible()
  await cancelDialog().getByRole('button', { name: 'Keep visit' }).click()
  await expect.element(cancelButton()).not.toBeInTheDocument()
})

const moveButton = () => page.getByRole('button', { name: /^Move visit with/ })
const moveDialog = () => page.getByRole('dialog', { name: 'Move this visit' })
const time = (name: string) => moveDialog().getByRole('button', { name })

/** A visit on Thursday at nine, and free times at ten and eleven. */
async function openVisit(testApp: Backend, free = [START + HOUR, START + 2 * HOUR]) {
  const provider = await testApp.addProvider({ slots: [START, ...free] })
  const account = await testApp.addAccount()
  await testApp.bookVisit({ providerId: provider.id, startsAt: iso(START), account })
  await openSignedIn(account, '/userProfile')
  await moveButton().click()
  return { provider, account }
}

async function choose(name: string, next: string | RegExp = /^Continue with Thu 5 Mar/) {
  // If a time is gone, the nearest times are above those of the day.
  await time(name).first().click()
  await moveDialog().getByRole('button', { name: next }).click()
}

test('moved to another time: both are shown first, nothing is paid, and the account says where it was', async ({
  testApp,
}) => {
  await openVisit(testApp)
  await expect
    .element(
      moveDialog().getByRole('heading', { name: 'Thursday 5 March, 09:00 – choose a new time' }),
    )
    .toBeVisible()
  await expect
    .element(moveDialog().getByText(/You can move this visit 3 more times\.$/))
    .toBeVisible()
  await choose('10:00, Thursday 5 March')
  const title = moveDialog().getByRole('heading', { name: /^Move your visit with/ })
  await expect.element(title).toHaveFocus()
  await expect.element(moveDialog().getByText('Thursday 5 March, 10:00')).toBeVisible()
  await expect
    .element(moveDialog().getByText('Nothing to pay: your fee stays the same.'))
    .toBeVisible()
  await expect
    .element(moveDialog().getByText('After this, you can move it 2 more times.'))
    .toBeVisible()
  await expect
    .element(moveDialog().getByText('Free cancellation until Wed 4 Mar, 10:00.'))
    .toBeVisible()
  await moveDialog().getByRole('button', { name: 'Move visit' }).click()
  await expect.element(page.getByText('Your visit is moved to Thu 5 Mar, 10:00.')).toBeVisible()
  await expect.element(moveDialog()).not.toBeInTheDocument()
  await expect.element(page.getByText(/^10:00 to 10:30/)).toBeVisible()
  await page.getByText(/^Details of/).click()
  await expect.element(page.getByText(/^Thu 5 Mar, 09:00 to Thu 5 Mar, 10:00/)).toBeVisible()
  await moveButton().click()
  await expect
    .element(moveDialog().getByText(/You can move this visit 2 more times\.$/))
    .toBeVisible()
})

const VIDEO = {
  offers_in_person: 0,
  offers_video: 1,
  video_link: 'https://video.example/r',
} as const

test('a video visit that was moved says from when it can be joined at its new time', async ({
  testApp,
}) => {
  const provider = await testApp.addProvider({ slots: [START, START + HOUR], ...VIDEO })
  const account = await testApp.addAccount()
  await testApp.bookVisit({ providerId: provider.id, startsAt: iso(START), account })
  await openSignedIn(account, '/userProfile')
  await expect.element(page.getByText('You can join here from Thu 5 Mar, 08:45.')).toBeVisible()
  await moveButton().click()
  await choose('10:00, Thursday 5 March')
  await moveDialog().getByRole('button', { name: 'Move visit' }).click()
  await expect.element(page.getByText('You can join here from Thu 5 Mar, 09:45.')).toBeVisible()
})

test('where the button to join a video visit does not load, it can be asked for again', async ({
  testApp,
}) => {
  const provider = await testApp.addProvider({ slots: [START], ...VIDEO })
  const account = await testApp.addAccount()
  await testApp.bookVisit({ providerId: provider.id, startsAt: iso(START), account })
  const failing = failProcedure('visits.video', 'internal')
  await openSignedIn(account, '/userProfile')
  await expect.element(page.getByText('The button to join didn’t load')).toBeVisible()
  failing.mockRestore()
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect.element(page.getByText('You can join here from Thu 5 Mar, 08:45.')).toBeVisible()
})

test('a time that somebody else has just taken is said in the dialog, with others to choose', async ({
  testApp,
}) => {
  const { provider } = await openVisit(testApp)
  await choose('10:00, Thursday 5 March')
  await expect
    .element(moveDialog().getByText('Nothing to pay: your fee stays the same.'))
    .toBeVisible()
  const stranger = await testApp.addAccount()
  await testApp.bookVisit({
    providerId: provider.id,
    startsAt: iso(START + HOUR),
    account: stranger,
  })
  await moveDialog().getByRole('button', { name: 'Move visit' }).click()
  await expect.element(moveDialog().getByText('Oops! This slot is already booked.')).toBeVisible()
  await expect.element(time('10:00, Thursday 5 March')).not.toBeInTheDocument()
  await choose('11:00, Thursday 5 March')
  await moveDialog().getByRole('button', { name: 'Move visit' }).click()
  await expect.element(page.getByText('Your visit is moved to Thu 5 Mar, 11:00.')).toBeVisible()
})

test('of two times that clocks show alike, each says which it is, and the one chosen is taken', async ({
  testApp,
}) => {
  const both = ['2026-10-25T00:30:00Z', '2026-10-25T01:30:00Z'].map((at) => Date.parse(at))
  await openVisit(testApp, both)
  await expect.element(time('01:30 BST, Sunday 25 October')).toBeVisible()
  await choose('01:30 GMT, Sunday 25 October', 'Continue with Sun 25 Oct, 01:30 GMT')
  await expect
    .element(moveDialog().getByText('Sunday 25 October, 01:30 GMT', { exact: true }))
    .toBeVisible()
  await moveDialog().getByRole('button', { name: 'Move visit' }).click()
  await expect
    .element(page.getByText('Your visit is moved to Sun 25 Oct, 01:30 GMT.'))
    .toBeVisible()
})

test('an answer that is lost is no refusal: the dialog shows the time the visit has', async ({
  testApp,
}) => {
  await openVisit(testApp)
  await choose('10:00, Thursday 5 March')
  failProcedure('visits.move', 'internal')
  await moveDialog().getByRole('button', { name: 'Move visit' }).click()
  await expect.element(page.getByText(/^10:00 to 10:30/)).toBeInTheDocument()
})

test('with the keyboard alone, back and forth, and Escape leaves it as it was', async ({
  testApp,
}) => {
  await openVisit(testApp)
  await expect.element(time('11:00, Thursday 5 March')).toBeVisible()
  time('11:00, Thursday 5 March').element().focus()
  await userEvent.keyboard('{Enter}')
  const next = moveDialog().getByRole('button', { name: /^Continue with/ })
  next.element().focus()
  await userEvent.keyboard('{Enter}')
  const back = moveDialog().getByRole('button', { name: 'Choose another time' })
  back.element().focus()
  await userEvent.keyboard('{Enter}')
  await expect
    .element(moveDialog().getByRole('heading', { name: /choose a new time$/ }))
    .toHaveFocus()
  await userEvent.keyboard('{Escape}')
  await expect.element(moveDialog()).not.toBeInTheDocument()
  await expect.element(moveButton()).toHaveFocus()
})

test('where no time suits, the visit can be kept or cancelled from there', async ({ testApp }) => {
  await openVisit(testApp, [])
  await expect.element(moveDialog().getByText(/has no other times at the moment/)).toBeVisible()
  await moveDialog().getByRole('button', { name: 'Cancel visit' }).click()
  await expect
    .element(page.getByRole('dialog', { name: 'Cancel this visit?' }).getByText(/^You get £60.00/))
    .toBeVisible()
  await page.getByRole('button', { name: 'Keep visit' }).click()
  await expect.element(moveButton()).toBeVisible()
})
