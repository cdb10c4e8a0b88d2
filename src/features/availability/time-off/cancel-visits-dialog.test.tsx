import { afterEach, expect, vi } from 'vitest'
import { page } from 'vitest/browser'
import * as z from 'zod/mini'
import { type Backend, test } from '#tests/harness/spa/spa-bridge.ts'
import { openDashboard } from '#tests/spa/dashboard.ts'
import { failRequests, loseResponse } from '#tests/spa/fake-network.ts'

afterEach(() => vi.restoreAllMocks())

const section = (name: string) => page.getByRole('region', { name, exact: true })
const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true })
const list = () => page.getByRole('dialog', { name: 'Visits in your time off' })
const first = '2026-03-03T09:00:00.000Z'
const second = '2026-03-03T14:00:00.000Z'

type Router = Awaited<ReturnType<typeof openDashboard>>['router']

/** Sets up a typical week with two visits on Tuesday, then requests time off on that day. */
async function requestTimeOff(testApp: Backend, before?: (router: Router) => Promise<void>) {
  const { router, provider } = await openDashboard(testApp, '/doctor/availability/all', {
    hasHours: true,
  })
  await testApp.bookVisit({ providerId: provider.id, startsAt: first })
  await testApp.bookVisit({ providerId: provider.id, startsAt: second })
  await before?.(router)
  await button('Add time off').click()
  await section('Time off').getByLabelText('First day').fill('2026-03-03')
  await button('Add this time off').click()
  return router
}

async function saveAndCancel(): Promise<void> {
  await button('Save and cancel visits').click()
  await expect.element(list().getByRole('checkbox', { name: 'All 2 visits' })).toBeChecked()
}

const Sent = z.object({ visits: z.array(z.object({ id: z.string() })) })

async function fillIn(): Promise<void> {
  await list().getByRole('combobox', { name: 'Reason' }).selectOptions('unwell')
}

test('time off is saved, and then the chosen visit is cancelled with a full refund; the other is found again', async ({
  testApp,
}) => {
  await requestTimeOff(testApp)
  await saveAndCancel()
  await expect.element(list().getByText(/^We’ll refund £120.00 and email 2 patients/)).toBeVisible()
  await list()
    .getByRole('checkbox', { name: /14:00 to 14:30/ })
    .click()
  await list().getByRole('button', { name: 'Cancel 1 visit and refund' }).click()
  await expect.element(list().getByText('Choose a reason.').first()).toBeVisible()
  await fillIn()
  await list().getByRole('button', { name: 'Cancel 1 visit and refund' }).click()
  await expect.element(list().getByText('1 visit cancelled')).toBeVisible()
  await expect.element(list().getByText('Cancelled, £60.00 refunded')).toBeVisible()
  await list().getByRole('button', { name: 'Done' }).click()
  await button(/^1 booked visit, Tue 3 March/).click()
  await expect.element(list().getByRole('checkbox', { name: /14:00 to 14:30/ })).not.toBeChecked()
  await list().getByRole('button', { name: 'Cancel 0 visits and refund' }).click()
  await expect.element(list().getByText('Choose at least one visit.').first()).toBeVisible()
  await list().getByRole('button', { name: 'Keep visit' }).click()
  await expect.element(button(/^1 booked visit, Tue 3 March/)).toBeVisible()
  const mails = (await testApp.readMails()).filter(({ subject }) =>
    subject.startsWith('Cancelled: your visit'),
  )
  expect(mails).toHaveLength(1)
})

test('a list that does not load is never an older one, and is asked for again', async ({
  testApp,
}) => {
  await requestTimeOff(testApp)
  const cut = failRequests('visits.inTimeOff')
  await button('Save and cancel visits').click()
  await expect.element(list().getByRole('alert')).toMatchTextContent('The list didn’t load')
  cut.mockRestore()
  await list().getByRole('button', { name: 'Try again' }).click()
  await expect.element(list().getByRole('checkbox', { name: 'All 2 visits' })).toBeChecked()
})

/** Books Ida Rowe, who has an email address, and Sam Hill, who has none, at the desk. */
async function addTwoDeskVisits(): Promise<void> {
  for (const [name, time, email] of [
    ['Ida Rowe', '10:00', 'ida@mail.example'],
    ['Sam Hill', '11:00', ''],
  ] as const) {
    await page.getByRole('button', { name: 'Add a visit', exact: true }).click()
    const form = page.getByRole('dialog', { name: 'Add a visit' })
    await form.getByLabelText('Patient’s name').fill(name)
    await form.getByLabelText(/^Phone number/).fill('020 7946 0123')
    await form.getByLabelText(/^Email/).fill(email)
    await form.getByLabelText('Day').fill('2026-03-03')
    await form.getByLabelText('Time').fill(time)
    await form.getByRole('button', { name: 'Add visit' }).click()
    await expect.element(form).not.toBeInTheDocument()
  }
}

