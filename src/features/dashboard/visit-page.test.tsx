import { afterEach, expect, vi } from 'vitest'
import { page } from 'vitest/browser'
import { type Backend, test } from '#tests/harness/spa/spa-bridge.ts'
import { openSignedIn } from '#tests/harness/spa/spa-page.tsx'
import { openDashboard } from '#tests/spa/dashboard.ts'
import { failRequests } from '#tests/spa/fake-network.ts'
import { openStaff } from '#tests/spa/staff.ts'

afterEach(() => vi.restoreAllMocks())

const part = (name: string) => page.getByRole('region', { name })
const dialog = page.getByRole('dialog')
const press = (name: string | RegExp) => page.getByRole('button', { name }).click()
const twoVisits = [
  { startsAt: '2026-03-02T14:30:00Z' },
  { startsAt: '2025-11-04T10:00:00Z', isFollowUp: true },
]

test('a visit of today opens from the day: who, how to reach them, what else they had', async ({
  testApp,
}) => {
  const { router } = await openDashboard(testApp, '/dochome', { visits: twoVisits })
  await part('Today').getByRole('link', { name: 'Maya Ellis' }).click()
  await expect.poll(() => router.state.location.pathname).toMatch(/^\/doctor\/visits\/apt_/)
  await expect.element(page.getByRole('heading', { level: 1, name: 'Maya Ellis' })).toBeVisible()
  await expect
    .element(part('Visit'))
    .toMatchTextContent(/Monday 2 March 2026.*14:30 to 15:00.*First visit.*£60\.00 by card/)
  const patient = part('Patient')
  await expect
    .element(patient.getByRole('link', { name: '020 7946 0123' }))
    .toHaveAttribute('href', 'tel:02079460123')
  await expect
    .element(patient.getByRole('link', { name: /@mail\.example$/ }))
    .toHaveAttribute('href', expect.stringMatching(/^mailto:/))
  await expect.element(patient).toMatchTextContent('Age37 years')
  expect(document.body.textContent).not.toContain('A cough')
  await part('Visit').getByRole('button', { name: 'Show purpose of Maya Ellis' }).click()
  await expect.element(part('Visit')).toMatchTextContent('A cough that will not go away')
  await part('Other visits with you').getByRole('link', { name: 'Tuesday 4 November 2025' }).click()
  await expect.element(part('Visit')).toMatchTextContent(/Follow-upSays they have seen you before/)
  await expect.element(page.getByText('Over', { exact: true })).toBeVisible()
})

test('a visit of the past opens from the history', async ({ testApp }) => {
  const { router } = await openDashboard(testApp, '/doctor/appointment-history', {
    visits: twoVisits.slice(1),
  })
  await page.getByRole('link', { name: 'Open 1, Maya Ellis, 04/11/2025' }).click()
  await expect.poll(() => router.state.location.pathname).toMatch(/^\/doctor\/visits\/apt_/)
  await expect.element(part('Patient')).toBeVisible()
})

test('the visit of somebody else is not found, and the page leads back', async ({ testApp }) => {
  await openDashboard(testApp, `/doctor/visits/apt_${'0'.repeat(26)}`)
  await expect.element(page.getByText('This visit didn’t load')).toBeVisible()
  await expect
    .element(page.getByRole('link', { name: 'Back to Booked History' }))
    .toHaveAttribute('href', '/doctor/appointment-history')
})

/** Starts now: the test clock is at nine. */
const NOW = { startsAt: '2026-03-02T09:00:00Z' }
const OVER = { startsAt: '2026-03-02T08:00:00Z' }
const LATER = { startsAt: '2026-03-02T15:00:00Z' }

test('a visit is marked in one tap on the list of the day, and taken back', async ({ testApp }) => {
  await openDashboard(testApp, '/dochome', { visits: [NOW, LATER] })
  const today = part('Today')
  await expect.element(today.getByText('Nobody marked yet')).toBeVisible()
  expect(today.getByRole('button', { name: /^Arrived/ }).elements()).toHaveLength(1)
  await press(/^Arrived/)
  await expect.element(today.getByText('Arrived 09:00')).toBeVisible()
  await expect.element(today.getByText('1 arrived')).toBeVisible()
  // The button that was pressed is gone, and the next one has the focus.
  await expect.element(today.getByRole('button', { name: /^Completed/ })).toHaveFocus()
  await press(/^Completed.*Maya Ellis/)
  await expect.element(today.getByText('1 completed')).toBeVisible()
  await press(/^Undo/)
  await expect.element(today.getByText('Nobody marked yet')).toBeVisible()
})

test('what did not take place is asked about with its amount, and then refunded', async ({
  testApp,
}) => {
  await openDashboard(testApp, '/dochome', { visits: [OVER] })
  await page.getByRole('link', { name: 'Maya Ellis' }).click()
  const outcome = part('Outcome')
  await expect.element(outcome.getByText(/counts as completed 48 hours/)).toBeVisible()
  await press('It didn’t take place')
  await expect.element(dialog.getByText(/They get £60\.00 back/)).toBeVisible()
  await dialog.getByRole('button', { name: 'Refund £60.00' }).click()
  await expect.element(outcome.getByText(/didn’t take place, and the patient/)).toBeVisible()
  await expect.element(page.getByText('It didn’t take place')).not.toBeInTheDocument()
})

test('the day sheet has everybody of the day and prints', async ({ testApp }) => {
  await openDashboard(testApp, '/dochome', { visits: [NOW, LATER] })
  const print = vi.spyOn(window, 'print').mockReturnValue()
  await page.getByRole('link', { name: 'Print day sheet' }).click()
  const rows = page.getByRole('row')
  await expect.poll(() => rows.elements().length).toBe(3)
  await expect.element(rows.nth(1).getByRole('cell', { name: /Maya Ellis/ })).toBeVisible()
  expect(document.body.textContent).not.toContain('cough')
  await press('Print')
  expect(print).toHaveBeenCalledOnce()
})

