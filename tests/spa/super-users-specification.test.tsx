import { afterEach, expect, vi } from 'vitest'
import { page } from 'vitest/browser'
import { StaffRole } from '#contract/base/staff.ts'
import { test } from '#tests/harness/spa/spa-bridge.ts'
import { changeResponses, failProcedure, failRequests } from '#tests/spa/fake-network.ts'
import {
  dialog,
  FIRST,
  field,
  listed,
  openSuperUsers,
  press,
  roleSelect,
  row,
  toast,
} from '#tests/spa/super-users.ts'
import { addStaff, openAs } from './staff.ts'

// Follows the specification's section on Super Users.

afterEach(() => vi.restoreAllMocks())

const useDesktopWidth = () => page.viewport(1_440, 900)

test('section 2: a table with #, Email Address, Role, Actions (edit, delete)', async ({
  testApp,
}) => {
  await useDesktopWidth()
  await openSuperUsers(testApp, 'editor')
  const heads = page.getByRole('columnheader').elements()
  expect(heads.map(({ textContent }) => textContent)).toEqual([
    '#',
    'Email Address',
    'Role',
    'Actions',
  ])
  expect(listed()[1]).toBe('2 editor@staff.example editor')
  const editor = row('editor@staff.example')
  await expect.element(editor.getByRole('button', { name: /^Edit/ })).toBeEnabled()
  await expect.element(editor.getByRole('button', { name: /^Delete/ })).toBeEnabled()
  await expect.element(page.getByRole('button', { name: 'Add New User' })).toBeVisible()
})

test("section 2: empty state 'No admin users found.'", async ({ testApp }) => {
  await useDesktopWidth()
  changeResponses((answer) => answer.replace(/"users":\[.*?\]/, '"users":[]'))
  const { email } = await addStaff(testApp, 'superuser')
  await openAs(email, '/admin-home/superusers')
  await expect.element(page.getByText('No admin users found.')).toBeVisible()
})

test("section 2: the add modal is titled 'Add New Super User' (email, role select, password with a visibility toggle, Cancel, 'Add User')", async ({
  testApp,
}) => {
  await useDesktopWidth()
  await openSuperUsers(testApp)
  await page.getByRole('button', { name: 'Add New User' }).click()
  await expect.element(page.getByRole('heading', { name: 'Add New Super User' })).toBeVisible()
  await expect.element(field('Email')).toHaveFocus()
  const options = roleSelect().getByRole('option').elements()
  expect(options.map((one) => one.getAttribute('value'))).toEqual(['', ...StaffRole.options])
  await expect.element(field('Password')).toHaveAttribute('type', 'password')
  await dialog().getByRole('button', { name: 'Show password' }).click()
  await expect.element(field('Password')).toHaveAttribute('type', 'text')
  await expect.element(dialog().getByRole('button', { name: 'Add User' })).toBeVisible()
  await press('Cancel')
  await expect.element(dialog()).not.toBeInTheDocument()
})

test("section 5: email, role and password all required, else 'All fields are required.'", async ({
  testApp,
}) => {
  await useDesktopWidth()
  await openSuperUsers(testApp)
  await page.getByRole('button', { name: 'Add New User' }).click()
  await press('Add User')
  await expect
    .element(dialog().getByRole('alert'))
    .toMatchTextContent(/^All fields are required\.$/)
  await field('Email').fill('nora@staff.example')
  await roleSelect().selectOptions('editor')
  await press('Add User')
  await expect.element(dialog().getByRole('alert')).toMatchTextContent(/All fields are required\./)
  // The form keeps its values.
  await expect.element(field('Email')).toHaveValue('nora@staff.example')
  await expect.element(roleSelect()).toHaveValue('editor')
  await field('Password').fill(FIRST)
  await press('Add User')
  await expect.element(row('nora@staff.example')).toBeVisible()
  await expect.element(dialog()).not.toBeInTheDocument()
})

test("section 2: the edit modal is titled 'Edit User Role' (email read-only, role select, Cancel, 'Update Role'); section 8: toast 'User role updated successfully!'", async ({
  testApp,
}) => {
  await useDesktopWidth()
  await openSuperUsers(testApp, 'editor')
  await row('editor@staff.example').getByRole('button', { name: /^Edit/ }).click()
  await expect.element(page.getByRole('heading', { name: 'Edit User Role' })).toBeVisible()
  await expect.element(field('Email')).toHaveAttribute('readonly')
  await expect.element(field('Email')).toHaveValue('editor@staff.example')
  await expect.element(dialog().getByRole('button', { name: 'Cancel' })).toBeVisible()
  await roleSelect().selectOptions('author')
  await press('Update Role')
  await expect.element(toast('User role updated successfully!')).toBeVisible()
  expect(listed()[1]).toBe('2 editor@staff.example author')
})

