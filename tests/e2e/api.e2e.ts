import { mailBody, makePerson, openMail, sectionOf, signIn } from './accounts.ts'
import { createAccount } from './booking.ts'
import { checkScreen, expect, test } from './fixtures.ts'

test('the documentation fits any width, and a path shows how to call it @desktop', async ({
  page,
}) => {
  for (const width of [360, 768, 1440]) {
    await page.setViewportSize({ width, height: 900 })
    await page.goto('/api/docs')
    await expect(page.getByRole('heading', { name: '4. Search' })).toBeVisible()
    const overflow = () =>
      page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      )
    expect(await overflow()).toBe(0)
  }
  await page.getByRole('button', { name: /Delete a bank account/ }).click()
  await expect(page.getByText('curl -s -X DELETE')).toBeVisible()
  await page.getByRole('button', { name: 'Try it out' }).click()
  await expect(page.getByRole('button', { name: 'Execute' })).toBeVisible()
})

test('a user creates a token, uses it from a script and revokes it, and it stops working @once', async ({
  page,
}) => {
  const ann = makePerson('patient')
  await createAccount(page, ann)
  await signIn(page, ann)
  await page.goto('/userProfile#tokens')
  const part = sectionOf(page, 'Access tokens')
  const dialog = page.getByRole('dialog').filter({ has: page.getByRole('heading') })
  const press = (name: string) => dialog.getByRole('button', { name, exact: true }).click()
  await expect(part).toContainText('You have no access tokens.')

  await part.getByRole('button', { name: 'Create a token' }).click()
  await press('Create token')
  await expect(page.getByRole('alert').getByRole('link')).toHaveText([
    'Give the token a name, such as what uses it.',
    'Choose at least one thing the token may do.',
  ])
  await checkScreen(page)
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Kitchen calendar')
  await dialog.getByRole('checkbox', { name: 'See your name, address and profile' }).check()
  await dialog.getByRole('combobox').selectOption('30')
  await press('Create token')
  const secret = dialog.getByLabel('Access token', { exact: true })
  await expect(secret).toHaveText(/^apo_[\w-]{43}$/)
  await checkScreen(page)
  const token = (await secret.textContent()) ?? ''
  await press('I’ve saved it')
  await expect(part.getByRole('listitem')).toContainText('Never used')
  await expect(part.getByRole('listitem')).toContainText('See your name, address and profile.')

  const { origin } = new URL(page.url())
  const asScript = async (path: string) => {
    const headers = { authorization: `Bearer ${token}` }
    const answer = await fetch(`${origin}${path}`, { headers })
    return { status: answer.status, text: await answer.text() }
  }
  const me = await asScript('/trpc/auth.me')
  expect([me.status, me.text]).toEqual([200, expect.stringContaining(ann.email)])
  const visits = await asScript('/trpc/booking.visits?input={"when":"coming"}')
  expect([visits.status, visits.text]).toEqual([403, expect.stringContaining('visits:read')])
  await page.reload()
  await expect(part.getByRole('listitem')).toContainText('Last used')

  await part.getByRole('button', { name: 'Revoke Kitchen calendar' }).click()
  await press('Revoke')
  await expect(part).toContainText('You have no access tokens.')
  const refused = await asScript('/trpc/auth.me')
  expect([refused.status, refused.text]).toEqual([
    401,
    expect.stringContaining('This access token no longer works.'),
  ])

  await openMail(page, ann.email, 'An access token was created')
  await expect(mailBody(page).getByText('Kitchen calendar')).toBeVisible()
})
