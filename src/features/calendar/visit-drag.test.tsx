import { afterEach, expect } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { makeApiClient } from '#app/trpc.ts'
import { type Backend, test } from '#tests/harness/spa/spa-bridge.ts'
import { openPage } from '#tests/harness/spa/spa-page.tsx'
import { openDashboard } from '#tests/spa/dashboard.ts'
import { loseResponse } from '#tests/spa/fake-network.ts'

afterEach(() => page.viewport(1280, 900))

const calendar = () => page.getByRole('region', { name: /^Calendar, / })
const day = (name: string) => calendar().getByRole('region', { name, exact: true })
const button = (name: string | RegExp) => calendar().getByRole('button', { name })
const dialog = () => page.getByRole('dialog', { name: 'Move this visit' })
const statusText = (text: string | RegExp) => page.getByRole('status').filter({ hasText: text })

/** Sets up a week from nine to five with a visit on Tuesday at half past two. */
async function openWeek(testApp: Backend) {
  await openDashboard(testApp, '/dochome', {
    overrides: { slots: [] },
    hasHours: true,
    booked: ['2026-03-03T14:30:00.000Z'],
  })
  await expect.element(button(/14:30 Maya Ellis/)).toBeVisible()
}

function startKeyboardMove(): Promise<void> {
  const element = button(/14:30 Maya Ellis/).element()
  if (element instanceof HTMLElement) element.focus()
  return userEvent.keyboard('m')
}

test('a visit is dragged to a free time, asked about, and stands there', async ({ testApp }) => {
  await openWeek(testApp)
  const free = button(/^Free on Wednesday 4 March, 13:30 to 17:00/)
  await userEvent.dragAndDrop(button(/14:30 Maya Ellis/), free)
  await expect.element(dialog().getByRole('heading', { name: 'Move this visit?' })).toBeVisible()
  await expect.element(dialog().getByText('Wednesday 4 March, 15:00')).toBeVisible()
  await expect.element(dialog().getByText('Agree the time with the patient first')).toBeVisible()
  await dialog().getByRole('button', { name: 'Move visit' }).click()
  await expect.element(day('Wednesday 4 March')).toMatchTextContent(/15:00 Maya Ellis/)
  await expect.element(button(/14:30 Maya Ellis/)).not.toBeInTheDocument()
  await expect.element(page.getByRole('dialog', { name: 'Visit' })).not.toBeInTheDocument()
})

test('keys carry a visit to the day beside, and another time can still be chosen', async ({
  testApp,
}) => {
  await openWeek(testApp)
  await startKeyboardMove()
  await expect
    .element(statusText(/^Maya Ellis picked up, Tuesday 3 March, 14:30/))
    .toBeInTheDocument()
  await userEvent.keyboard('{ArrowRight}{ArrowDown}')
  await expect.element(statusText('Wednesday 4 March, 15:00: Free')).toBeInTheDocument()
  await userEvent.keyboard('{Enter}')
  await expect.element(dialog().getByText('Wednesday 4 March, 15:00')).toBeVisible()
  await dialog().getByRole('button', { name: 'Choose another time' }).click()
  await expect
    .element(dialog().getByRole('button', { name: /^15:00, / }))
    .toHaveAttribute('aria-pressed', 'true')
})

test('a time that is not free says why and takes nothing; Escape puts the visit back', async ({
  testApp,
}) => {
  await openWeek(testApp)
  await startKeyboardMove()
  await userEvent.keyboard('{ArrowUp}{ArrowUp}{ArrowUp}')
  await expect.element(statusText('Tuesday 3 March, 13:00: Outside your hours')).toBeInTheDocument()
  await userEvent.keyboard('{Enter}')
  await expect.element(statusText(/^Not moved. Tuesday 3 March, 13:00/)).toBeInTheDocument()
  await expect.element(dialog()).not.toBeInTheDocument()
  await userEvent.keyboard('{ArrowDown}')
  await expect.element(statusText('Tuesday 3 March, 13:30: Free')).toBeInTheDocument()
  await userEvent.keyboard('{Escape}')
  await expect.element(statusText(/^Not moved$/)).toBeInTheDocument()
  await expect.element(button(/14:30 Maya Ellis/)).toHaveFocus()
})

test('a visit that was dragged to where it cannot be stays, and does not open', async ({
  testApp,
}) => {
  await openWeek(testApp)
  await userEvent.dragAndDrop(button(/14:30 Maya Ellis/), button('Wed 4 Mar'))
  await expect.element(page.getByText(/^Not moved\. Wednesday 4 March/).first()).toBeVisible()
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument()
})

/** Adds a walk-in on Wednesday at ten, without an email address. */
async function addWalkIn(): Promise<void> {
  await calendar().getByRole('button', { name: 'Add a visit', exact: true }).click()
  const form = page.getByRole('dialog', { name: 'Add a visit' })
  await form.getByRole('radio', { name: 'Walk-in' }).click()
  await form.getByLabelText('Patient’s name').fill('Sam Hill')
  await form.getByLabelText('Day').fill('2026-03-04')
  await form.getByLabelText('Time').fill('10:00')
  await form.getByRole('button', { name: 'Add visit' }).click()
  await expect.element(button(/10:00 Sam Hill/)).toBeVisible()
}

