import { afterEach, expect, vi } from 'vitest'
import { page } from 'vitest/browser'
import { type Backend, test } from '#tests/harness/spa/spa-bridge.ts'
import { openPage, openSignedIn } from '#tests/harness/spa/spa-page.tsx'
import { failProcedure } from '#tests/spa/fake-network.ts'

const HOUR = 3_600_000
const START = Date.parse('2026-03-05T09:00:00Z')

afterEach(() => vi.restoreAllMocks())

const cancelButton = () => page.getByRole('button', { name: /^Cancel visit with/ })
const dialog = () => page.getByRole('dialog', { name: 'Cancel this visit?' })
const heading = () => page.getByRole('heading', { level: 1 })

/** A booked visit with the path of its confirmation's link, and other free times of its provider. */
async function booked(testApp: Backend, free: number[] = []) {
  const provider = await testApp.addProvider({ slots: [START, ...free] })
  const account = await testApp.addAccount()
  const startsAt = new Date(START).toISOString()
  await testApp.bookVisit({ providerId: provider.id, startsAt, account })
  const mails = await testApp.readMails()
  const told = mails.map(({ text }) => text).join('\n')
  const [path = ''] = /\/visit\/apt_\w+\/[\w-]{43}/.exec(told) ?? []
  return { provider, account, path }
}

test('without signing in the link shows when, with whom and where, and cancels in time', async ({
  testApp,
}) => {
  const { path } = await booked(testApp)
  await openPage(path)
  await expect.element(heading()).toHaveTextContent('Your visit')
  await expect.element(page.getByText('Dr Amara Okafor').first()).toBeVisible()
  await expect.element(page.getByText('Thursday 5 March', { exact: true })).toBeVisible()
  await expect.element(page.getByText('First visit')).toBeVisible()
  await expect
    .element(
      page.getByText(
        /^Free cancellation until Wed 4 Mar, 09:00. After that, cancelling costs £30.00 of £60.00./,
      ),
    )
    .toBeVisible()
  await expect.element(page.getByText(/cough/)).not.toBeInTheDocument()
  await expect
    .element(page.getByRole('link', { name: 'Sign in to see all your visits' }))
    .toBeVisible()
  await cancelButton().click()
  await expect.element(dialog().getByText('You get £60.00 back to your card')).toBeVisible()
  await dialog().getByRole('button', { name: 'Cancel visit' }).click()
  await expect.element(heading()).toHaveTextContent('This visit is cancelled')
  await expect.element(heading()).toHaveFocus()
  await expect
    .element(page.getByText(/^We’re refunding £60.00 in full to your card./))
    .toBeVisible()
  await expect.element(page.getByRole('link', { name: 'Book another time' })).toBeVisible()
  await expect
    .element(page.getByRole('button', { name: /^Add to calendar/ }))
    .not.toBeInTheDocument()
})

test('late, the page and the question say how much comes back', async ({ testApp }) => {
  const { path } = await booked(testApp)
  await testApp.advanceClock(50 * HOUR)
  await openPage(path)
  await expect.element(page.getByText(/^Cancelling costs £30.00 of £60.00./)).toBeVisible()
  await cancelButton().click()
  await expect
    .element(dialog().getByText('You get £30.00 of £60.00 back to your card'))
    .toBeVisible()
  await dialog().getByRole('button', { name: 'Cancel visit' }).click()
  await expect
    .element(page.getByText(/^We’re refunding £30.00 of £60.00 to your card./))
    .toBeVisible()
})

test('a refund that has changed meanwhile is shown again, and can be confirmed', async ({
  testApp,
}) => {
  const { path } = await booked(testApp)
  await testApp.advanceClock(47 * HOUR)
  await openPage(path)
  await cancelButton().click()
  await expect.element(dialog().getByText('You get £60.00 back to your card')).toBeVisible()
  await testApp.advanceClock(2 * HOUR)
  await dialog().getByRole('button', { name: 'Cancel visit' }).click()
  await expect.element(dialog().getByText(/^Your refund has changed/)).toBeVisible()
  await expect
    .element(dialog().getByText('You get £30.00 of £60.00 back to your card'))
    .toBeVisible()
})

test('an answer that is lost is no refusal: the visit is cancelled, and says so', async ({
  testApp,
}) => {
  const { path } = await booked(testApp)
  await openPage(path)
  await cancelButton().click()
  await expect.element(dialog().getByText('You get £60.00 back to your card')).toBeVisible()
  failProcedure('visits.cancelByLink', 'internal')
  await dialog().getByRole('button', { name: 'Cancel visit' }).click()
  await expect.element(heading()).toHaveTextContent('This visit is cancelled')
  await expect.element(dialog()).not.toBeInTheDocument()
})

const moveDialog = () => page.getByRole('dialog', { name: 'Move this visit' })
const moveButton = () => page.getByRole('button', { name: /^Move visit with/ })

