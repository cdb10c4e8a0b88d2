import { expect } from 'vitest'
import { page } from 'vitest/browser'
import { type Backend, test } from '#tests/harness/spa/spa-bridge.ts'
import { openPage, openSignedIn } from '#tests/harness/spa/spa-page.tsx'
import { checkoutOf, heading, timer } from '#tests/spa/checkout.ts'

/** A provider with whom somebody on this network holds three times, as many as go without a check. */
async function makeSoughtProvider(testApp: Backend): Promise<string> {
  const { id } = await testApp.addProvider()
  const { router, screen } = await openSignedIn(await testApp.addAccount(), '/about-us')
  const { client } = router.options.context
  const { days } = await client.availability.freeTimes.query({ providerId: id, from: '2026-03-03' })
  const times = days.flatMap(({ slots }) => slots).slice(-3)
  for (const { startsAt } of times) {
    await client.booking.hold.mutate({ providerId: id, startsAt })
  }
  await client.auth.signOut.mutate({})
  await screen.unmount()
  return id
}

const check = () => page.getByRole('region', { name: 'Confirm you’re not a robot' })
const holdIt = () => check().getByRole('button', { name: 'Hold this time' })

test('a patient passes a check where their network holds three times, then goes on', async ({
  testApp,
}) => {
  const id = await makeSoughtProvider(testApp)
  await openSignedIn(await testApp.addAccount(), checkoutOf(id))
  await expect.element(heading()).toHaveTextContent('One check before we hold your time')
  await holdIt().click()
  await expect.element(timer()).toMatchTextContent(/^Held for you 1[45]:\d\d$/)
})

test('so does a visitor, who can sign in without it', async ({ testApp }) => {
  const id = await makeSoughtProvider(testApp)
  await openPage(checkoutOf(id))
  await expect.element(page.getByRole('link', { name: 'Register as a patient' })).toBeVisible()
  await holdIt().click()
  await expect.element(timer()).toMatchTextContent(/^Held for you 1[45]:\d\d$/)
  await expect.element(check()).not.toBeInTheDocument()
})