test('a visit put in at the desk is dragged too, with its own question', async ({ testApp }) => {
  await openWeek(testApp)
  await addWalkIn()
  const free = button(/^Free on Thursday 5 March, 13:30 to 17:00/)
  await userEvent.dragAndDrop(button(/10:00 Sam Hill/), free)
  await expect.element(dialog().getByRole('heading', { name: 'Move this visit?' })).toBeVisible()
  await expect.element(dialog()).toMatchTextContent('Nobody is emailed: tell the patient')
  await dialog().getByRole('button', { name: 'Move visit' }).click()
  await expect.element(day('Thursday 5 March')).toMatchTextContent(/1[45]:\d\d Sam Hill/)
  await expect.element(button(/10:00 Sam Hill/)).not.toBeInTheDocument()
})

test('keys carry a visit of the desk to a time that is not offered, but onto nobody', async ({
  testApp,
}) => {
  await openWeek(testApp)
  await addWalkIn()
  const element = button(/10:00 Sam Hill/).element()
  if (element instanceof HTMLElement) element.focus()
  await userEvent.keyboard('m{ArrowLeft}')
  for (let step = 0; step < 9; step += 1) await userEvent.keyboard('{ArrowDown}')
  await expect.element(statusText('Tuesday 3 March, 14:30: Booked: Maya Ellis')).toBeInTheDocument()
  await userEvent.keyboard('{Enter}')
  await expect.element(dialog()).not.toBeInTheDocument()
  for (let step = 0; step < 3; step += 1) await userEvent.keyboard('{ArrowUp}')
  await expect
    .element(
      statusText('Tuesday 3 March, 13:00: Not offered (Outside your hours), but nobody is booked'),
    )
    .toBeInTheDocument()
  await userEvent.keyboard('{Enter}')
  await expect.element(dialog().getByText('Tuesday 3 March, 13:00')).toBeVisible()
  await dialog().getByRole('button', { name: 'Choose another time' }).click()
  await dialog().getByRole('button', { name: 'Choose any other time' }).click()
  await expect.element(dialog().getByLabelText('Day')).toHaveValue('2026-03-04')
  await dialog().getByRole('button', { name: 'Back to your free times' }).click()
  await userEvent.keyboard('{Escape}')
  await expect.element(button(/10:00 Sam Hill/)).toBeVisible()
})

test('where free times are not known only visits of the desk can be moved', async ({ testApp }) => {
  await openWeek(testApp)
  await addWalkIn()
  const lost = loseResponse('availability.freeTimes')
  await startKeyboardMove()
  await expect.element(page.getByText(/^Not moved\. /).first()).toBeVisible()
  const element = button(/10:00 Sam Hill/).element()
  if (element instanceof HTMLElement) element.focus()
  await userEvent.keyboard('m{ArrowRight}{Enter}')
  await expect.element(dialog().getByText('Thursday 5 March, 10:00')).toBeVisible()
  lost.mockRestore()
})

test('a visit at a place in another time zone is added, shown and moved at the instant pointed at', async ({
  testApp,
}) => {
  const austin = { name: 'Austin Practice', time_zone: 'America/Chicago', position: 1 }
  const overrides = { slots: [], places: [{}, austin] }
  await openDashboard(testApp, '/about-us', { overrides })
  const { availability } = makeApiClient()
  const { version, settings, places } = await availability.mine.query()
  const placeId = places[1]?.id ?? ''
  const hours = [{ placeId, week: 1, weekday: 3, from: 540, to: 720 }]
  await availability.saveHours.mutate({ version, settings, hours })
  await openPage('/dochome')
  // Nine o'clock in Austin is three in London, whose time the calendar is in.
  const free = button(/^Free on Wednesday 4 March, 15:00 to /)
  await expect.element(free).toBeVisible()
  const element = free.element()
  if (element instanceof HTMLElement) element.focus()
  await userEvent.keyboard('{Enter}')
  const form = page.getByRole('dialog', { name: 'Add a visit' })
  await expect.element(form.getByLabelText('Time')).toHaveValue('09:00')
  await form.getByRole('radio', { name: 'Walk-in' }).click()
  await form.getByLabelText('Patient’s name').fill('Sam Hill')
  await form.getByRole('button', { name: 'Add visit' }).click()
  const card = button(/^15:00 Sam Hill/)
  await expect.element(card).toMatchTextContent('9:00 am CST there')
  const sam = card.element()
  if (sam instanceof HTMLElement) sam.focus()
  await userEvent.keyboard('m{ArrowDown}{Enter}')
  await expect.element(dialog().getByText('Wednesday March 4, 9:00 am CST')).toBeVisible()
  await expect.element(dialog().getByText('Wednesday 4 March, 15:30 GMT')).toBeVisible()
  await dialog().getByRole('button', { name: 'Move visit' }).click()
  await expect.element(button(/^15:30 Sam Hill/)).toMatchTextContent('9:30 am CST there')
})

test('a visit that is over cannot be picked up', async ({ testApp }) => {
  await openDashboard(testApp, '/dochome', { visits: [{ startsAt: '2026-03-02T08:00:00Z' }] })
  const past = button(/08:00 Maya Ellis/)
  await expect.element(past).not.toHaveAttribute('aria-keyshortcuts')
})
