import { afterEach, expect, vi } from 'vitest'
import { page } from 'vitest/browser'
import { type Backend, test } from '#tests/harness/spa/spa-bridge.ts'
import { openSignedIn } from '#tests/harness/spa/spa-page.tsx'
import { delayRequests, loseResponse } from '#tests/spa/fake-network.ts'

afterEach(() => vi.restoreAllMocks())

const part = () => page.getByRole('region', { name: 'Visit types', exact: true })
const field = (name: string) => part().getByRole('textbox', { name, exact: true })
const button = (name: string | RegExp) => part().getByRole('button', { name })
const heading = (name: string) => part().getByRole('heading', { name, level: 3, exact: true })
/** Names of the types in the order patients see them. */
const order = () =>
  part()
    .getByRole('heading', { level: 3 })
    .elements()
    .map((one) => one.textContent)

async function openTypes(testApp: Backend): Promise<void> {
  const { no, email } = await testApp.addProvider()
  const account = await testApp.addAccount({ kind: 'provider', email, provider_no: no })
  await openSignedIn(account, '/doctor/profile')
  await expect.element(button('Add a visit type')).toBeVisible()
}

async function add(name: string, minutes: string): Promise<void> {
  await button('Add a visit type').click()
  await field('Name').fill(name)
  await field('Length, in minutes').fill(minutes)
  await field('New patient, in pounds').fill('45')
  await field('Follow-up, in pounds').fill('30.50')
  await button('Add visit type').click()
  await expect.element(heading(name)).toBeVisible()
}

test('a visit type is added once it is whole, and what was typed stays while it is not', async ({
  testApp,
}) => {
  await openTypes(testApp)
  // With one type there is nothing to reorder, and the last one cannot be archived.
  await expect.element(button(/^Move|^Archive/)).not.toBeInTheDocument()
  await button('Add a visit type').click()
  await expect.element(field('Name')).toHaveFocus()
  await expect.element(field('Length, in minutes')).toHaveValue('30')
  await field('Name').fill('Travel vaccines')
  await field('Length, in minutes').fill('three')
  await field('New patient, in pounds').fill('45')
  await button('Add visit type').click()
  await expect.element(field('Follow-up, in pounds')).toHaveAccessibleDescription(/Enter a fee\./)
  await expect.element(field('Length, in minutes')).toHaveAttribute('aria-invalid', 'true')
  await expect.element(field('Length, in minutes')).toHaveValue('three')
  await expect.element(field('Name')).toHaveValue('Travel vaccines')
  await field('Length, in minutes').fill('40')
  await field('Follow-up, in pounds').fill('30.50')
  await part().getByRole('combobox', { name: 'How patients can have it' }).selectOptions('video')
  await button('Add visit type').click()
  // Errors known only to the server also appear beside their field.
  const way = part().getByRole('combobox', { name: 'How patients can have it' })
  await expect.element(way).toHaveAccessibleDescription(/Offer video under “Fees and visits” first/)
  await expect.element(field('Follow-up, in pounds')).toHaveValue('30.50')
  await way.selectOptions('in_person')
  await button('Add visit type').click()
  await expect.element(heading('Travel vaccines')).toBeVisible()
  await expect
    .element(part().getByText('40 minutes · £45 new patient, £30.50 follow-up'))
    .toBeVisible()
  await expect.element(part().getByText('In person only')).toBeVisible()
  await expect.element(button('Add a visit type')).toHaveFocus()
})

