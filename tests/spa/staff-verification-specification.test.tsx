import { expect } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { type Backend, test } from '#tests/harness/spa/spa-bridge.ts'
import { openStaff } from './staff.ts'

const heading = (name: string) => page.getByRole('heading', { level: 1, name })
const button = (name: string | RegExp) => page.getByRole('button', { name })
const cells = () => [...document.querySelectorAll('td')].map((cell) => cell.textContent)
const status = (text: string | RegExp) => page.getByRole('status').filter({ hasText: text })

const good = { number: '7000001', name: 'Amara Okafor' }
const STRUCK_OFF = 'Not registered - erased after fitness to practise panel hearing'

const waiting = { verification_status: 'Unverified', verified_at: null } as const

async function addWaiting(testApp: Backend, more: object = {}) {
  return testApp.addProvider({ ...waiting, ...more })
}

async function openProvider(testApp: Backend, id: string) {
  const opened = await openStaff(testApp, 'admin', `/admin-home/providers/${id}`)
  await expect.element(page.getByRole('heading', { name: 'Registration' })).toBeVisible()
  return opened
}

test('2: /admin-home/providers and /admin-home/providers/verified are lists; details are at the two documented routes', async ({
  testApp,
}) => {
  const one = await addWaiting(testApp)
  const two = await testApp.addProvider({ first_name: 'Ben', last_name: 'Hughes' })
  const { router } = await openStaff(testApp, 'admin', '/admin-home/providers')
  await expect.element(heading('Providers')).toBeVisible()
  await expect.element(page.getByText('1 to 2 of 2 providers').first()).toBeVisible()
  await page.getByRole('link', { name: 'Dr Amara Okafor' }).first().click()
  await expect.element(heading('Dr Amara Okafor')).toBeVisible()
  expect(router.state.location.pathname).toBe(`/admin-home/providers/${one.id}`)
  await router.navigate({ to: '/admin-home/providers/verified' })
  await expect.element(heading('Verified providers')).toBeVisible()
  await expect.element(page.getByText('1 provider').first()).toBeVisible()
  await page.getByRole('link', { name: 'Dr Ben Hughes' }).first().click()
  await expect.element(heading('Dr Ben Hughes')).toBeVisible()
  expect(router.state.location.pathname).toBe(`/admin-home/verified-provider/${two.id}/uk`)
})

test('in another or an unknown region of the route nobody is found', async ({ testApp }) => {
  const { id } = await testApp.addProvider()
  const { router } = await openStaff(testApp, 'admin', `/admin-home/verified-provider/${id}/usa`)
  await expect.element(page.getByText('No such provider')).toBeVisible()
  await router.navigate({
    to: '/admin-home/verified-provider/$providerId/$region',
    params: { providerId: id, region: 'mars' },
  })
  await expect.element(page.getByText('No such provider')).toBeVisible()
  await page.getByRole('link', { name: 'All providers' }).click()
  await expect.element(heading('Providers')).toBeVisible()
})

test('3: verification status values are Verified and Unverified', async ({ testApp }) => {
  await addWaiting(testApp)
  await testApp.addProvider({ last_name: 'Hughes' })
  await openStaff(testApp, 'admin', '/admin-home/providers?sort=name')
  await expect.element(page.getByText('1 to 2 of 2 providers').first()).toBeVisible()
  const rows = [...document.querySelectorAll('li, tr')]
    .map((row) => row.textContent)
    .filter((text) => text.startsWith('Dr '))
  expect(rows.some((text) => /Hughes.*(?<!Un)Verified/.test(text))).toBe(true)
  expect(rows.some((text) => /Okafor.*Unverified/.test(text))).toBe(true)
})

