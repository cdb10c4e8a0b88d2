import { checkScreen, expect, test } from './fixtures.ts'
import { uniqueName } from './steps.ts'

test('a message to the site: errors first, then the network gone, then sent @once', async ({
  page,
  context,
  problems,
}) => {
  problems.expect(
    /messages\.contact.*ERR_INTERNET_DISCONNECTED/,
    /ERR_INTERNET_DISCONNECTED.*contact/,
    /captcha.*ERR_INTERNET_DISCONNECTED/,
    /ERR_INTERNET_DISCONNECTED.*captcha/,
  )
  await page.goto('/contact-us')
  await checkScreen(page)
  const field = (name: string) => page.getByRole('textbox', { name, exact: true })
  const send = page.getByRole('button', { name: 'Send message' })

  await field('Message').fill('Do you also list opticians?')
  await field('Email').fill('ann@')
  await send.click()
  const summary = page.getByRole('alert').filter({ hasText: 'There is a problem' })
  await expect(summary).toBeFocused()
  await expect(summary.getByRole('link')).toHaveText([
    'Enter your first name.',
    'Enter your last name.',
    'Enter a valid email address.',
  ])
  await expect(field('Message')).toHaveValue('Do you also list opticians?')
  await expect(field('Email')).toHaveValue('ann@')
  await checkScreen(page)
  await summary.getByRole('link', { name: 'Enter your last name.' }).press('Enter')
  await expect(field('Last name')).toBeFocused()

  const last = uniqueName()
  await field('Last name').fill(last)
  await field('First name').fill('Ann')
  await field('Email').fill('ann@example.org')
  await expect(summary).toBeHidden()
  await context.setOffline(true)
  await expect(page.getByRole('status').filter({ hasText: 'You’re offline.' })).toBeVisible()
  await send.click()
  await expect(page.getByRole('alert')).toContainText('You’re offline.')
  await checkScreen(page)
  for (const [name, value] of Object.entries({ 'First name': 'Ann', 'Last name': last })) {
    await expect(field(name)).toHaveValue(value)
  }
  await expect(field('Message')).toHaveValue('Do you also list opticians?')

  await context.setOffline(false)
  await expect(page.getByText('You’re back online.')).toBeVisible()
  // The server rejects a form filled in faster than this.
  await page.waitForTimeout(3_000)
  await send.click()
  await expect(page.getByRole('status').filter({ hasText: 'Message sent' })).toBeFocused()
  await checkScreen(page)
  await expect(async () => {
    await page.goto('/demo/mailbox')
    const mail = page.getByRole('listitem').filter({ hasText: `Message from Ann ${last}` })
    await expect(mail).toContainText('support@', { timeout: 200 })
  }).toPass()
})