test('a type is edited where it stands; a refusal and Cancel leave it as it was', async ({
  testApp,
}) => {
  await openTypes(testApp)
  await add('Check-up', '40')
  await button('Edit Check-up').click()
  await expect.element(field('Name')).toHaveValue('Check-up')
  await expect.element(field('New patient, in pounds')).toHaveValue('45')
  await field('Name').fill('New patient check-up')
  const lost = loseResponse('profiles.saveVisitType')
  await button('Save visit type').click()
  await expect.element(part().getByText('Not saved')).toBeVisible()
  await expect.element(field('Name')).toHaveValue('New patient check-up')
  lost.mockRestore()
  await button('Save visit type').click()
  await expect.element(heading('New patient check-up')).toBeVisible()
  await expect.element(heading('Check-up')).not.toBeInTheDocument()
  await button('Edit New patient check-up').click()
  await field('Name').fill('Something else')
  await button('Cancel').click()
  await expect.element(heading('New patient check-up')).toBeVisible()
  await expect.element(heading('Something else')).not.toBeInTheDocument()
})

test('what is typed for one type stays while another is added and moved', async ({ testApp }) => {
  await openTypes(testApp)
  await add('Check-up', '40')
  await button('Edit Check-up').click()
  await field('Name').fill('New patient check-up')
  await button('Add a visit type').click()
  const added = part().getByRole('form', { name: 'New visit type' })
  await expect.element(added.getByRole('textbox', { name: 'Name' })).toHaveFocus()
  await added.getByRole('button', { name: 'Cancel' }).click()
  await expect.element(button('Add a visit type')).toHaveFocus()
  await button(/^Move down/)
    .first()
    .click()
  await expect.element(page.getByText(/ is moved\.$/)).toBeVisible()
  await expect.element(field('Name')).toHaveValue('New patient check-up')
  await button('Save visit type').click()
  await expect.element(button('Edit New patient check-up')).toHaveFocus()
})

test('a form opened right after another was saved stays open, however slow the network is', async ({
  testApp,
}) => {
  await openTypes(testApp)
  const release = delayRequests('auth.me')
  await add('Check-up', '40')
  await button('Edit Check-up').click()
  await field('Name').fill('New patient check-up')
  release()
  await expect.element(page.getByText('The visit type is added.')).toBeVisible()
  await expect.element(field('Name')).toHaveValue('New patient check-up')
})

test('types are put in an order, of which the search shows the first, archived and offered again', async ({
  testApp,
}) => {
  await openTypes(testApp)
  await add('Check-up', '40')
  await add('Short call', '30')
  const [first = ''] = order()
  expect(order()).toEqual([first, 'Check-up', 'Short call'])
  await expect.element(button(`Move up: ${first}`)).not.toBeInTheDocument()
  await expect.element(button('Move down: Short call')).not.toBeInTheDocument()
  await button('Move up: Short call').click()
  await expect.poll(order).toEqual([first, 'Short call', 'Check-up'])
  await expect.element(heading('Short call')).toHaveFocus()
  await button('Move up: Short call').click()
  await expect.poll(order).toEqual(['Short call', first, 'Check-up'])
  const shown = part().getByRole('listitem').filter({ hasText: 'Shown in search' })
  await expect.element(shown).toMatchTextContent(/^Short call/)
  await button(`Move down: ${first}`).click()
  await expect.poll(order).toEqual(['Short call', 'Check-up', first])
  await button('Archive Check-up').click()
  await expect.poll(order).toEqual(['Short call', first, 'Archived'])
  await button('Offer again: Check-up').click()
  await expect.poll(order).toHaveLength(3)
  await expect.element(heading('Check-up')).toHaveFocus()
})

test('a form for the conditions of visits, opened before the types were put in another order, changes no price', async ({
  testApp,
}) => {
  await openTypes(testApp)
  await add('Check-up', '40')
  const fees = page.getByRole('region', { name: 'Fees and visits', exact: true })
  await fees.getByRole('button', { name: 'Edit fees and visits' }).click()
  await button('Move up: Check-up').click()
  await expect.poll(() => order()[0]).toBe('Check-up')
  await fees.getByRole('textbox', { name: /^Free cancellation ends/ }).fill('12')
  await fees.getByRole('button', { name: 'Save', exact: true }).click()
  await expect.element(page.getByText('Your fees and visits are saved.')).toBeVisible()
  await expect
    .element(part().getByText('40 minutes · £45 new patient, £30.50 follow-up'))
    .toBeVisible()
})
