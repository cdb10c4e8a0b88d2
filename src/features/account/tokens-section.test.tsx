import { afterEach, expect, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { DEFAULT_TOKEN_DAYS } from '#contract/access-tokens.ts'
import { test } from '#tests/harness/spa/spa-bridge.ts'
import { openSignedIn, PASSWORD } from '#tests/harness/spa/spa-page.tsx'

const section = page.getByRole('region', { name: 'Access tokens' })
const dialog = page.getByRole('dialog')
const press = (name: string) => dialog.getByRole('button', { name, exact: true }).click()
const box = (name: string) => dialog.getByRole('checkbox', { name })

async function openForm(): Promise<void> {
  await section.getByRole('button', { name: 'Create a token' }).click()
  await expect.element(dialog.getByRole('textbox', { name: 'Name' })).toHaveFocus()
}

afterEach(() => vi.restoreAllMocks())

test('a token is created, shown once, copied, listed without it, and revoked after asking', async ({
  testApp,
}) => {
  await openSignedIn(await testApp.addAccount(), '/userProfile?section=security')
  await expect.element(section.getByText('You have no access tokens.')).toBeVisible()
  await openForm()
  await expect
    .element(dialog.getByRole('combobox', { name: 'Expires after' }))
    .toHaveValue(String(DEFAULT_TOKEN_DAYS))
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Calendar')
  await box('See your visits').click()
  await press('Create token')
  const secret = dialog.getByLabelText('Access token', { exact: true })
  await expect.poll(() => secret.element().textContent).toMatch(/^apo_[\w-]{43}$/)
  await expect.element(dialog.getByText('We’ll only show it once')).toBeVisible()
  const text = secret.element().textContent
  const copied = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue()
  await press('Copy')
  expect(copied).toHaveBeenCalledWith(text)
  await press('I’ve saved it')
  await expect.element(dialog).not.toBeInTheDocument()
  const row = section.getByRole('listitem')
  await expect
    .poll(() => row.element().textContent)
    .toMatch(/Calendar.*See your visits\..*Never used/)
  expect(document.body.textContent).not.toContain(text)
  expect(row.element().textContent).toContain(`apo_…${text?.slice(-4)}`)
  await row.getByRole('button', { name: 'Revoke Calendar' }).click()
  await press('Keep it')
  await expect.element(row).toBeVisible()
  await row.getByRole('button', { name: 'Revoke Calendar' }).click()
  await press('Revoke')
  await expect.element(page.getByText('The token is revoked.')).toBeVisible()
  await expect.element(section.getByText('You have no access tokens.')).toBeVisible()
})

test('what is missing is said beside its field, and nothing is sent', async ({ testApp }) => {
  await openSignedIn(await testApp.addAccount(), '/userProfile?section=security')
  await openForm()
  await press('Create token')
  await expect
    .element(dialog.getByRole('textbox', { name: 'Name' }))
    .toHaveAccessibleDescription(/Give the token a name, such as what uses it\./)
  await expect
    .element(dialog.getByRole('group', { name: 'What it can do' }))
    .toHaveAccessibleDescription(/Choose at least one thing the token may do\./)
  await userEvent.keyboard('{Escape}')
  await expect.element(dialog).not.toBeInTheDocument()
})

test('a provider chooses among their own things, and changing hours includes seeing them', async ({
  testApp,
}) => {
  const provider = await testApp.addProvider({})
  await openSignedIn(
    await testApp.addAccount({ kind: 'provider', email: provider.email, provider_no: provider.no }),
    '/userProfile?section=security',
  )
  await openForm()
  const words = dialog
    .getByRole('checkbox')
    .elements()
    .map((one) => one.closest('label')?.textContent)
  expect(words).toEqual([
    'See your name, address and profile',
    'See your visits',
    'Hold and release times, cancel, move and join visits and record what happened, but not pay',
    'See your hours and time off',
    'See and change your hours and time off',
    'See your payments, with names and amounts',
  ])
  await box('See your hours and time off').click()
  await box('See and change your hours and time off').click()
  await expect.element(box('See your hours and time off')).toBeChecked()
  await expect.element(box('See your hours and time off')).toBeDisabled()
  await box('See and change your hours and time off').click()
  await expect.element(box('See your hours and time off')).not.toBeChecked()
})

test('who signed in a while ago proves first that it is them, and nothing typed is lost', async ({
  testApp,
}) => {
  await openSignedIn(await testApp.addAccount(), '/userProfile?section=security')
  await testApp.advanceClock(6 * 60_000)
  await openForm()
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Calendar')
  await box('See your visits').click()
  await press('Create token')
  await expect.element(dialog).toHaveAccessibleName('Confirm it’s you')
  await press('Back')
  await expect.element(dialog.getByRole('textbox', { name: 'Name' })).toHaveValue('Calendar')
  await press('Create token')
  await dialog.getByRole('textbox', { name: 'Your password' }).fill(PASSWORD)
  await press('Confirm and create')
  await expect.element(dialog).toHaveAccessibleName('Save your access token')
})
