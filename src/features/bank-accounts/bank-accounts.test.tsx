import { afterEach, expect, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { test } from '#tests/harness/spa/spa-bridge.ts'
import { PASSWORD } from '#tests/harness/spa/spa-page.tsx'
import {
  card,
  cardTexts,
  dialog,
  field,
  fillIn,
  OWN,
  openAccounts,
  press,
  RIVERSIDE,
  tile,
  waitForDialogToClose,
} from '#tests/spa/bank-accounts.ts'
import { failRequests, loseResponse } from '#tests/spa/fake-network.ts'

const MINUTE = 60_000

afterEach(() => vi.restoreAllMocks())

test('with no account the page says so and what the first one becomes', async ({ testApp }) => {
  await openAccounts(testApp)
  await expect.element(page.getByRole('heading', { name: 'No account yet' })).toBeVisible()
  await expect.element(page.getByText(/payouts start\. They haven’t started yet/)).toBeVisible()
  await expect.element(tile()).toBeVisible()
})

test('what is wrong is said beside its field, and nothing typed is lost', async ({ testApp }) => {
  await openAccounts(testApp)
  await tile().click()
  await press('Save account')
  await expect.element(page.getByRole('alert')).toHaveFocus()
  await fillIn({ name: 'Amara 3141 5926', account_number: '314159' }, '12-34-5x')
  await press('Save account')
  const said = [
    ['Name on the account', /Enter only the name here, not the account number\./],
    ['Sort code', /A sort code can contain only digits\. Spaces and dashes are fine\./],
    ['Account number', /has 8 digits\. If yours has fewer, put zeros in front\./],
  ] as const
  for (const [name, sentence] of said) {
    await expect.element(field(name)).toHaveAccessibleDescription(sentence)
  }
  await expect.element(field('Account number')).toHaveValue('314159')
  await fillIn({ name: 'Amara', account_number: '0031 4159' }, '12 34 56')
  await press('Save account')
  await expect.element(card('Amara')).toBeVisible()
  expect(cardTexts()[0]).toContain('••••4159')
})

test('an account that is there already is refused beside its number', async ({ testApp }) => {
  await openAccounts(testApp, [RIVERSIDE])
  await tile().click()
  await fillIn({ ...RIVERSIDE, name: 'Once more' })
  await press('Save account')
  await expect
    .element(field('Account number'))
    .toHaveAccessibleDescription(/You’ve already added this account\./)
  await expect.element(field('Name on the account')).toHaveValue('Once more')
})

test('in the USA it asks for a routing number, whose digits must fit, and the kind of account', async ({
  testApp,
}) => {
  await openAccounts(testApp, [], 'usa')
  await tile().click()
  await field('Name on the account').fill('Live Oak Family Medicine')
  await field('Routing number').fill('111000026')
  await field('Account number').fill('2718-2818-2845')
  await page.getByRole('radio', { name: 'Savings' }).click()
  await press('Save account')
  await expect
    .element(field('Routing number'))
    .toHaveAccessibleDescription(/This isn’t a valid routing number/)
  await field('Routing number').fill('1110 0002 5')
  await press('Save account')
  await expect.element(card('Live Oak').getByText('Savings account')).toBeVisible()
  expect(cardTexts()[0]).toContain('••••••••2845')
  expect(cardTexts()[0]).toContain('111000025')
})

test('a proof that ran out is asked for in the place of the form, which stays as it was typed', async ({
  testApp,
}) => {
  await openAccounts(testApp)
  await tile().click()
  await fillIn(OWN)
  await testApp.advanceClock(6 * MINUTE)
  await press('Save account')
  await expect.element(dialog('Confirm it’s you')).toBeVisible()
  await expect.element(field('Your password')).toHaveFocus()
  await press('Back')
  await expect.element(dialog('Bank details')).toBeVisible()
  await expect.element(field('Account number')).toHaveValue(OWN.account_number)
  await press('Save account')
  await field('Your password').fill('not my password')
  await press('Confirm and save')
  await expect
    .element(field('Your password'))
    .toHaveAccessibleDescription(/That isn’t your current password\./)
  await field('Your password').fill(PASSWORD)
  await press('Confirm and save')
  await expect.element(card(OWN.name)).toBeVisible()
})

test('without a fresh proof the proof is the second confirmation of a deletion', async ({
  testApp,
}) => {
  await openAccounts(testApp, [RIVERSIDE, OWN])
  await expect.element(card(OWN.name)).toBeVisible()
  await testApp.advanceClock(6 * MINUTE)
  await card(RIVERSIDE.name)
    .getByRole('button', { name: /^Delete/ })
    .click()
  const heir = /The one ending in 2818 \(Amara Okafor\) becomes the primary account/
  await expect.element(page.getByRole('dialog').getByText(heir)).toBeVisible()
  await press('Delete')
  // The page learns the time from server responses, so it still considers the proof fresh.
  await press('Yes, delete it')
  await field('Your password').fill(PASSWORD)
  await press('Confirm and delete')
  await waitForDialogToClose()
  await expect.element(card(RIVERSIDE.name)).not.toBeInTheDocument()
  expect(cardTexts()).toHaveLength(1)
  expect(cardTexts()[0]).toContain('Primary')
})

test('a double click on the first question deletes nothing, and Escape keeps the account', async ({
  testApp,
}) => {
  await openAccounts(testApp, [RIVERSIDE, OWN])
  const remove = card(OWN.name).getByRole('button', { name: /^Delete/ })
  await remove.click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).dblClick()
  await waitForDialogToClose()
  expect(cardTexts()).toHaveLength(2)
  await remove.click()
  await press('Delete')
  await expect
    .element(page.getByRole('dialog').getByRole('button', { name: 'No, keep it' }))
    .toHaveFocus()
  await userEvent.keyboard('{Escape}')
  await waitForDialogToClose()
  expect(cardTexts()).toHaveLength(2)
})

