import { afterEach, expect, vi } from 'vitest'
import { page } from 'vitest/browser'
import { writeCookie } from '#app/lib/storage.ts'
import { type Backend, test } from '#tests/harness/spa/spa-bridge.ts'
import { openPage, openSignedIn } from '#tests/harness/spa/spa-page.tsx'
import { failProcedure } from '#tests/spa/fake-network.ts'

afterEach(() => vi.restoreAllMocks())

const HOUR = 3_600_000
const START = Date.parse('2026-03-05T09:00:00Z')
const iso = (at: number) => new Date(at).toISOString()

const dialog = () => page.getByRole('dialog', { name: 'Propose times' })
const visitHeading = (time: string) =>
  page.getByRole('heading', { name: `Thursday 5 March ${time}` })
const proposalRegion = () => page.getByRole('region', { name: /has proposed other times$/ })

/** A visit on Thursday at nine, free times at ten, eleven and twelve; its provider proposes two of them. */
async function propose(testApp: Backend) {
  const slots = [START, START + HOUR, START + 2 * HOUR, START + 3 * HOUR]
  const provider = await testApp.addProvider({ slots })
  const account = await testApp.addAccount({ first_name: 'Maya', last_name: 'Ellis' })
  const id = await testApp.bookVisit({ providerId: provider.id, startsAt: iso(START), account })
  const { no: provider_no, email } = provider
  const owner = await testApp.addAccount({ kind: 'provider', email, provider_no })
  const { screen } = await openSignedIn(owner, `/doctor/visits/${id}`)
  await page.getByRole('button', { name: 'Propose times' }).click()
  for (const time of ['10:00', '11:00']) {
    await dialog()
      .getByRole('button', { name: `${time}, Thursday 5 March` })
      .first()
      .click()
    await dialog()
      .getByRole('button', { name: /^Add Thu 5 Mar/ })
      .click()
  }
  await expect.element(dialog().getByText('Times to propose (2 of 3)')).toBeVisible()
  await expect.element(dialog().getByText('These times won’t be held')).toBeVisible()
  await dialog()
    .getByRole('textbox', { name: /^Message to the patient/ })
    .fill('We close early.')
  await dialog().getByRole('button', { name: 'Send to the patient' }).click()
  await expect.element(page.getByText('We’ve sent the times to the patient.')).toBeVisible()
  await expect.element(page.getByText(/^Not answered yet/)).toBeVisible()
  await signOut(testApp, screen)
  return { provider, account, owner, id }
}

/** Ends the session: the next user is someone else. */
async function signOut(testApp: Backend, screen: { unmount: () => Promise<void> }) {
  await screen.unmount()
  for (const name of ['access_token', 'refresh_token']) await testApp.expireCookie(name)
  writeCookie('user_id', '', 0)
}

test('a provider proposes two times, and the patient chooses one without spending a move', async ({
  testApp,
}) => {
  const { account } = await propose(testApp)
  await openSignedIn(account, '/userProfile')
  await expect.element(proposalRegion().getByText('“We close early.”')).toBeVisible()
  await expect.element(proposalRegion().getByText(/^These times aren’t held for you/)).toBeVisible()
  await proposalRegion().getByRole('button', { name: 'Thursday 5 March, 11:00' }).click()
  const moving = page.getByRole('dialog', { name: 'Move this visit' })
  await expect.element(moving.getByText(/doesn’t count as one of your moves\.$/)).toBeVisible()
  await expect.element(moving.getByText('Free cancellation until the visit begins.')).toBeVisible()
  await moving.getByRole('button', { name: 'Move visit' }).click()
  await expect.element(page.getByText('Your visit is moved to Thu 5 Mar, 11:00.')).toBeVisible()
  await expect.element(proposalRegion()).not.toBeInTheDocument()
  await expect.element(visitHeading('11:00')).toHaveFocus()
  await page.getByRole('button', { name: /^Move visit with/ }).click()
  await expect.element(page.getByText(/You can move this visit 3 more times\.$/)).toBeVisible()
})

