import { afterEach, expect, vi } from 'vitest'
import { page } from 'vitest/browser'
import { test } from '#tests/harness/spa/spa-bridge.ts'
import { openSignedIn } from '#tests/harness/spa/spa-page.tsx'
import { delayRequests } from '#tests/spa/fake-network.ts'

const section = page.getByRole('region', { name: 'Calendar links' })
const dialog = page.getByRole('dialog')
const press = (name: string) => dialog.getByRole('button', { name, exact: true }).click()

afterEach(() => vi.restoreAllMocks())

async function create(name: string): Promise<string> {
  await section.getByRole('button', { name: 'Create a link' }).click()
  await dialog.getByRole('textbox', { name: 'Name' }).fill(name)
  await press('Create link')
  const address = dialog.getByLabelText('Calendar link', { exact: true })
  await expect.poll(() => address.element().textContent).toMatch(/\/calendar\/[\w-]{43}\.ics$/)
  return address.element().textContent ?? ''
}

test('a link is created, shown once, copied, and revoked after asking; three are the most', async ({
  testApp,
}) => {
  await openSignedIn(await testApp.addAccount(), '/userProfile?section=calendar')
  await expect.element(section.getByText('You have no calendar links.')).toBeVisible()
  await expect.element(section.getByText(/Google only every 8 to 24 hours/)).toBeVisible()
  const url = await create('Phone')
  const copied = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue()
  await press('Copy link')
  expect(copied).toHaveBeenCalledWith(url)
  await press('Done')
  const row = section.getByRole('listitem')
  await expect.poll(() => row.element().textContent).toMatch(/Phone.*Not read yet/)
  expect(document.body.textContent).not.toContain(url)
  for (const name of ['Laptop', 'Family']) {
    await create(name)
    await press('Done')
  }
  await expect.element(section.getByRole('button', { name: 'Create a link' })).toBeDisabled()
  await section.getByRole('button', { name: 'Revoke Phone' }).click()
  await press('Revoke')
  await expect.element(page.getByText('The link is revoked.')).toBeVisible()
  await expect.poll(() => row.elements().length).toBe(2)
})

test('a slow answer leaves open what was opened since, with what was typed there', async ({
  testApp,
}) => {
  await openSignedIn(await testApp.addAccount(), '/userProfile?section=calendar')
  await create('Phone')
  await press('Done')
  await section.getByRole('button', { name: 'Revoke Phone' }).click()
  const release = delayRequests('calendars.revoke')
  await press('Revoke')
  await press('Close')
  await section.getByRole('button', { name: 'Create a link' }).click()
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Laptop')
  release()
  await expect.element(page.getByText('The link is revoked.')).toBeVisible()
  await expect.element(dialog.getByRole('textbox', { name: 'Name' })).toHaveValue('Laptop')
})

test('only a provider is asked about names', async ({ testApp }) => {
  const provider = await testApp.addProvider({})
  await openSignedIn(
    await testApp.addAccount({ kind: 'provider', email: provider.email, provider_no: provider.no }),
    '/userProfile?section=calendar',
  )
  await section.getByRole('button', { name: 'Create a link' }).click()
  await dialog.getByRole('checkbox', { name: 'Show the first names of patients' }).click()
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Practice')
  await press('Create link')
  await press('Done')
  await expect.element(section.getByText('First names')).toBeVisible()
})
