import type { Page } from '@playwright/test'
import { checkScreen, expect, test } from './fixtures.ts'
import { isWide } from './steps.ts'

const title = (page: Page) => page.getByRole('heading', { level: 1 })

/** Moves on with Tab until a control has the focus; gives up after a while. */
async function tabTo(page: Page, name: string | RegExp): Promise<void> {
  const target = page
    .getByRole('button', { name, exact: true })
    .or(page.getByRole('link', { name, exact: true }))
    .filter({ visible: true })
    .first()
  await expect(target).toBeVisible()
  for (let presses = 0; presses < 80; presses += 1) {
    if (await target.evaluate((node) => node === document.activeElement)) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`${String(name)} was not reached with the keyboard.`)
}

/** Signs in on the staff's sign-in page by keyboard alone. */
async function enter(page: Page, next: string, email = 'admin@demo.example'): Promise<void> {
  await page.goto(`/admin-signin?next=${encodeURIComponent(next)}`)
  await page.getByRole('textbox', { name: 'Email' }).focus()
  await page.keyboard.type(email)
  await page.keyboard.press('Tab')
  await page.keyboard.type('Apposite-demo-1')
  await page.keyboard.press('Enter')
  await expect(title(page)).toHaveText('Providers')
}

type Row = {
  providerId: string
  name: string
  membership_number: string
  isMatch: boolean
  isProofWaiting: boolean
}

/** Calls a query as the page itself would. */
async function ask(page: Page, path: string, input: object): Promise<unknown> {
  return page.evaluate(
    async ([name, text]) => {
      const response = await fetch(`/trpc/${name}?input=${encodeURIComponent(text)}`)
      const body: unknown = await response.json()
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as tRPC answers
      return (body as { result: { data: unknown } }).result.data
    },
    [path, JSON.stringify(input)] as const,
  )
}

/**
 * Providers waiting on one register: the two projects use different registers, because they run in parallel.
 */
async function listWaiting(page: Page): Promise<Row[]> {
  const body = isWide(page) ? 'GMC' : 'NPI'
  const answer = await ask(page, 'verification.providers', { list: 'waiting', body })
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as the contract has it
  const { providers } = answer as { providers: Row[] }
  // Another test uses this one.
  return providers.filter(({ name }) => !name.endsWith('Nikhil Menon'))
}

/** A provider listed in the register who may no longer practise. */
async function findStruckOff(page: Page): Promise<Row> {
  for (const row of await listWaiting(page)) {
    if (row.isMatch) continue
    const { providerId } = row
    const answer = await ask(page, 'verification.provider', { providerId })
    if (/"standing":"(?:struck_off|deactivated)"/.test(JSON.stringify(answer))) return row
  }
  throw new Error('Nobody who waits is struck off.')
}

/** Opens a provider's page from the list by keyboard, found by their number. */
async function openByKeys(page: Page, { name, membership_number: number }: Row): Promise<void> {
  await page.getByRole('searchbox', { name: 'Name, number or email' }).focus()
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type(number)
  await page.keyboard.press('Enter')
  await expect(page.getByText('1 provider', { exact: true }).first()).toBeVisible()
  await checkScreen(page)
  await tabTo(page, name)
  await page.keyboard.press('Enter')
  await expect(title(page)).toHaveText(name)
  await expect(title(page)).toBeFocused()
  await expect(page.getByRole('heading', { name: 'Evidence' })).toBeVisible()
}

test('a verifier verifies one who matches and refuses one who is struck off, by keyboard alone @once', async ({
  page,
  problems,
}) => {
  problems.expect(/answered 409/, /console error: Failed to load resource/)
  await enter(page, '/admin-home/providers?list=waiting')
  await expect(page.getByText(/of \d+ providers/).first()).toBeVisible()
  await checkScreen(page)
  const matching = (await listWaiting(page)).find((row) => row.isMatch && row.isProofWaiting)
  if (matching === undefined) throw new Error('Nobody who waits matches and has sent a proof.')
  await openByKeys(page, matching)
  await checkScreen(page)
  await tabTo(page, 'Look up')
  await page.keyboard.press('Enter')
  await expect(page.getByText(/^Looked up by Ada Lindqvist on/)).toBeVisible()
  await tabTo(page, 'Verify')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('alert')).toContainText('There is no proof yet')
  await tabTo(page, 'Accept as proof')
  await page.keyboard.press('Enter')
  await expect(page.getByText('The proof is accepted.')).toBeVisible()
  await checkScreen(page)
  await tabTo(page, 'Verify')
  await page.keyboard.press('Enter')
  const done = page.getByText('Verification status updated successfully')
  await expect(done).toBeVisible()
  await expect(page.getByText('Decided: Verified')).toBeVisible()
  await checkScreen(page)

  await page.goto('/admin-home/providers?list=waiting')
  const struckOff = await findStruckOff(page)
  await openByKeys(page, struckOff)
  await tabTo(page, 'Verify')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('alert')).toContainText('The provider stays Unverified.')
  await expect(page.getByText('Not eligible')).toBeVisible()
  await checkScreen(page)
  await tabTo(page, 'Reject')
  await page.keyboard.press('Enter')
  const reason = page.getByRole('textbox', { name: 'Reason' })
  await expect(reason).toBeFocused()
  await checkScreen(page)
  await tabTo(page, 'Reject and tell them')
  await page.keyboard.press('Enter')
  await expect(done).toBeVisible()
  await expect(page.getByText('Decided: Unverified')).toBeVisible()
  await checkScreen(page)
})

test('the queue goes on by one key, and the register that does not answer says why @once', async ({
  page,
  problems,
}) => {
  problems.expect(/answered 502/, /console error: Failed to load resource/)
  await enter(page, '/admin-home/providers?list=waiting')
  await tabTo(page, 'Work through the queue')
  await page.keyboard.press('Enter')
  // The first provider may have been decided a moment ago by another test.
  await expect(page.getByText(/^(?:\d+ of )?\d+ waiting$/)).toBeVisible()
  const first = await title(page).textContent()
  await page.keyboard.press('n')
  await expect(title(page)).not.toHaveText(first ?? '')
  await expect(title(page)).toBeFocused()
  await checkScreen(page)
  await page.goto('/admin-home/providers?search=99999')
  await page.getByRole('link', { name: /^Dr/ }).filter({ visible: true }).first().click()
  await page.getByRole('button', { name: 'Look up' }).click()
  await expect(page.getByRole('alert')).toContainText('register is closed for maintenance.')
  await checkScreen(page)
})

test('a company’s document is downloaded, and an editor sees why they may not @once', async ({
  page,
}) => {
  await enter(page, '/admin-home/providers?list=company')
  await checkScreen(page)
  await page
    .getByRole('link', { name: /^(?:Dr|Mr|Ms|Mrs)/ })
    .filter({ visible: true })
    .first()
    .click()
  const downloading = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download the document' }).click()
  expect((await downloading).suggestedFilename()).toBe('company-document.pdf')
  await checkScreen(page)
  await page.getByRole('button', { name: 'Logout' }).click()
  await expect(title(page)).toHaveText('Staff sign in')
  await enter(page, '/admin-home/providers', 'editor@demo.example')
  await expect(page.getByText('Only superusers and admins may do this.')).toBeVisible()
  await checkScreen(page)
  await page
    .getByRole('link', { name: /^(?:Dr|Mr|Ms|Mrs)/ })
    .filter({ visible: true })
    .first()
    .click()
  await expect(page.getByRole('heading', { name: 'Registration' })).toBeVisible()
  await checkScreen(page)
})
