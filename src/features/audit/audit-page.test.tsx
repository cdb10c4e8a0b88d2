import { afterEach, expect, vi } from 'vitest'
import { page } from 'vitest/browser'
import { test } from '#tests/harness/spa/spa-bridge.ts'
import { failProcedure } from '#tests/spa/fake-network.ts'
import { addStaff, openAs } from '#tests/spa/staff.ts'

afterEach(() => vi.restoreAllMocks())

const entry = (text: string | RegExp) => page.getByRole('row').filter({ hasText: text })

test('acts are told in sentences, open to all they hold, and lead to what else there is', async ({
  testApp,
}) => {
  await page.viewport(1_440, 900)
  const { email, id } = await addStaff(testApp, 'superuser')
  const { router } = await openAs(email, '/admin-home/audit')
  const signedIn = entry('Signed in')
  await expect.element(signedIn).toMatchTextContent(/superuser@staff\.example/)
  await signedIn.getByRole('button', { name: /^Details/ }).click()
  const table = page.getByRole('table')
  await expect.element(table.getByText('session.began')).toBeVisible()
  await expect.element(table.getByText('No checksum yet')).toBeVisible()
  await table.getByRole('link', { name: 'Everything by this account' }).click()
  await expect.poll(() => router.state.location.search).toEqual({ actor: id })
  await expect.element(page.getByRole('textbox', { name: 'Account' })).toHaveValue(id)
})

test('filters go into the address with Show, find nothing with a way out, and survive a reload', async ({
  testApp,
}) => {
  await page.viewport(1_440, 900)
  const { email } = await addStaff(testApp, 'superuser')
  const { router } = await openAs(email, '/admin-home/audit')
  await expect.element(entry('Signed in')).toBeVisible()
  await page.getByRole('combobox', { name: 'Outcome' }).selectOptions('denied')
  expect(router.state.location.search).toEqual({})
  await page.getByRole('button', { name: 'Show' }).click()
  await expect.poll(() => router.state.location.search).toEqual({ outcome: 'denied' })
  await expect.element(page.getByRole('heading', { name: 'No entries found.' })).toBeVisible()
  await page.getByRole('button', { name: 'Clear the filters' }).click()
  await expect.element(entry('Signed in')).toBeVisible()
  await expect.element(page.getByRole('combobox', { name: 'Outcome' })).toHaveValue('')
  await page.getByLabelText('From').fill('2026-03-03')
  await page.getByLabelText('To').fill('2026-03-02')
  await page.getByRole('button', { name: 'Show' }).click()
  await expect.element(page.getByText('The last day must not be before the first.')).toBeVisible()
  await page.getByLabelText('From').fill('')
  await page.getByLabelText('To').fill('')
  for (const name of ['Account', 'About']) {
    await page.getByRole('textbox', { name }).fill('a'.repeat(201))
    await page.getByRole('button', { name: 'Show' }).click()
    await expect
      .element(page.getByRole('textbox', { name }))
      .toHaveAccessibleDescription('Use at most 200 characters.')
    await page.getByRole('textbox', { name }).fill('')
  }
})

test('the chain is checked, with its head to note down; a head that is not in it is told', async ({
  testApp,
}) => {
  await page.viewport(1_440, 900)
  const { email } = await addStaff(testApp, 'superuser')
  await openAs(email, '/admin-home/audit')
  const check = page.getByRole('button', { name: 'Check the log' })
  await check.click()
  await expect.element(page.getByText('Log intact')).toBeVisible()
  await expect
    .element(page.getByText(/1 entry is waiting for a checksum, since 2 Mar 2026/))
    .toBeVisible()
  await page.getByText('Compare with a checksum you saved earlier').click()
  const position = page.getByRole('textbox', { name: 'Entry number' })
  await position.fill('12')
  await check.click()
  await expect.element(page.getByRole('alert')).toHaveFocus()
  await expect
    .element(position)
    .toHaveAccessibleDescription('Enter both the entry number and the checksum.')
  await page.getByRole('textbox', { name: 'Checksum' }).fill('A'.repeat(43))
  await check.click()
  await expect.element(page.getByText('The log was changed at entry 1')).toBeVisible()
  await expect.element(page.getByText('That entry and everything after it are gone.')).toBeVisible()
})

test('part of the log is saved as a file, and that is in the log', async ({ testApp }) => {
  await page.viewport(1_440, 900)
  const { email } = await addStaff(testApp, 'superuser')
  await openAs(email, '/admin-home/audit')
  await page.getByRole('button', { name: 'Export CSV' }).click()
  await expect.element(page.getByText('Saved as audit-log-2026-03-02.csv.')).toBeVisible()
  await expect.element(entry('Exported part of the audit log')).toBeVisible()
})

test('other roles see who may read it, and nothing is asked of the server', async ({ testApp }) => {
  await page.viewport(1_440, 900)
  const { email } = await addStaff(testApp, 'admin')
  await openAs(email, '/admin-home/audit')
  await expect.element(page.getByText('Only superusers may do this.')).toBeVisible()
  await expect.element(page.getByRole('button', { name: 'Export CSV' })).toBeDisabled()
  await expect.element(page.getByRole('form', { name: 'Filters' })).not.toBeInTheDocument()
})

test('a log that didn’t load says so, with a way to try again', async ({ testApp }) => {
  await page.viewport(1_440, 900)
  const { email } = await addStaff(testApp, 'superuser')
  failProcedure('audit.list', 'internal')
  await openAs(email, '/admin-home/audit')
  await expect.element(page.getByRole('heading', { name: 'The log didn’t load' })).toBeVisible()
  vi.restoreAllMocks()
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect.element(entry('Signed in')).toBeVisible()
})

test('on phones the filters wait behind a button and entries are cards', async ({ testApp }) => {
  await page.viewport(360, 740)
  const { email } = await addStaff(testApp, 'superuser')
  await openAs(email, '/admin-home/audit')
  const card = page.getByRole('listitem').filter({ hasText: 'Signed in' })
  await expect.element(card).toBeVisible()
  await expect.element(page.getByRole('combobox', { name: 'Outcome' })).not.toBeInTheDocument()
  await page.getByRole('button', { name: 'Filters' }).click()
  await expect.element(page.getByRole('combobox', { name: 'Outcome' })).toBeVisible()
  await card.getByRole('button', { name: /^Details/ }).click()
  await expect.element(card.getByText('session.began')).toBeVisible()
})