test("section 5: edit role: a role is required, else 'Please select a role.'", async ({
  testApp,
}) => {
  await useDesktopWidth()
  await openSuperUsers(testApp, 'editor')
  await row('editor@staff.example').getByRole('button', { name: /^Edit/ }).click()
  await roleSelect().selectOptions('')
  await press('Update Role')
  await expect.element(roleSelect()).toHaveAccessibleDescription(/Please select a role\.$/)
})

test("section 2: delete confirmation: 'Are you sure you want to delete this ?' with Yes and No", async ({
  testApp,
}) => {
  await useDesktopWidth()
  await openSuperUsers(testApp, 'editor')
  const remove = row('editor@staff.example').getByRole('button', { name: /^Delete/ })
  await remove.click()
  await expect
    .element(dialog().getByText('Are you sure you want to delete this ?', { exact: true }))
    .toBeVisible()
  await press('No')
  await expect.element(row('editor@staff.example')).toBeVisible()
  await remove.click()
  await press('Yes')
  await expect.element(row('editor@staff.example')).not.toBeInTheDocument()
})

test("section 8: add user: a toast with the server message, plus inline 'Failed to add user.'", async ({
  testApp,
}) => {
  await useDesktopWidth()
  await openSuperUsers(testApp, 'editor')
  await page.getByRole('button', { name: 'Add New User' }).click()
  await field('Email').fill('editor@staff.example')
  await roleSelect().selectOptions('author')
  await field('Password').fill(FIRST)
  await press('Add User')
  const said = 'Someone on the staff already has this email address.'
  await expect.element(page.getByText(said).first()).toBeVisible()
  await expect.element(dialog().getByRole('alert')).toMatchTextContent(/Failed to add user\./)
  await expect.element(field('Email')).toHaveValue('editor@staff.example')
  await expect.element(field('Email')).toHaveAccessibleDescription(said)
})

test("section 8: add or edit user: 'Something went wrong.' where the server says nothing, plus inline 'Failed to add user.' or 'Failed to update role.'", async ({
  testApp,
}) => {
  await useDesktopWidth()
  await openSuperUsers(testApp, 'editor')
  failRequests('superUsers.add')
  await page.getByRole('button', { name: 'Add New User' }).click()
  await field('Email').fill('nora@staff.example')
  await roleSelect().selectOptions('author')
  await field('Password').fill(FIRST)
  await press('Add User')
  await expect.element(toast('Something went wrong.')).toBeVisible()
  await expect.element(dialog().getByRole('alert')).toMatchTextContent(/Failed to add user\./)
  await expect.element(field('Password')).toHaveValue(FIRST)
  vi.restoreAllMocks()
  await press('Cancel')
  failProcedure('superUsers.changeRole', 'busy')
  await row('editor@staff.example').getByRole('button', { name: /^Edit/ }).click()
  await roleSelect().selectOptions('author')
  await press('Update Role')
  await expect
    .element(toast('We are very busy right now. Try again in a few seconds.'))
    .toBeVisible()
  await expect.element(dialog().getByRole('alert')).toMatchTextContent(/Failed to update role\./)
  await expect.element(roleSelect()).toHaveValue('author')
})

test("section 8: delete user: 'Something went wrong. Try again.' with no response, else the message", async ({
  testApp,
}) => {
  await useDesktopWidth()
  await openSuperUsers(testApp, 'editor')
  const remove = row('editor@staff.example').getByRole('button', { name: /^Delete/ })
  failRequests('superUsers.remove')
  await remove.click()
  await press('Yes')
  await expect.element(toast('Something went wrong. Try again.')).toBeVisible()
  vi.restoreAllMocks()
  await press('No')
  failProcedure('superUsers.remove', 'last_superuser')
  await remove.click()
  await press('Yes')
  await expect
    .element(dialog().getByRole('alert'))
    .toMatchTextContent(/At least one superuser must remain\./)
})

test('section 6: the four roles all reach the screen', async ({ testApp }) => {
  await useDesktopWidth()
  const { email } = await addStaff(testApp, 'author')
  await openAs(email, '/admin-home/superusers')
  await expect.element(page.getByRole('heading', { name: 'Super Users' })).toBeVisible()
  await expect.element(page.getByRole('button', { name: 'Add New User' })).toBeDisabled()
})