async function chooseTime(name: string) {
  // If a time is gone, the nearest times are above those of the day.
  await moveDialog().getByRole('button', { name }).first().click()
  await moveDialog()
    .getByRole('button', { name: /^Continue with Thu 5 Mar/ })
    .click()
}

test('moved to another time without signing in: both are shown first, and the page has the new one', async ({
  testApp,
}) => {
  const { path } = await booked(testApp, [START + HOUR])
  await openPage(path)
  await moveButton().click()
  await expect
    .element(moveDialog().getByText(/You can move this visit 3 more times\.$/))
    .toBeVisible()
  await chooseTime('10:00, Thursday 5 March')
  await expect
    .element(moveDialog().getByRole('heading', { name: /^Move your visit with/ }))
    .toHaveFocus()
  await expect.element(moveDialog().getByText('Thursday 5 March, 10:00')).toBeVisible()
  await expect
    .element(moveDialog().getByText('Free cancellation until Wed 4 Mar, 10:00.'))
    .toBeVisible()
  await moveDialog().getByRole('button', { name: 'Move visit' }).click()
  await expect.element(page.getByText('Your visit is moved to Thu 5 Mar, 10:00.')).toBeVisible()
  await expect.element(moveDialog()).not.toBeInTheDocument()
  await expect.element(page.getByText(/^10:00 to 10:30/)).toBeVisible()
  await expect.element(page.getByText(/^Thu 5 Mar, 09:00 to Thu 5 Mar, 10:00/)).toBeVisible()
  await expect.element(moveButton()).toHaveFocus()
  await moveButton().click()
  await expect
    .element(moveDialog().getByText(/You can move this visit 2 more times\.$/))
    .toBeVisible()
})

test('a time that somebody else has just taken is said in the dialog', async ({ testApp }) => {
  const { provider, path } = await booked(testApp, [START + HOUR, START + 2 * HOUR])
  await openPage(path)
  await moveButton().click()
  await chooseTime('10:00, Thursday 5 March')
  await expect
    .element(moveDialog().getByText('Nothing to pay: your fee stays the same.'))
    .toBeVisible()
  const stranger = await testApp.addAccount()
  const startsAt = new Date(START + HOUR).toISOString()
  await testApp.bookVisit({ providerId: provider.id, startsAt, account: stranger })
  await moveDialog().getByRole('button', { name: 'Move visit' }).click()
  await expect.element(moveDialog().getByText('Oops! This slot is already booked.')).toBeVisible()
  await chooseTime('11:00, Thursday 5 March')
  await moveDialog().getByRole('button', { name: 'Move visit' }).click()
  await expect.element(page.getByText('Your visit is moved to Thu 5 Mar, 11:00.')).toBeVisible()
})

test('where no time suits, it can be cancelled from there; a move whose answer is lost is shown', async ({
  testApp,
}) => {
  const { path } = await booked(testApp, [START + HOUR])
  await openPage(path)
  await moveButton().click()
  await chooseTime('10:00, Thursday 5 March')
  await expect
    .element(moveDialog().getByText('Nothing to pay: your fee stays the same.'))
    .toBeVisible()
  failProcedure('visits.moveByLink', 'internal')
  await moveDialog().getByRole('button', { name: 'Move visit' }).click()
  await expect.element(page.getByText(/^10:00 to 10:30/)).toBeInTheDocument()
  await moveDialog().getByRole('button', { name: 'Choose another time' }).click()
  await moveDialog().getByRole('button', { name: 'Cancel visit' }).click()
  await expect.element(dialog().getByText('You get £60.00 back to your card')).toBeVisible()
})

test('once it has started it can no longer be changed; over, the link leads to the account', async ({
  testApp,
}) => {
  const { path } = await booked(testApp)
  await testApp.advanceClock(72 * HOUR)
  const first = await openPage(path)
  await expect.element(page.getByText('This visit has started')).toBeVisible()
  await expect.element(cancelButton()).not.toBeInTheDocument()
  await first.screen.unmount()
  await testApp.advanceClock(HOUR)
  await openPage(path)
  await expect
    .element(page.getByRole('heading', { name: 'This link doesn’t work any more' }))
    .toBeVisible()
  await expect
    .element(page.getByRole('main').getByRole('link', { name: 'Sign in' }))
    .toHaveAttribute('href', '/sign-in?next=%2FuserProfile')
})

test('a link that was made up says the same', async ({ testApp }) => {
  const { path } = await booked(testApp)
  await openPage(`${path.slice(0, -4)}AAAA`)
  await expect
    .element(page.getByRole('heading', { name: 'This link doesn’t work any more' }))
    .toBeVisible()
})

test('whoever is signed in as its patient is offered their account, anybody else is not', async ({
  testApp,
}) => {
  const { account, path } = await booked(testApp)
  const opened = await openSignedIn(account, '/userProfile')
  const [, , id = '', mac = ''] = path.split('/')
  await opened.router.navigate({ to: '/visit/$visitId/$mac', params: { visitId: id, mac } })
  await expect.element(page.getByRole('link', { name: 'Open in your account' })).toBeVisible()
})
