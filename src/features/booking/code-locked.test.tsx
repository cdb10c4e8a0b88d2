import { expect } from 'vitest'
import { page } from 'vitest/browser'
import { test } from '#tests/harness/spa/spa-bridge.ts'
import {
  back,
  codeField,
  heading,
  mailedCode,
  openCheckout,
  PURPOSE,
  purposeField,
  toConfirmation,
} from '#tests/spa/checkout.ts'

// security.md, section 7 B, line 13.

test('13: the sixth wrong code locks it; what was typed, the time and the hold are kept', async ({
  testApp,
}) => {
  await openCheckout(testApp)
  await toConfirmation()
  const right = Number(await mailedCode(testApp))
  for (let wrong = 1; wrong <= 6; wrong += 1) {
    await codeField().fill(String((right + wrong) % 1_000_000).padStart(6, '0'))
    const said = wrong < 6 ? /Invalid OTP/ : /Too many attempts\. Request a new code\./
    await expect.element(codeField()).toHaveAccessibleDescription(said)
  }
  await expect.element(page.getByRole('timer')).toMatchTextContent(/^Held for you 1[45]:\d\d$/)
  await back().click()
  await expect.element(heading()).toHaveTextContent('Purpose of your visit')
  await expect.element(purposeField()).toHaveValue(PURPOSE)
})
