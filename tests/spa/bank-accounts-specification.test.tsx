import { afterEach, expect, vi } from 'vitest'
import { page } from 'vitest/browser'
import { HIDDEN_DIGITS } from '#contract/bank-accounts.ts'
import { test } from '#tests/harness/spa/spa-bridge.ts'
import {
  card,
  cards,
  cardTexts,
  dialog,
  field,
  fillIn,
  OWN,
  openAccounts,
  PATH,
  press,
  RIVERSIDE,
  tile,
  waitForDialogToClose,
} from './bank-accounts.ts'
import { recordMutations, recordRequests } from './fake-network.ts'

// Follows the specification: what sections 2 to 5, 8 and 9 say about bank accounts.

const REFUSAL = 'You cannot delete this primary account, as there is no secondary accounts '

afterEach(() => vi.restoreAllMocks())

test('2: /doctor/bank-account, with no wrapper, inside the provider side menu, titled Your Bank Accounts', async ({
  testApp,
}) => {
  const { router } = await openAccounts(testApp, [RIVERSIDE])
  await expect
    .element(page.getByRole('heading', { level: 1 }))
    .toHaveTextContent('Your Bank Accounts')
  expect(router.state.location.pathname).toBe(PATH)
  await expect.element(page.getByRole('navigation', { name: 'Provider' })).toBeVisible()
  await expect
    .element(page.getByRole('link', { name: 'Bank Accounts' }))
    .toHaveAttribute('href', PATH)
  await expect.element(page.getByRole('banner')).not.toBeInTheDocument()
  await expect.element(page.getByRole('contentinfo')).not.toBeInTheDocument()
})

test('2: an Add your account tile opens a bank details modal', async ({ testApp }) => {
  await openAccounts(testApp)
  await tile().click()
  await expect.element(dialog('Bank details')).toBeVisible()
  await fillIn(OWN)
  await press('Save account')
  await expect.element(card(OWN.name)).toBeVisible()
  await expect.element(dialog('Bank details')).not.toBeInTheDocument()
})

test('2: each account card shows Edit and Delete, and the primary account is listed first', async ({
  testApp,
}) => {
  await openAccounts(testApp, [RIVERSIDE, OWN])
  await expect.element(card(OWN.name)).toBeVisible()
  for (const one of [RIVERSIDE, OWN]) {
    await expect.element(card(one.name).getByRole('button', { name: /^Edit/ })).toBeVisible()
    await expect.element(card(one.name).getByRole('button', { name: /^Delete/ })).toBeVisible()
  }
  expect(cardTexts().map((face) => face.includes('Primary'))).toEqual([true, false])
  expect(cardTexts()[0]).toContain(RIVERSIDE.name)
  await card(OWN.name)
    .getByRole('button', { name: /^Make primary/ })
    .click()
  await expect.poll(() => cardTexts()[0]).toContain(OWN.name)
  expect(cardTexts().map((face) => face.includes('Primary'))).toEqual([true, false])
})

test('3 and 9: the account number is shown with the first 4 digits hidden, and never leaves the server whole', async ({
  testApp,
}) => {
  expect(HIDDEN_DIGITS).toBe(4)
  const answers = vi.spyOn(globalThis, 'fetch')
  await openAccounts(testApp, [RIVERSIDE])
  await expect.element(card(RIVERSIDE.name)).toBeVisible()
  expect(cardTexts()[0]).toContain('••••5926')
  expect(document.body.textContent).not.toContain('3141')
  for (const { type, value } of answers.mock.settledResults) {
    if (type === 'fulfilled' && !value.bodyUsed) expect(await value.text()).not.toContain('3141')
  }
})

test('4: the first Delete click opens a confirmation; a second confirmation deletes, then the list is refetched', async ({
  testApp,
}) => {
  await openAccounts(testApp, [RIVERSIDE, OWN])
  await expect.element(card(OWN.name)).toBeVisible()
  const writes = recordMutations()
  await card(OWN.name)
    .getByRole('button', { name: /^Delete/ })
    .click()
  await expect.element(dialog('Delete this account?')).toBeVisible()
  await press('Delete')
  await expect.element(dialog('Are you sure?')).toBeVisible()
  expect(writes).toEqual([])
  vi.restoreAllMocks()
  const asked = recordRequests()
  await press('Yes, delete it')
  await waitForDialogToClose()
  await expect.element(card(OWN.name)).not.toBeInTheDocument()
  const order = asked.filter((address) => address.includes('bankAccounts.'))
  expect(order.map((address) => /bankAccounts\.\w+/.exec(address)?.[0])).toEqual([
    'bankAccounts.remove',
    'bankAccounts.list',
  ])
  expect(cardTexts()).toHaveLength(1)
})

test('5 and 8: an account cannot be deleted when only one exists, in these very words', async ({
  testApp,
}) => {
  await openAccounts(testApp, [RIVERSIDE])
  await card(RIVERSIDE.name)
    .getByRole('button', { name: /^Delete/ })
    .click()
  await expect.element(page.getByRole('alert')).toBeVisible()
  expect(page.getByRole('alert').element().textContent).toBe(REFUSAL)
  await press('Keep it')
  await waitForDialogToClose()
  expect(cardTexts()).toHaveLength(1)
})

test('5 and 8: the server says the same to a page that still shows two', async ({ testApp }) => {
  await openAccounts(testApp, [RIVERSIDE, OWN])
  await card(RIVERSIDE.name)
    .getByRole('button', { name: /^Delete/ })
    .click()
  await press('Delete')
  // Meanwhile another tab deletes the other one.
  const listed = await (await fetch('/trpc/bankAccounts.list?input=%7B%7D')).text()
  const id = [...listed.matchAll(/bnk_[0-9a-z]{26}/g)].at(-1)?.[0]
  const gone = await fetch('/trpc/bankAccounts.remove', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ id }),
  })
  expect(gone.status).toBe(200)
  const writes = recordMutations()
  await press('Yes, delete it')
  await expect.element(dialog('This account can’t be deleted')).toBeVisible()
  expect(page.getByRole('alert').element().textContent).toBe(REFUSAL)
  expect(writes.map(({ response: answer }) => answer).join()).toContain(`"message":"${REFUSAL}"`)
  await press('Keep it')
  await expect.poll(cardTexts).toHaveLength(1)
})

test('3: an edited account keeps its number unless another is typed', async ({ testApp }) => {
  await openAccounts(testApp, [RIVERSIDE])
  const edit = () => card('Practice').getByRole('button', { name: /^Edit/ }).click()
  await edit()
  await expect.element(field('Name on the account')).toHaveValue(RIVERSIDE.name)
  await expect.element(field('Sort code')).toHaveValue('12-34-56')
  await expect.element(field(/^Account number/)).toHaveValue('')
  await field('Name on the account').fill('Harbour Practice')
  await press('Save account')
  await expect.element(card('Harbour Practice').getByText('••••5926')).toBeInTheDocument()
  await edit()
  await field(/^Account number/).fill('2718 2818')
  await press('Save account')
  await expect.element(card('Harbour Practice').getByText('••••2818')).toBeInTheDocument()
  expect(cards().elements()).toHaveLength(2)
})
