import type { Page } from '@playwright/test'
import { accessOf, readFacts } from '#sandbox/link.ts'
import { makePaypal } from '#server/gateways/paypal.ts'
import { makeStripe } from '#server/gateways/stripe.ts'
import { sizes } from './harness/chromium.ts'
import { checkScreen, expect, test } from './harness/fixtures.ts'
import { currentSite } from './harness/site.ts'

/** Clients of the gateways of the server under test, through the sandbox it started. */
function gateways() {
  const access = async () => {
    const facts = await readFacts(currentSite().dataDir)
    if (facts === null) throw new Error('The server has not started a sandbox.')
    return accessOf(facts)
  }
  return {
    stripe: makeStripe({ now: Date.now, access: async () => (await access()).stripe }),
    paypal: makePaypal({ now: Date.now, access: async () => (await access()).paypal }),
  }
}

/** An order of 50 pounds, unique in the run; once paid, it redirects to the home page. */
function someOrder(site: string) {
  return {
    paymentId: `pay_${crypto.randomUUID().replaceAll('-', '')}`,
    bookingId: `apt_${crypto.randomUUID().replaceAll('-', '')}`,
    amountMinor: 5_000,
    currency: 'GBP' as const,
    email: 'jo@example.com',
    publicUrl: `${site}/home?from=`,
    expiresAt: Date.now() + 36 * 60_000,
  }
}

async function fillCard(page: Page, number: string): Promise<void> {
  await page.getByLabel('Card number').fill(number)
  await page.getByLabel('Expiry date').fill('12 / 34')
  await page.getByLabel('Security code').fill('123')
  await page.getByLabel('Name on card').fill('Jo Reed')
  await page.getByLabel('Postcode or ZIP code').fill('SE1 6ET')
}

const pay = (page: Page) => page.getByRole('button', { name: 'Pay £50.00' })
const banner = (page: Page) => page.getByText('Test payment, no real money')

async function openCardPage(page: Page, baseURL: string | undefined) {
  const { stripe } = gateways()
  const opened = await stripe.open(someOrder(baseURL ?? ''))
  await page.goto(`/sandbox/stripe/checkout?client_secret=${opened.clientSecret}`)
  return { ...opened, stripe }
}

for (const colorScheme of ['light', 'dark'] as const) {
  test(`the card page reports missing fields, declines and challenges, in ${colorScheme} @once`, async ({
    page,
    baseURL,
  }) => {
    await page.emulateMedia({ colorScheme })
    await openCardPage(page, baseURL)
    await expect(banner(page)).toBeVisible()
    await expect(page.getByRole('heading', { name: '£50.00' })).toBeVisible()

    await pay(page).click()
    await expect(page.getByText('Enter the name on the card.')).toBeVisible()
    await expect(page.getByLabel('Card number')).toBeFocused()
    await checkScreen(page)

    await page.setViewportSize({ width: 360, height: 320 })
    await fillCard(page, '4000000000000002')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('alert')).toHaveText('Your card was declined.')
    // The card number takes the focus, which scrolls a low window up to it.
    await expect(page.getByLabel('Card number')).toBeFocused()
    await expect(page.getByRole('alert')).toBeInViewport()

    await page.setViewportSize(sizes.phone)
    await page.getByText('Cards to try').click()
    await page.getByRole('button', { name: '4000 0025 0000 3155' }).click()
    await pay(page).click()
    await expect(page.getByRole('heading', { name: /is it you/ })).toBeFocused()
    await checkScreen(page)
    await page.getByRole('button', { name: 'Fail' }).click()
    await expect(page.getByRole('alert')).toContainText('unable to authenticate')
    await expect(banner(page)).toBeVisible()
  })
}

test('a card with authentication pays, and the buyer returns to the site @once', async ({
  page,
  baseURL,
}) => {
  const { session, stripe } = await openCardPage(page, baseURL)
  await fillCard(page, '4000 0025 0000 3155')
  await pay(page).click()
  await page.getByRole('button', { name: 'Complete' }).click()
  await page.waitForURL(`**/home?from=/return?session_id=${session}`)
  expect((await stripe.read({ session, gwPayment: null })).state).toBe('paid')
})

test('a session that expires under an open page shows it, and takes nothing @once', async ({
  page,
  baseURL,
}) => {
  const { session, stripe } = await openCardPage(page, baseURL)
  await stripe.close(session)
  await fillCard(page, '4242 4242 4242 4242')
  await pay(page).click()
  await expect(page.getByRole('heading', { name: 'This payment has ended' })).toBeVisible()
  expect((await stripe.read({ session, gwPayment: null })).state).toBe('closed')
})

