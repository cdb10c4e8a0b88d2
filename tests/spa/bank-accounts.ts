import { expect } from 'vitest'
import { page } from 'vitest/browser'
import type { Backend } from '#tests/harness/spa/spa-bridge.ts'
import { openSignedIn } from '#tests/harness/spa/spa-page.tsx'

export const PATH = '/doctor/bank-account'

type BankAccount = { name: string; account_number: string }

/** Account numbers that belong to nobody. */
export const RIVERSIDE: BankAccount = { name: 'Riverside Practice', account_number: '31415926' }
export const OWN: BankAccount = { name: 'Amara Okafor', account_number: '27182818' }

/** Adds an account over the API, without the page. */
async function add({ name, account_number }: BankAccount): Promise<void> {
  const key = crypto.randomUUID()
  const account = { region: 'uk', key, name, sort_code: '123456', account_number }
  const answer = await fetch('/trpc/bankAccounts.add', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(account),
  })
  if (!answer.ok) throw new Error(await answer.text())
}

/** Signs in as a provider and opens the page with these accounts, the first of them primary. */
export async function openAccounts(
  testApp: Backend,
  accounts: readonly BankAccount[] = [],
  region: 'uk' | 'usa' = 'uk',
) {
  const provider = await testApp.addProvider({
    region,
    currency: region === 'uk' ? 'GBP' : 'USD',
  })
  const account = await testApp.addAccount({
    kind: 'provider',
    email: provider.email,
    date_of_birth: null,
    provider_no: provider.no,
  })
  const opened = await openSignedIn(account, '/about-us')
  for (const one of accounts) await add(one)
  await opened.router.navigate({ to: PATH })
  return { ...opened, account }
}

export const tile = () => page.getByRole('button', { name: 'Add your account', exact: true })
export const cards = () => page.getByRole('list', { name: 'Accounts' }).getByRole('listitem')
export const card = (name: string) => cards().filter({ hasText: name })
export const dialog = (name: string) => page.getByRole('dialog', { name, exact: true })
export const field = (name: string | RegExp) => page.getByRole('textbox', { name, exact: true })

/** The text of each account card, without the tile for adding one. */
export function cardTexts(): string[] {
  return cards()
    .elements()
    .map((one) => one.textContent ?? '')
    .filter((text) => !text.startsWith('Add your account'))
}

/** Presses a button of the open dialog. */
export function press(name: string): Promise<void> {
  return page.getByRole('dialog').getByRole('button', { name, exact: true }).click()
}

/** Types the details of a UK account into the open modal. */
export async function fillIn(
  { name, account_number }: BankAccount,
  sortCode = '12-34-56',
): Promise<void> {
  await field('Name on the account').fill(name)
  await field('Sort code').fill(sortCode)
  await field('Account number').fill(account_number)
}

/** Waits until no dialog is open: an open one hides the page from assistive technology. */
export async function waitForDialogToClose(): Promise<void> {
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument()
}
