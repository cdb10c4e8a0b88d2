import { expect, test } from 'vitest'
import { Browser } from '#tests/harness/browser.ts'
import { makeTestApp, type TestApp } from '#tests/harness/test-app.ts'

/** Sends a registration under a name. */
function sendForm(testApp: TestApp, name: object) {
  return new Browser(testApp).act('auth.registerPatient', {
    last_name: 'Adichie',
    email: 'ngozi@mail.example',
    password: 'under the mango tree',
    phone_number: '+44 20 7946 0123',
    date_of_birth: '1990-02-28',
    terms: true,
    ...name,
  })
}

function readAccounts({ database: { db } }: TestApp) {
  return db.selectFrom('accounts').selectAll().execute()
}

test.each(['Łukasz', 'José María', "O'Brien-Smith", '陳大文', 'Jose\u0301', 'מֹשֶׁה', 'Nguyễn'])(
  'the name %s is accepted',
  async (name) => {
    await using testApp = await makeTestApp()
    expect((await sendForm(testApp, { first_name: name })).status).toBe(200)
  },
)

test('people with one name register and are shown with it, once they say that they have no other', async () => {
  await using testApp = await makeTestApp()
  const missing = { path: 'last_name', message: 'Enter your last name.' }
  for (const last_name of ['', undefined]) {
    expect((await sendForm(testApp, { first_name: 'Suharto', last_name })).issues).toEqual([
      missing,
    ])
    const no = { first_name: '', last_name, has_one_name: false }
    expect((await sendForm(testApp, no)).issues).toEqual([
      { path: 'first_name', message: 'Enter your first name.' },
      missing,
    ])
  }
  const one = { first_name: 'Suharto', last_name: undefined, has_one_name: true }
  expect((await sendForm(testApp, one)).status).toBe(200)
  expect(await readAccounts(testApp)).toMatchObject([{ first_name: 'Suharto', last_name: '' }])
})

const hidden = ['\u3164', '\u115f\u1160', '\uffa0', 'Ng\u034fozi', 'Ng\u180bozi', 'Ng\ufe0fozi']
const stackedAccents = `Z${'\u0335'.repeat(30)}algo`

const HIDDEN_RULE =
  'This name contains characters that can’t be seen. Type it here instead of pasting it.'

test.each([
  ...['Ng\u200bozi', '\u202eizogN', ...hidden].map((name): [string, string] => [name, HIDDEN_RULE]),
  ['Ng0zi', 'Use letters, spaces, apostrophes and hyphens only.'],
  ['<b>Ngozi</b>', 'Use letters, spaces, apostrophes and hyphens only.'],
  [stackedAccents, 'A letter can have up to four accents. Remove the others.'],
])('the name %j is refused', async (name, message) => {
  await using testApp = await makeTestApp()
  const { status, issues } = await sendForm(testApp, { first_name: name })
  expect([status, issues]).toEqual([400, [{ path: 'first_name', message }]])
  expect(await readAccounts(testApp)).toEqual([])
})