test('the sandbox’s card script mounts one frame at a time, and reports the payment @once', async ({
  page,
  baseURL,
}) => {
  const { stripe } = gateways()
  const { clientSecret, session } = await stripe.open(someOrder(baseURL ?? ''))
  await page.goto('/company-profile')
  await page.addScriptTag({ url: '/sandbox/stripe.js' })
  const refusal = await page.evaluate(async (secret) => {
    // The page has no types for this script, which exists only in a demo.
    const script: unknown = Reflect.get(window, 'Stripe')
    if (typeof script !== 'function') throw new Error('no sandbox script')
    const made: unknown = Reflect.apply(script, undefined, ['pk_test_12345678'])
    if (!(made instanceof Object)) throw new Error('no instance')
    const create: unknown = Reflect.get(made, 'createEmbeddedCheckoutPage')
    if (typeof create !== 'function') throw new Error('no checkout')
    const checkout: unknown = await Reflect.apply(create, made, [{ clientSecret: secret }])
    if (!(checkout instanceof Object)) throw new Error('no checkout')
    const place = document.createElement('div')
    document.body.prepend(place)
    const mount: unknown = Reflect.get(checkout, 'mount')
    if (typeof mount === 'function') Reflect.apply(mount, checkout, [place])
    try {
      await Reflect.apply(create, made, [{ clientSecret: secret }])
      return null
    } catch (error) {
      return String(error)
    }
  }, clientSecret)
  expect(refusal).toBe('Error: You cannot have multiple Embedded Checkout objects.')
  const frame = page.frameLocator('iframe[title="Card payment"]')
  await frame.getByLabel('Card number').fill('4242 4242 4242 4242')
  await frame.getByLabel('Expiry date').fill('12 / 34')
  await frame.getByLabel('Security code').fill('123')
  await frame.getByLabel('Name on card').fill('Jo Reed')
  await frame.getByLabel('Postcode or ZIP code').fill('SE1 6ET')
  await frame.getByRole('button', { name: 'Pay £50.00' }).click()
  await page.waitForURL(`**/home?from=/return?session_id=${session}`)
})

/** Adds a wallet button to the page that pays `order`, and records the outcome. */
async function addWalletButton(page: Page, order: string): Promise<void> {
  await page.goto('/company-profile')
  await page.addScriptTag({ url: '/sandbox/paypal.js' })
  await page.evaluate(async (orderId) => {
    const paypal: unknown = Reflect.get(window, 'paypal')
    if (!(paypal instanceof Object)) throw new Error('no sandbox script')
    const create: unknown = Reflect.get(paypal, 'createInstance')
    if (typeof create !== 'function') throw new Error('no createInstance')
    const instance: unknown = await Reflect.apply(create, paypal, [{ clientId: 'x' }])
    if (!(instance instanceof Object)) throw new Error('no instance')
    const open: unknown = Reflect.get(instance, 'createPayPalOneTimePaymentSession')
    if (typeof open !== 'function') throw new Error('no session')
    const note = (text: string) => {
      document.documentElement.dataset['wallet'] = text
      return Promise.resolve()
    }
    const callbacks = {
      onApprove: (data: { orderId: string }) => note(`approved ${data.orderId}`),
      onCancel: () => void note('cancelled'),
      onError: (error: Error) => void note(String(error)),
    }
    const session: unknown = Reflect.apply(open, instance, [callbacks])
    const button = document.createElement('paypal-button')
    button.addEventListener('click', () => {
      if (!(session instanceof Object)) return
      const start: unknown = Reflect.get(session, 'start')
      if (typeof start !== 'function') return
      // The order arrives after a delay, as from a server.
      const promised = new Promise((resolve) => setTimeout(() => resolve({ orderId }), 200))
      Reflect.apply(start, session, [{ presentationMode: 'popup' }, promised])
    })
    document.body.prepend(button)
  }, order)
}

test('the wallet opens on click, can be cancelled, and can be approved @once', async ({
  page,
  baseURL,
}) => {
  const { paypal } = gateways()
  const order = someOrder(baseURL ?? '')
  const { session } = await paypal.open(order)
  await addWalletButton(page, session)
  const button = page.getByRole('button', { name: 'Pay with PayPal' })

  const [first] = await Promise.all([page.waitForEvent('popup'), button.click()])
  await expect(first.getByRole('heading', { name: '£50.00' })).toBeVisible()
  await expect(banner(first)).toBeVisible()
  await checkScreen(first)
  await Promise.all([
    first.waitForEvent('close'),
    first.getByRole('button', { name: 'Cancel' }).click(),
  ])
  await expect(page.locator('html')).toHaveAttribute('data-wallet', 'cancelled')

  const [second] = await Promise.all([page.waitForEvent('popup'), button.click()])
  const payNow = second.getByRole('button', { name: 'Pay now' })
  await Promise.all([second.waitForEvent('close'), payNow.click()])
  await expect(page.locator('html')).toHaveAttribute('data-wallet', `approved ${session}`)
  expect((await paypal.read({ session, gwPayment: null })).state).toBe('approved')
  expect((await paypal.capture(session, order.paymentId)).state).toBe('paid')
})

test.describe('the operator’s page', () => {
  // Only the local machine may open this page; other tests send another address.
  test.use({ extraHTTPHeaders: {} })

  test('shows the stored records and ends a session @once', async ({ page, baseURL }) => {
    const { stripe } = gateways()
    const { session } = await stripe.open(someOrder(baseURL ?? ''))
    await page.goto('/sandbox')
    await expect(page.getByRole('heading', { name: 'Card sessions' })).toBeVisible()
    await checkScreen(page)
    await page.getByRole('button', { name: `Expire ${session}` }).click()
    await expect(page.getByRole('button', { name: `Expire ${session}` })).toBeHidden()
    expect((await stripe.read({ session, gwPayment: null })).state).toBe('closed')
    await expect(page.getByText('checkout.session.expired').first()).toBeVisible()
  })
})

test('from another machine the operator’s page is not found @once', async ({ page, problems }) => {
  problems.expect(/answered 404: \/sandbox/, /console error: Failed to load resource.*404/)
  const answer = await page.goto('/sandbox')
  expect(answer?.status()).toBe(404)
})