test('a time that is gone is said, and the patient keeps theirs', async ({ testApp }) => {
  const { account, provider, owner, id } = await propose(testApp)
  const { screen } = await openSignedIn(account, '/userProfile')
  await proposalRegion().getByRole('button', { name: 'Thursday 5 March, 10:00' }).click()
  const moving = page.getByRole('dialog', { name: 'Move this visit' })
  await expect.element(moving.getByText(/doesn’t count as one of your moves\.$/)).toBeVisible()
  const stranger = await testApp.addAccount()
  const startsAt = iso(START + HOUR)
  await testApp.bookVisit({ providerId: provider.id, startsAt, account: stranger })
  await moving.getByRole('button', { name: 'Move visit' }).click()
  await expect
    .element(proposalRegion().getByText('Oops! This slot is already booked.'))
    .toBeVisible()
  const gone = proposalRegion().getByRole('button', { name: 'Thursday 5 March, 10:00' })
  await expect.element(gone).not.toBeInTheDocument()
  await proposalRegion().getByRole('button', { name: 'Keep my time' }).click()
  await expect.element(page.getByText('Your visit stays at its time.')).toBeVisible()
  await expect.element(proposalRegion()).not.toBeInTheDocument()
  await expect.element(visitHeading('09:00')).toHaveFocus()
  await expect.element(page.getByText(/^09:00 to 09:30/)).toBeVisible()
  await signOut(testApp, screen)
  await openSignedIn(owner, `/doctor/visits/${id}`)
  await expect
    .element(page.getByText(/^Mon 2 Mar, 09:\d\d: the patient kept the time$/))
    .toBeVisible()
})

test('an answer that is lost is no refusal: the time is kept, and the question is gone', async ({
  testApp,
}) => {
  const { account } = await propose(testApp)
  await openSignedIn(account, '/userProfile')
  await expect.element(proposalRegion()).toBeVisible()
  failProcedure('visits.keepTime', 'internal')
  await proposalRegion().getByRole('button', { name: 'Keep my time' }).click()
  await expect.element(proposalRegion()).not.toBeInTheDocument()
})

/** The path of the link in the email about the proposed times. */
async function linkOf(testApp: Backend): Promise<string> {
  const mails = await testApp.readMails()
  const text =
    mails.findLast(({ subject }) => subject.includes('has proposed other times'))?.text ?? ''
  const [path = ''] = /\/visit\/apt_\w+\/[\w-]{43}/.exec(text) ?? []
  return path
}

test('by the link of the email one is taken without signing in, and without spending a move', async ({
  testApp,
}) => {
  await propose(testApp)
  await openPage(await linkOf(testApp))
  await expect.element(proposalRegion().getByText(/^These times aren’t held for you/)).toBeVisible()
  await expect.element(page.getByText('We close early.')).not.toBeInTheDocument()
  await proposalRegion().getByRole('button', { name: 'Thursday 5 March, 11:00' }).click()
  const moving = page.getByRole('dialog', { name: 'Move this visit' })
  await expect.element(moving.getByText(/doesn’t count as one of your moves\.$/)).toBeVisible()
  await moving.getByRole('button', { name: 'Move visit' }).click()
  await expect.element(page.getByText('Your visit is moved to Thu 5 Mar, 11:00.')).toBeVisible()
  await expect.element(proposalRegion()).not.toBeInTheDocument()
  await expect.element(page.getByText(/^11:00 to 11:30/)).toBeVisible()
  await expect.element(page.getByRole('heading', { name: 'Can’t come?' })).toHaveFocus()
  await page.getByRole('button', { name: /^Move visit with/ }).click()
  await expect.element(moving.getByText(/You can move this visit 3 more times\.$/)).toBeVisible()
})

test('by the link the time is kept, and the question is gone', async ({ testApp }) => {
  await propose(testApp)
  await openPage(await linkOf(testApp))
  await proposalRegion().getByRole('button', { name: 'Keep my time' }).click()
  await expect.element(page.getByText('Your visit stays at its time.')).toBeVisible()
  await expect.element(proposalRegion()).not.toBeInTheDocument()
  await expect.element(page.getByRole('heading', { name: 'Can’t come?' })).toHaveFocus()
  await expect.element(page.getByText(/^09:00 to 09:30/)).toBeVisible()
})
