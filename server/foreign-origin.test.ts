import { expect, test } from 'vitest'
import { listDenials, real, sortDenials } from '#tests/harness/denials.ts'
import { makePeople } from '#tests/harness/principals.ts'
import { isQuery, procedurePaths } from '#tests/harness/procedures.ts'
import { sampleInputs } from '#tests/harness/sample-inputs.ts'
import { makeTestApp, strangerDenials } from '#tests/harness/test-app.ts'

/** Headers that a foreign page can make a browser send along with our cookies. */
const elsewhere: [string, Record<string, string>][] = [
  ['another site', { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }],
  ['a sibling', { origin: 'http://shop.localhost:3000', 'sec-fetch-site': 'same-site' }],
  ['a frame in a sandbox', { origin: 'null', 'sec-fetch-site': 'cross-site' }],
  ['an old browser', { origin: 'https://evil.example', 'sec-fetch-site': '' }],
  [
    'a form',
    { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'cross-site' },
  ],
  ['a form with files', { 'content-type': 'multipart/form-data; boundary=x', origin: 'null' }],
]

test.each(elsewhere)(
  'nothing is written for %s, and each try is written down',
  async (_who, sent) => {
    await using testApp = await makeTestApp(real)
    const people = await makePeople(testApp)
    const victim = people.find(({ name }) => name === 'a patient')
    const writes = procedurePaths.filter((path) => !isQuery(path))
    expect(writes.length).toBeGreaterThan(20)
    for (const path of writes) {
      const headers = new Headers({
        'content-type': 'application/json',
        ...victim?.browser.headers(),
      })
      for (const [name, value] of Object.entries(sent)) {
        if (value === '') headers.delete(name)
        else headers.set(name, value)
      }
      const init = { method: 'POST', headers, body: JSON.stringify(sampleInputs[path]) }
      const request = new Request(`http://localhost:3000/trpc/${path}`, init)
      expect([path, (await testApp.app.fetch(request)).status]).toEqual([path, 403])
    }
    expect((await listDenials(testApp)).map(({ entity, details }) => [entity, details])).toEqual(
      sortDenials(writes.map((path) => ({ entity: `/trpc/${path}`, network: 'unknown' }))).map(
        ({ entity }) => [entity, { code: 'foreign_origin' }],
      ),
    )
    expect((await victim?.browser.ask('auth.sessions'))?.status).toBe(200)
  },
)

test('a flood of refused requests is not a flood of rows', async () => {
  await using testApp = await makeTestApp(real)
  const answers = new Map<number, number>()
  for (let count = 0; count < 700; count += 1) {
    const headers = { 'content-type': 'application/json', origin: 'https://evil.example' }
    const init = { method: 'POST', headers, body: '{}' }
    const request = new Request('http://localhost:3000/trpc/auth.signOut', init)
    const response = await testApp.app.fetch(request, '192.0.2.1')
    answers.set(response.status, (answers.get(response.status) ?? 0) + 1)
    if (response.status === 429) expect(response.headers.has('retry-after')).toBe(true)
  }
  expect(answers).toEqual(
    new Map([
      [403, 600],
      [429, 100],
    ]),
  )
  expect(await strangerDenials(testApp)).toEqual([
    { network: '192.0.2.1', path: '/trpc/auth.signOut', code: 'foreign_origin', count: 600 },
  ])
  const { db } = testApp.database
  expect(await db.selectFrom('audit').select('no').execute()).toEqual([])
})
