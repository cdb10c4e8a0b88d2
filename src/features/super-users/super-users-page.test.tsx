import { afterEach, expect, vi } from 'vitest'
import { page } from 'vitest/browser'
import { test } from '#tests/harness/spa/spa-bridge.ts'
import { openPage, PASSWORD } from '#tests/harness/spa/spa-page.tsx'
import { addStaff, openAs, signInAsStaff } from '#tests/spa/staff.ts'
import {
  dialog,
  FIRST,
  field,
  listed,
  openSuperUsers,
  press,
  roleSelect,
  row,
} from '#tests/spa/super-users.ts'

const MINUTE = 60_000

afterEach(() => vi.restoreAllMocks())

test('one’s own row and that of the last superuser cannot be changed, with the reason beside', async ({
  testApp,
}) => {
  await page.viewport(1_440, 900)
  await openSuperUsers(testApp, 'admin')
  const own = row('superuser@staff.example')
  for (const name of [/^Edit/, /^Delete/]) {
    const button = own.getByRole('button', { name })
    await expect.element(button).toBeDisabled()
    await expect.element(button).toHaveAccessibleDescription('At least one superuser must remain.')
  }
  await addStaff(testApp, 'superuser', { email: 'second@staff.example' })
  await page.getByRole('link', { name: 'Audit log' }).click()
  await page.getByRole('link', { name: 'Super users' }).click()
  await expect.element(row('second@staff.example')).toBeVisible()
  await expect
    .element(own.getByRole('button', { name: /^Edit/ }))
    .toHaveAccessibleDescription('You can’t change or remove yourself.')
  await expect
    .element(row('second@staff.example').getByRole('button', { name: /^Delete/ }))
    .toBeEnabled()
})

test('an admin sees whom there is and why nothing can be changed; an editor sees masked addresses', async ({
  testApp,
}) => {
  await page.viewport(1_440, 900)
  await addStaff(testApp, 'superuser')
  const { email } = await addStaff(testApp, 'editor')
  await openAs(email, '/admin-home/superusers')
  await expect.element(page.getByText('Only superusers may do this.')).toBeVisible()
  await expect.element(page.getByRole('button', { name: 'Add New User' })).toBeDisabled()
  await expect
    .element(page.getByRole('button', { name: 'Add New User' }))
    .toHaveAccessibleDescription('Only superusers may do this.')
  await expect.poll(() => listed()[0]).toBe('1 suxxxxxxxxxxxxxxxxxxxxx superuser')
  for (const button of page.getByRole('button', { name: /^(Edit|Delete)/ }).all()) {
    await expect.element(button).toBeDisabled()
  }
})

test('a proof that is too old is asked for in the place of the form, which keeps what was typed', async ({
  testApp,
}) => {
  await page.viewport(1_440, 900)
  await openSuperUsers(testApp)
  await testApp.advanceClock(6 * MINUTE)
  await page.getByRole('button', { name: 'Add New User' }).click()
  await field('Email').fill('nora@staff.example')
  await roleSelect().selectOptions('admin')
  await field('Password').fill(FIRST)
  await press('Add User')
  await expect.element(page.getByRole('heading', { name: 'Confirm it’s you' })).toBeVisible()
  await press('Back')
  await expect.element(field('Email')).toHaveValue('nora@staff.example')
  await expect.element(dialog().getByRole('alert')).not.toBeInTheDocument()
  await press('Add User')
  await field('Your password').fill(PASSWORD)
  await press('Confirm and add')
  await expect.element(row('nora@staff.example')).toBeVisible()
  await expect.element(row('nora@staff.example')).toMatchTextContent(/First password not replaced/)
})

test('somebody changed meanwhile is not changed again unseen', async ({ testApp }) => {
  await page.viewport(1_440, 900)
  const { router } = await openSuperUsers(testApp, 'editor')
  await row('editor@staff.example')
    .getByRole('button', { name: /^Delete/ })
    .click()
  const { superUsers } = router.options.context.client
  const { users } = await superUsers.list.query()
  const editor = users.find(({ role }) => role === 'editor')
  if (editor === undefined) throw new Error('The editor is not there.')
  await superUsers.changeRole.mutate({ id: editor.id, role: 'author' })
  await press('Yes')
  await expect
    .element(dialog().getByRole('alert'))
    .toMatchTextContent(/Someone else has changed this account since you opened it\./)
  await expect.poll(() => listed()[1]).toBe('2 editor@staff.example author')
  // Once that has been said, the role they have now is shown, and they can be removed.
  await expect.element(dialog().getByText('author', { exact: true })).toBeVisible()
  await press('Yes')
  await expect.poll(() => listed()).toHaveLength(1)
})