test('4: the registry is queried; number and name equal is Verified, and the result is sent to the admin endpoint', async ({
  testApp,
}) => {
  await testApp.setRegister('GMC', [{ ...good, name: ' AMARA   okafor ' }])
  const { id, email } = await addWaiting(testApp)
  await testApp.addProof(id)
  await openProvider(testApp, id)
  await expect.element(page.getByText('The register hasn’t been checked yet.')).toBeVisible()
  await button('Look up').click()
  await expect.element(page.getByText('Everything matched').first()).toBeVisible()
  expect(cells()).toEqual([
    '7000001',
    '7000001',
    'Amara Okafor',
    'AMARA okafor',
    'RequiredRegistered with a licence to practise',
    'Registered with licence to practise',
  ])
  await button('Verify').click()
  await expect.element(status('Verification status updated successfully')).toBeVisible()
  await expect.element(page.getByText('Verified', { exact: true }).first()).toBeVisible()
  await expect.element(button('Verify')).not.toBeInTheDocument()
  const mails = await testApp.readMails()
  expect(mails.filter(({ to }) => to === email).map(({ subject }) => subject)).toEqual([
    'You are verified',
  ])
})

test('a Verified that the register does not confirm is refused with the reason', async ({
  testApp,
}) => {
  await testApp.setRegister('GMC', [{ ...good, status: STRUCK_OFF }])
  const { id, email } = await addWaiting(testApp)
  await openProvider(testApp, id)
  await button('Verify').click()
  await expect
    .element(page.getByRole('alert'))
    .toMatchTextContent(
      /The GMC register has ended the registration\. The provider stays Unverified\./,
    )
  // The register's response is kept, and labelled in words.
  await expect.element(page.getByText('Not eligible')).toBeVisible()
  expect(cells()).toContain(STRUCK_OFF)
  await button('Reject').click()
  const reason = page.getByRole('textbox', { name: 'Reason' })
  await expect.element(reason).toHaveFocus()
  await expect.element(reason).toHaveValue('The GMC register has ended the registration.')
  await reason.fill('')
  await button('Reject and tell them').click()
  await expect
    .element(page.getByText('Give the reason: the provider reads it.').first())
    .toBeVisible()
  await reason.fill('The register says you were struck off.')
  await button('Reject and tell them').click()
  await expect.element(status('Verification status updated successfully')).toBeVisible()
  await expect.element(page.getByText(/^Refused since/)).toBeVisible()
  const mails = await testApp.readMails()
  expect(mails.findLast(({ to }) => to === email)?.text).toContain('you were struck off')
})

test('8, verification lookup: the register’s error message is shown', async ({ testApp }) => {
  const { id } = await addWaiting(testApp)
  await openProvider(testApp, id)
  for (const words of [
    'Maintenance until 18:00',
    'Unknown error occurred',
    'Unexpected response format',
  ]) {
    await testApp.failRegisters(words)
    await button('Look up').click()
    await expect.element(page.getByRole('alert')).toMatchTextContent(new RegExp(words))
  }
  await testApp.failRegisters(null)
  await button('Look up').click()
  await expect
    .element(page.getByRole('alert'))
    .toMatchTextContent(/The register is not answering\. Nothing was compared/)
  await button('Verify').click()
  await expect.element(page.getByText('Nothing was decided')).toBeVisible()
})

test('a concurrent decision is reported, and the page shows the current state', async ({
  testApp,
}) => {
  await testApp.setRegister('GMC', [good])
  const { id } = await addWaiting(testApp)
  await openProvider(testApp, id)
  await testApp.actAsColleague('verification.decide', {
    providerId: id,
    seen: 'waiting',
    verification_status: 'Unverified',
    reason: 'Send the certificate of your name.',
  })
  await button('Verify').click()
  await expect
    .element(page.getByRole('alert'))
    .toMatchTextContent(/Someone else has already decided about this provider/)
  await expect.element(page.getByText(/^Refused since/)).toBeVisible()
  await expect
    .element(page.getByText('Reason: “Send the certificate of your name.”').first())
    .toBeVisible()
})

