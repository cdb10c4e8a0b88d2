import { expect, test } from 'vitest'
import { makeProviderAccount } from '#tests/harness/accounts.ts'
import { describeEngines } from '#tests/harness/servers/engines.ts'
import { Browser } from '#tests/harness/spa/browser.ts'
import { makeTestApp } from '#tests/harness/test-app.ts'

const about = {
  about: `${'I see people of all ages.'.repeat(3)}\0`,
  qualifications: ['MBBS'],
  languages: ['en'],
}

describeEngines('a NUL in what somebody writes', (makeDatabase) => {
  test.each([
    ['profiles.updateAbout', about],
    [
      'messages.contact',
      {
        first_name: 'Maya',
        last_name: 'Ellis',
        email: 'maya@mail.example',
        message: 'A question\0 from Maya.',
      },
    ],
  ])('is refused by %s in a sentence', async (path, input) => {
    const testApp = await makeTestApp({ database: await makeDatabase() })
    const { provider } = await makeProviderAccount(testApp)
    const browser = new Browser(testApp)
    await browser.signIn({ email: provider.email, kind: 'provider' })
    const { status, code, issues } = await browser.act(path, input)
    expect([status, code]).toEqual([400, 'invalid_input'])
    expect(issues[0]?.message).toBe('Use plain letters, digits and signs.')
  })
  test('in a search is refused too', async () => {
    const testApp = await makeTestApp({ database: await makeDatabase() })
    const { status } = await new Browser(testApp).ask('search.suggest', { text: 'Lon\0' })
    expect(status).toBe(400)
  })
})