const missed = async (testApp: Backend, contested?: string) => {
  const provider = await testApp.addProvider({})
  const patient = await testApp.addAccount({ first_name: 'Maya', last_name: 'Ellis' })
  const visit = { ...OVER, patientNo: patient.no, isMissed: true }
  const visits = [{ ...visit, ...(contested !== undefined && { contested }) }]
  await testApp.insertVisits({ provider, visits })
  return patient
}

test('who was marked as absent says otherwise, in their own words', async ({ testApp }) => {
  await openSignedIn(await missed(testApp), '/userProfile?section=visits')
  // Marked at nine, a week before.
  await expect
    .element(part('Past visits'))
    .toMatchTextContent(/If that’s wrong, tell us by Monday 9 March 2026, 09:00\./)
  await press(/^That’s not right/)
  await dialog.getByRole('radio', { name: 'I was there' }).click()
  await dialog.getByRole('button', { name: 'Send' }).click()
  const words = dialog.getByRole('textbox', { name: 'In your own words' })
  await expect.element(words).toHaveAccessibleDescription(/Tell us what happened\./)
  await words.fill('I sat in the waiting room all morning.')
  await dialog.getByRole('button', { name: 'Send' }).click()
  await expect
    .element(part('Past visits').getByText(/We’ll email you our decision\./))
    .toBeVisible()
  await expect
    .element(page.getByRole('button', { name: /^That’s not right/ }))
    .not.toBeInTheDocument()
})

test('staff read what is contested and decide with a reason', async ({ testApp }) => {
  await missed(testApp, 'I sat in the waiting room all morning.')
  await openStaff(testApp, 'admin', '/admin-home/claims')
  await expect.element(page.getByText('I sat in the waiting room all morning.')).toBeVisible()
  await press(/^Decide about/)
  await expect.element(page.getByRole('radio', { name: /^The patient was there/ })).toHaveFocus()
  await press('Cancel')
  await expect.element(page.getByRole('button', { name: /^Decide about/ })).toHaveFocus()
  await press(/^Decide about/)
  await page.getByRole('textbox', { name: 'Why' }).fill('The desk confirms it.')
  await page.getByRole('button', { name: 'Decide', exact: true }).click()
  // It moves money: nothing is chosen for them.
  await expect
    .element(page.getByRole('group', { name: 'What happened?' }))
    .toHaveAccessibleDescription('Choose what happened.')
  for (const choice of page.getByRole('radio').elements()) expect(choice).not.toBeChecked()
  await page.getByRole('link', { name: 'Choose what happened.' }).click()
  await expect.element(page.getByRole('radio', { name: /^The patient was there/ })).toHaveFocus()
  await page.getByText('The patient was there').click()
  await page.getByRole('button', { name: 'Decide', exact: true }).click()
  await expect.element(page.getByText('Nothing to decide')).toBeVisible()
  await expect.element(page.getByRole('heading', { name: 'Contested visits' })).toHaveFocus()
})

test('of a contested video visit staff read who joined it and when', async ({ testApp }) => {
  const provider = await testApp.addProvider()
  const { no: patientNo } = await testApp.addAccount()
  const start = Date.parse('2026-03-02T08:00:00Z')
  const visit = {
    patientNo,
    startsAt: new Date(start).toISOString(),
    mode: 'video' as const,
    isMissed: true,
    contested: 'I waited in the room.',
    joins: [{ by: 'patient' as const, at: start - 60_000 }],
  }
  await testApp.insertVisits({ provider, visits: [visit] })
  await openStaff(testApp, 'admin', '/admin-home/claims')
  await expect.element(page.getByRole('heading', { name: 'Joined the video visit' })).toBeVisible()
  await expect.element(page.getByText('The patient at 07:59')).toBeVisible()
})

test('a provider answers what a patient contests, once, and does not read their words', async ({
  testApp,
}) => {
  const contested = 'I sat in the waiting room all morning.'
  await openDashboard(testApp, '/doctor/appointment-history', {
    visits: [{ ...OVER, isMissed: true, contested }],
  })
  await page.getByRole('link', { name: /^Open 1, Maya Ellis/ }).click()
  await expect.element(page.getByText('The patient contests this')).toBeVisible()
  expect(document.body.textContent).not.toContain(contested)
  await press('Send answer')
  const answer = page.getByRole('textbox', { name: 'Your answer' })
  await expect.element(answer).toHaveAccessibleDescription(/Tell us your side\./)
  await expect
    .element(answer)
    .toHaveAccessibleDescription(/Once, until Saturday 7 March 2026, 09:00\./)
  await answer.fill('We called the name twice.')
  await press('Send answer')
  await expect.element(page.getByText('We called the name twice.')).toBeVisible()
  await expect.element(answer).not.toBeInTheDocument()
})

test('what the patient contests does not vanish when it cannot be had', async ({ testApp }) => {
  const cut = failRequests('outcomes.claimOf')
  await openDashboard(testApp, '/doctor/appointment-history', {
    visits: [{ ...OVER, isMissed: true, contested: 'I was there.' }],
  })
  await page.getByRole('link', { name: /^Open 1, Maya Ellis/ }).click()
  const alert = part('Outcome').getByRole('alert')
  await expect
    .element(alert)
    .toMatchTextContent(/We couldn’t check whether the patient contests this.*You’re offline\./)
  cut.mockRestore()
  await alert.getByRole('button', { name: 'Try again' }).click()
  await expect.element(page.getByText('The patient contests this')).toBeVisible()
})