test('bad input 54: markup, templates and look-alike letters in a name are text, and Unverified', async ({
  testApp,
}) => {
  await testApp.setRegister('GMC', [good])
  const names = ['<img src=x onerror=alert(1)>', '{{7*7}}', 'Am\u0430ra']
  const made = []
  for (const first_name of names) made.push(await addWaiting(testApp, { first_name }))
  const { router } = await openStaff(testApp, 'admin', '/admin-home/providers')
  for (const [at, first_name] of names.entries()) {
    await expect
      .element(page.getByRole('link', { name: `Dr ${first_name} Okafor` }).first())
      .toBeVisible()
    const { id } = made[at] ?? { id: '' }
    await router.navigate({ to: '/admin-home/providers/$providerId', params: { providerId: id } })
    await expect.element(heading(`Dr ${first_name} Okafor`)).toBeVisible()
    await button('Verify').click()
    await expect
      .element(page.getByRole('alert'))
      .toMatchTextContent(/another name with this number\. The provider stays Unverified\./)
    await expect.element(page.getByText('Different', { exact: true })).toBeVisible()
    expect(cells()).toContain(`${first_name} Okafor`)
    expect(document.querySelector('main img[src="x"]')).toBeNull()
    await router.navigate({ to: '/admin-home/providers' })
  }
})

test('the queue’s keyboard shortcuts do not work while typing', async ({ testApp }) => {
  const made = []
  for (const last_name of ['Abel', 'Baker', 'Cole']) {
    made.push(await addWaiting(testApp, { last_name }))
    await testApp.advanceClock(60_000)
  }
  const [first, second, third] = made.map(({ id }) => `/admin-home/providers/${id}`)
  const { router } = await openProvider(testApp, made[0]?.id ?? '')
  const here = () => router.state.location.pathname
  await expect.element(page.getByText('1 of 3 waiting')).toBeVisible()
  await userEvent.keyboard('n')
  await expect.element(page.getByText('2 of 3 waiting')).toBeVisible()
  expect(here()).toBe(second)
  await expect.element(heading('Dr Amara Baker')).toHaveFocus()
  await userEvent.keyboard('j')
  await expect.element(page.getByText('3 of 3 waiting')).toBeVisible()
  expect(here()).toBe(third)
  await userEvent.keyboard('p')
  await expect.element(page.getByText('2 of 3 waiting')).toBeVisible()
  await button('Reject').click()
  await expect.element(page.getByRole('textbox', { name: 'Reason' })).toHaveFocus()
  await userEvent.keyboard('nj')
  await expect.element(page.getByRole('textbox', { name: 'Reason' })).toHaveValue('nj')
  expect(here()).toBe(second)
  await button('Cancel').click()
  await page.getByRole('switch', { name: /n next, p previous/ }).click()
  await userEvent.keyboard('k')
  expect(here()).toBe(second)
  await page.getByRole('link', { name: 'Previous in the queue: Dr Amara Abel' }).click()
  await expect.element(page.getByText('1 of 3 waiting')).toBeVisible()
  expect(here()).toBe(first)
})

test('a request for information is emailed to the provider and stored', async ({ testApp }) => {
  const { id, email } = await addWaiting(testApp)
  await openProvider(testApp, id)
  await button('Request information').click()
  await page.getByRole('textbox', { name: 'What is missing' }).fill('Which name is right?')
  await button('Send the email').click()
  await expect.element(status('The email is on its way')).toBeVisible()
  await expect.element(page.getByText('“Which name is right?”')).toBeVisible()
  await expect.element(page.getByText('Nothing has come yet')).toBeVisible()
  const mails = await testApp.readMails()
  expect(mails.find(({ to }) => to === email)?.text).toContain('> Which name is right?')
})