test('visits put in at the desk are cancelled with the others, and it says whom no email reaches', async ({
  testApp,
}) => {
  const router = await requestTimeOff(testApp, async (at) => {
    await at.navigate({ to: '/dochome' })
    await addTwoDeskVisits()
    await at.navigate({ to: '/doctor/availability/all' })
  })
  await button('Save and cancel visits').click()
  await expect.element(list().getByRole('checkbox', { name: 'All 4 visits' })).toBeChecked()
  await expect
    .element(list().getByText('Sam Hill · Phone · No email address, call 020 7946 0123'))
    .toBeVisible()
  await expect.element(list().getByText('2 booked online, 2 by phone or walk-in')).toBeVisible()
  await expect
    .element(list().getByText(/We’ll email 1 patient; let the other one know yourself\./))
    .toBeVisible()
  await list()
    .getByRole('checkbox', { name: /14:00 to 14:30/ })
    .click()
  await fillIn()
  await list().getByRole('button', { name: 'Cancel 3 visits and refund' }).click()
  await expect.element(list().getByText('3 visits cancelled')).toBeVisible()
  await expect.element(list().getByText('1 booked online, 2 by phone or walk-in.')).toBeVisible()
  await expect.element(list().getByText(/ refunded\. We’ve emailed everyone with/)).toBeVisible()
  await expect.element(list().getByText('Cancelled, patient emailed')).toBeVisible()
  await expect
    .element(list().getByText('Cancelled. No email address, call 020 7946 0123'))
    .toBeVisible()
  await list().getByRole('button', { name: 'Done' }).click()
  await expect.element(button(/^1 booked visit, Tue 3 March/)).toBeVisible()
  const mails = (await testApp.readMails()).filter(({ subject }) =>
    subject.startsWith('Cancelled: your visit'),
  )
  expect(mails.map(({ to }) => to)).toContain('ida@mail.example')
  expect(mails).toHaveLength(2)
  expect(router.state.location.pathname).toBe('/doctor/availability/all')
})

test('an answer that was lost is had again under the same key, and nobody is refunded twice', async ({
  testApp,
}) => {
  await requestTimeOff(testApp)
  await saveAndCancel()
  await fillIn()
  const lost = loseResponse('visits.cancelMany')
  await list().getByRole('button', { name: 'Cancel 2 visits and refund' }).click()
  await expect.element(list().getByText('Not all visits are cancelled')).toBeVisible()
  lost.mockRestore()
  await list().getByRole('button', { name: 'Cancel 2 visits and refund' }).click()
  await expect.element(list().getByText('2 visits cancelled')).toBeVisible()
  await expect
    .element(list().getByText('£120.00 will be refunded.', { exact: false }))
    .toBeVisible()
  await expect.element(list().getByRole('button', { name: 'Done' })).toBeVisible()
})

test('one that is refused says why, and is tried again with what is true by then', async ({
  testApp,
}) => {
  await requestTimeOff(testApp)
  await saveAndCancel()
  await list()
    .getByRole('checkbox', { name: /14:00 to 14:30/ })
    .click()
  await fillIn()
  const { fetch } = globalThis
  const refused = vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
    const address = input instanceof Request ? input.url : input.toString()
    if (!address.includes('visits.cancelMany') || typeof init?.body !== 'string') {
      return fetch(input, init)
    }
    const { visits } = Sent.parse(JSON.parse(init.body))
    const fates = visits.map(({ id }) => ({ id, refusal: 'terms_changed', refund: null }))
    return Response.json({ result: { data: { fates } } })
  })
  await list().getByRole('button', { name: 'Cancel 1 visit and refund' }).click()
  await expect.element(list().getByText('1 of 1 visit isn’t cancelled')).toBeVisible()
  await expect.element(list().getByText(/^Not cancelled: /)).toBeVisible()
  refused.mockRestore()
  const again = list().getByRole('button', { name: 'Try again: cancel 1 visit and refund' })
  await expect
    .element(list().getByRole('checkbox', { name: /14:00 to 14:30/ }))
    .not.toBeInTheDocument()
  await fillIn()
  await again.click()
  await expect.element(list().getByText('Cancelled, £60.00 refunded')).toBeVisible()
})