test('a lost answer and a second try add one account; a lost request says so and keeps the form', async ({
  testApp,
}) => {
  await openAccounts(testApp)
  await tile().click()
  await fillIn(OWN)
  failRequests('bankAccounts.add')
  await press('Save account')
  await expect.element(page.getByText('Your account wasn’t added')).toBeVisible()
  await expect.element(field('Account number')).toHaveValue(OWN.account_number)
  vi.restoreAllMocks()
  loseResponse('bankAccounts.add')
  await press('Save account')
  await expect.element(page.getByRole('alert')).toBeVisible()
  vi.restoreAllMocks()
  await press('Save account')
  await expect.element(card(OWN.name)).toBeVisible()
  expect(cardTexts()).toHaveLength(1)
})

test('numbers are put into no storage of the browser', async ({ testApp }) => {
  await openAccounts(testApp)
  await tile().click()
  await fillIn(OWN)
  await press('Save account')
  await expect.element(card(OWN.name)).toBeVisible()
  const stored = JSON.stringify([localStorage, sessionStorage, document.cookie, location.href])
  expect(stored).not.toContain('2718')
  for (const name of [/Account number/, 'Sort code']) {
    await tile().click()
    await expect.element(field(name)).toHaveAttribute('autocomplete', 'off')
    await expect.element(field(name)).toHaveValue('')
    await press('Cancel')
  }
})

test('with five accounts there is no tile to add a sixth', async ({ testApp }) => {
  const five = Array.from({ length: 5 }, (_, at) => ({
    name: `Account ${at + 1}`,
    account_number: `3141592${at}`,
  }))
  await openAccounts(testApp, five)
  await expect
    .element(page.getByText('You have 5 accounts. Delete one to add another.'))
    .toBeVisible()
  await expect.element(tile()).not.toBeInTheDocument()
})
