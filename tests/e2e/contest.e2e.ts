import { checkScreen, expect, test } from './fixtures.ts'

const STATEMENT = 'I sat in the waiting room from ten to two, and nobody called me.'

test('a patient contests a missed visit with the keyboard, and staff decide for them @once', async ({
  page,
  secondPage,
}) => {
  await page.goto('/')
  await page.getByRole('button', { name: 'Enter as a patient (patient@demo.example)' }).click()
  await expect(page).toHaveURL('/home')
  await page.goto('/userProfile?section=visits')
  const past = page.getByRole('region', { name: /^Past/ })
  const visit = past.getByRole('listitem').filter({ hasText: 'Your provider says you didn’t come' })
  const reference = /AP-\w{4}-\w{2}/.exec(await visit.first().innerText())?.[0] ?? ''
  await visit
    .first()
    .getByRole('button', { name: /^That’s not right/ })
    .press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Tell us what happened' })
  await dialog.getByRole('radio', { name: 'I was there' }).press('Space')
  await dialog.getByRole('button', { name: 'Send' }).press('Enter')
  const words = dialog.getByRole('textbox', { name: 'In your own words' })
  await expect(words).toHaveAccessibleDescription(/Tell us what happened\./)
  await checkScreen(page)
  await words.fill(STATEMENT)
  await dialog.getByRole('button', { name: 'Send' }).press('Enter')
  await expect(past.getByText(/We’ll email you our decision\./).first()).toBeVisible()
  await checkScreen(page)

  await secondPage.goto('/')
  await secondPage.getByRole('button', { name: 'Enter as a superuser' }).first().click()
  await expect(secondPage).toHaveURL('/admin-home')
  await secondPage.goto('/admin-home/claims')
  const claim = secondPage.getByRole('article').filter({ hasText: reference })
  await expect(claim.getByText(STATEMENT)).toBeVisible()
  await expect(claim.getByText(/^None yet\. They have until/)).toBeVisible()
  await claim.getByRole('button', { name: /^Decide about/ }).press('Enter')
  await claim
    .getByRole('textbox', { name: 'Why' })
    .fill('The practice confirms that they were there.')
  await checkScreen(secondPage)
  await claim.getByRole('button', { name: 'Decide', exact: true }).press('Enter')
  await expect(claim).toBeHidden()

  await page.reload()
  const decided = past.getByRole('listitem').filter({ hasText: reference })
  await expect(decided.getByText('Missed', { exact: true })).toBeHidden()
})
