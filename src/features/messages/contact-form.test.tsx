import { afterEach, expect, vi } from 'vitest'
import { page } from 'vitest/browser'
import { test } from '#tests/harness/spa/spa-bridge.ts'
import { openPage, openSignedIn } from '#tests/harness/spa/spa-page.tsx'

afterEach(() => vi.restoreAllMocks())

const field = (name: string) => page.getByRole('textbox', { name, exact: true })
const send = () => page.getByRole('button', { name: 'Send message' })

async function fillIn(): Promise<void> {
  await field('First name').fill('Ann')
  await field('Last name').fill("O'Neill")
  await field('Email').fill('ann@example.org')
  await field('Message').fill('Do you also list opticians?')
}

/** Advances the page's clock, which the form uses to detect bots. */
function afterSeconds(seconds: number): void {
  const now = performance.now.bind(performance)
  vi.spyOn(performance, 'now').mockImplementation(() => now() + seconds * 1_000)
}

test('sending nothing lists every problem, takes focus and leads to the fields', async () => {
  await openPage('/contact-us')
  await send().click()
  const summary = page.getByRole('alert')
  await expect.element(summary).toHaveFocus()
  await expect.element(summary.getByRole('heading', { name: 'There is a problem' })).toBeVisible()
  expect(
    summary
      .getByRole('link')
      .elements()
      .map((link) => link.textContent),
  ).toEqual([
    'Enter your first name.',
    'Enter your last name.',
    'Enter your email address.',
    'Enter your message.',
  ])
  await summary.getByRole('link', { name: 'Enter your email address.' }).click()
  await expect.element(field('Email')).toHaveFocus()
})

test('a wrong address is said on leaving the field, and the error goes once it is right', async () => {
  await openPage('/contact-us')
  await field('Email').fill('ann@')
  await field('Message').click()
  await expect.element(field('Email')).toHaveAccessibleDescription(/Enter a valid email address\./)
  await field('Email').fill('ann@example.org')
  await expect.element(field('Email')).not.toHaveAttribute('aria-invalid')
})

test('a message is taken and answered with its reference', async () => {
  await openPage('/contact-us')
  await fillIn()
  afterSeconds(10)
  await send().click()
  const receipt = page.getByRole('status').filter({ hasText: 'Message sent' })
  await expect.element(receipt).toHaveFocus()
  await expect.element(receipt).toMatchTextContent(/Reference: msg_[0-9a-z]{26}/)
})

test('a message sent at robot speed is refused in words, and nothing typed is lost', async () => {
  await openPage('/contact-us')
  vi.spyOn(performance, 'now').mockReturnValue(performance.now())
  await fillIn()
  await send().click()
  await expect
    .element(page.getByRole('alert'))
    .toMatchTextContent(/That was very quick. Wait a moment, then send it again./)
  await expect.element(field('Message')).toHaveValue('Do you also list opticians?')
})

test('with the network cut the form says so and keeps what was typed', async () => {
  await openPage('/contact-us')
  await fillIn()
  vi.spyOn(globalThis, 'fetch').mockRejectedValue(new TypeError('Failed to fetch'))
  await send().click()
  const alert = page.getByRole('alert')
  await expect.element(alert).toMatchTextContent(/You’re offline/)
  // The alert has focus: above the form it would be out of sight of the button just pressed.
  await expect.poll(() => document.activeElement).toBe(alert.element().parentElement)
  await expect.element(field('First name')).toHaveValue('Ann')
})

test('whoever is signed in finds their name and email filled in, and may change them', async ({
  testApp,
}) => {
  const account = await testApp.addAccount()
  const { router } = await openSignedIn(account, '/contact-us')
  await expect.element(field('First name')).toHaveValue('Maya')
  await expect.element(field('Last name')).toHaveValue('Ellis')
  await expect.element(field('Email')).toHaveValue(account.email)
  await field('Email').fill('')
  await field('First name').fill('May')
  await expect.element(field('Email')).toHaveValue('')
  await router.invalidate()
  await expect.element(field('First name')).toHaveValue('May')
  await expect.element(field('Email')).toHaveValue('')
})

test('a visitor finds the form empty', async () => {
  await openPage('/contact-us')
  await expect.element(field('First name')).toHaveValue('')
  await expect.element(field('Email')).toHaveValue('')
})
