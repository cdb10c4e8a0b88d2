import { fillInPerson, mailBody, makePerson, openMail, sendRegistration } from './accounts.ts'
import { findFreeTime, stepTitle } from './booking.ts'
import { checkScreen, expect, test } from './fixtures.ts'

test('a newcomer chooses a time, registers, confirms by email, and is in the checkout with it @once', async ({
  page,
}) => {
  const nell = makePerson('patient')
  const address = await findFreeTime(page)
  const timer = page.getByRole('timer')
  const card = page.getByRole('region', { name: 'Your appointment' })
  await page.goto(address.replace('/appointment/', '/doctor-profile/').replace('?', '/1.2?'))
  await page.getByRole('link', { name: /^Continue with / }).click()
  await expect(stepTitle(page)).toHaveText('Sign in to book this time')
  await expect(timer).toHaveText(/^Held for you 1[45]:\d\d$/)
  const time = new URL(page.url()).searchParams.get('time') ?? 'a time'
  await expect(card).toContainText(time)
  await checkScreen(page)

  await page.getByRole('link', { name: 'Register as a patient' }).click()
  await expect(stepTitle(page)).toHaveText('Register')
  await expect(card).toContainText(time)
  await checkScreen(page)
  await fillInPerson(page, nell, 'nell')
  await sendRegistration(page, 'patient')
  await expect(stepTitle(page)).toHaveText('Check your email')
  await expect(card).toContainText(time)
  await checkScreen(page)

  const opening = page.waitForEvent('popup')
  await page.getByRole('link', { name: /^Open the demo mailbox/ }).click()
  const mailbox = await opening
  await openMail(mailbox, nell.email, 'Confirm your email address')
  await mailBody(mailbox).getByRole('link', { name: 'Confirm my email address' }).click()
  await expect(mailbox).toHaveURL(/\/verify\/link\?next=/)
  await expect(mailbox.getByRole('region', { name: 'Your appointment' })).toContainText(time)
  await checkScreen(mailbox)
  await mailbox.getByRole('button', { name: 'Confirm my address' }).click()
  await expect(stepTitle(mailbox)).toHaveText('Appointment Info')
  await expect(mailbox).toHaveURL(new RegExp(address.split('?')[0] ?? 'nowhere'))
  await expect(mailbox.getByRole('timer')).toHaveText(/^Held for you 1[0-5]:\d\d$/)
  await checkScreen(mailbox)
  await mailbox.reload()
  await expect(mailbox.getByRole('timer')).toHaveText(/^Held for you 1[0-5]:\d\d$/)
  // All people of this run come from one network, which keeps only so many times at once.
  await mailbox.getByRole('button', { name: 'Back', exact: true }).click()
  await expect(mailbox).toHaveURL(/\/doctor-profile\//)
})