test('a company is reviewed with its document, accepted or refused, and its provider is emailed', async ({
  testApp,
}) => {
  const { email } = await testApp.addCompany()
  await openStaff(testApp, 'admin', '/admin-home/providers?list=company')
  await page.getByRole('link', { name: 'Dr Amara Okafor' }).first().click()
  await expect.element(page.getByText('Borough Care Ltd')).toBeVisible()
  await expect.element(page.getByText('Waiting for a decision')).toBeVisible()
  await button('Download the document').click()
  await expect.element(page.getByRole('alert')).not.toBeInTheDocument()
  await button('Refuse').click()
  await page.getByRole('textbox', { name: 'Reason' }).fill('Another company.')
  await button('Refuse and tell them').click()
  await expect.element(status('The company is refused.')).toBeVisible()
  await expect.element(page.getByText('Reason: “Another company.”')).toBeVisible()
  const mails = await testApp.readMails()
  expect(mails.findLast(({ to }) => to === email)?.subject).toBe('We couldn’t confirm your company')
})

test('a list’s search and filters are in its URL', async ({ testApp }) => {
  await addWaiting(testApp)
  await testApp.addProvider({ last_name: 'Hughes', professional_body: 'GDC' })
  const { router } = await openStaff(testApp, 'admin', '/admin-home/providers')
  await page.getByRole('searchbox', { name: 'Name, number or email' }).fill('hugh')
  await button('Search').click()
  await expect.element(page.getByText('1 provider').first()).toBeVisible()
  expect(router.state.location.search).toEqual({ search: 'hugh' })
  await button('Remove filter: “hugh”').click()
  await expect.element(page.getByText('1 to 2 of 2 providers').first()).toBeVisible()
  await page.getByRole('link', { name: /^Awaiting/ }).click()
  await expect.element(page.getByText('1 provider').first()).toBeVisible()
  expect(router.state.location.search).toEqual({ list: 'waiting' })
  await page.getByRole('searchbox').fill('nobody at all')
  await button('Search').click()
  await expect.element(page.getByRole('heading', { name: 'No providers found.' })).toBeVisible()
  await button('Clear the filters').click()
  await expect.element(page.getByText('1 provider').first()).toBeVisible()
})

test('editors and authors see public data, with the reason why', async ({ testApp }) => {
  const { id } = await addWaiting(testApp)
  const { router } = await openStaff(testApp, 'editor', '/admin-home/providers')
  await expect.element(page.getByText('1 provider').first()).toBeVisible()
  await expect.element(page.getByText('Only superusers and admins may do this.')).toBeVisible()
  await expect.element(page.getByRole('link', { name: /^Awaiting/ })).not.toBeInTheDocument()
  expect(document.body.textContent).not.toContain('@clinic.example')
  await router.navigate({ to: '/admin-home/providers', search: { list: 'lost' } })
  await expect
    .element(page.getByText('Only staff who verify providers can see this list'))
    .toBeVisible()
  await router.navigate({ to: '/admin-home/providers/$providerId', params: { providerId: id } })
  await expect.element(page.getByText('Only superusers and admins may do this.')).toBeVisible()
  await expect.element(button('Verify')).not.toBeInTheDocument()
})

test('a rejection that is called off gives focus back to its button', async ({ testApp }) => {
  const { id } = await addWaiting(testApp)
  await openProvider(testApp, id)
  await button('Reject').click()
  await expect.element(page.getByRole('textbox', { name: 'Reason' })).toHaveFocus()
  await button('Cancel').click()
  await expect.element(button('Reject')).toHaveFocus()
})

test('on a phone the chosen list is in view in the row of lists, which scrolls sideways', async ({
  testApp,
}) => {
  await page.viewport(360, 740)
  await addWaiting(testApp)
  const { router } = await openStaff(testApp, 'admin', '/admin-home/providers?list=company')
  const row = page.getByRole('navigation', { name: 'Lists' })
  const isInView = () => {
    const { left, right } = row.element().getBoundingClientRect()
    const current = row.element().querySelector('[aria-current=page]')?.getBoundingClientRect()
    return current !== undefined && current.left >= left - 1 && current.right <= right + 1
  }
  await expect.element(row).toBeVisible()
  await expect.poll(isInView).toBe(true)
  await router.navigate({ to: '/admin-home/providers' })
  await expect.poll(isInView).toBe(true)
})