test('a role changed meanwhile is changed again once that has been said', async ({ testApp }) => {
  await page.viewport(1_440, 900)
  const { router } = await openSuperUsers(testApp, 'editor')
  await row('editor@staff.example').getByRole('button', { name: /^Edit/ }).click()
  const { superUsers } = router.options.context.client
  const { users } = await superUsers.list.query()
  const editor = users.find(({ role }) => role === 'editor')
  if (editor === undefined) throw new Error('The editor is not there.')
  await superUsers.changeRole.mutate({ id: editor.id, role: 'author' })
  await dialog().getByRole('combobox').selectOptions('admin')
  await press('Update Role')
  await expect
    .element(dialog().getByRole('alert'))
    .toMatchTextContent(/Someone else has changed this account since you opened it\./)
  await expect.poll(() => listed()[1]).toBe('2 editor@staff.example author')
  await press('Update Role')
  await expect.element(page.getByText('User role updated successfully!')).toBeVisible()
  await expect.poll(() => listed()[1]).toBe('2 editor@staff.example admin')
})

test('on phones each colleague is a card with the same actions', async ({ testApp }) => {
  await page.viewport(360, 740)
  const { email } = await addStaff(testApp, 'superuser')
  await addStaff(testApp, 'editor')
  await openAs(email, '/admin-home/superusers')
  const card = page.getByRole('listitem').filter({ hasText: 'editor@staff.example' })
  await card.getByRole('button', { name: /^Edit/ }).click()
  await expect.element(field('Email')).toHaveValue('editor@staff.example')
})

test('a newcomer signs in with the first password, chooses another and is in', async ({
  testApp,
}) => {
  await page.viewport(1_440, 900)
  const { router } = await openSuperUsers(testApp)
  await page.getByRole('button', { name: 'Add New User' }).click()
  await field('Email').fill('nora@staff.example')
  await roleSelect().selectOptions('author')
  await field('Password').fill(FIRST)
  await press('Add User')
  await expect.element(row('nora@staff.example')).toBeVisible()
  await page.getByRole('button', { name: 'Logout' }).click()
  await expect.poll(() => router.state.location.pathname).toBe('/admin-signin')
  await signInAsStaff('nora@staff.example', FIRST)
  await expect
    .element(page.getByRole('heading', { name: 'Choose a password of your own' }))
    .toBeVisible()
  await page.getByRole('textbox', { name: 'New password', exact: true }).fill('a boat on the river')
  await page.getByRole('textbox', { name: 'Confirm new password' }).fill('a boat on the river')
  await page.getByRole('button', { name: 'Save and continue' }).click()
  await expect.poll(() => router.state.location.pathname).toBe('/admin-home')
})

test('the printed link of a new installation: its token leaves the address, and a dead one says so', async () => {
  const { router } = await openPage(`/admin-start#${'x'.repeat(43)}`)
  await expect
    .element(page.getByRole('heading', { name: 'Create the first superuser' }))
    .toBeVisible()
  await expect.poll(() => router.state.location.hash).toBe('')
  await page.getByRole('textbox', { name: 'Email' }).fill('ada@care.example')
  await page.getByRole('textbox', { name: 'Password', exact: true }).fill('a boat on the river')
  await page.getByRole('textbox', { name: 'Confirm password' }).fill('a boat on the river')
  await page.getByRole('button', { name: 'Create account' }).click()
  await expect
    .element(page.getByRole('alert'))
    .toMatchTextContent(/This link has expired or was already used\./)
})

test('loaded again without its token, the page says where to find the link', async () => {
  await openPage('/admin-start')
  await expect
    .element(page.getByRole('heading', { name: 'Open the printed link again' }))
    .toBeVisible()
})
