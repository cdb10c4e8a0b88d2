import { expect } from 'vitest'
import { page } from 'vitest/browser'
import { test } from '#tests/harness/spa/spa-bridge.ts'
import { openPage } from '#tests/harness/spa/spa-page.tsx'
import { openDashboard } from '#tests/spa/dashboard.ts'

const heading = () => page.getByRole('heading', { level: 1 })
const stop = () => page.getByRole('button', { name: 'Stop these emails' })

test('“This isn’t me” asks first, and works without signing in', async ({ testApp }) => {
  const { router, screen } = await openDashboard(testApp, '/dochome')
  await router.options.context.client.booking.addDesk.mutate({
    kind: 'walk_in',
    name: 'Vera Victim',
    email: 'vera@victim.example',
    slot: { startsAt: '2026-03-10T10:00:00Z' },
  })
  const [mail] = await testApp.readMails()
  const url = /https?:\/\/\S+(\/not-me\/\S+)/.exec(mail?.text ?? '')?.[1] ?? ''
  await router.options.context.client.auth.signOut.mutate({})
  await screen.unmount()
  await openPage(url)
  await expect.element(heading()).toHaveTextContent('Isn’t this you?')
  await stop().click()
  await expect.element(heading()).toHaveTextContent('You won’t get these emails any more')
  await expect.element(stop()).not.toBeInTheDocument()
})

test('a damaged link says so', async () => {
  await openPage('/not-me/damaged')
  await stop().click()
  await expect
    .element(page.getByRole('alert'))
    .toMatchTextContent(/The emails aren’t stopped yet.*Copy the whole address from the email\./)
})
