import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { sentenceFor } from '#contract/sentences.ts'
import { AppError } from '#server/kernel/errors.ts'
import { makeTestApp } from '#tests/harness/test-app.ts'
import { makeApp } from './app.ts'

const FILE = readFileSync(join(import.meta.dirname, '../../deploy/Caddyfile'), 'utf8')

/** What the proxy answers by itself, in the order of the file. */
const ANSWERS = [...FILE.matchAll(/respond (?:`(.*)`|"(.*)") (\d+)/g)].map(
  ([, json, text, status]) => ({ status: Number(status), body: json ?? text ?? '' }),
)

/** The body of a refusal, without its reference, which the proxy cannot have. */
async function refusal(path: string): Promise<object> {
  await using testApp = await makeTestApp()
  const { limiter } = testApp.services
  const take: typeof limiter.take = () => {
    throw new AppError('busy', { retryAfterSeconds: 2 })
  }
  const app = makeApp({ ...testApp.services, limiter: { ...limiter, take } })
  const response = await app.fetch(new Request(`http://localhost:3000${path}`), '203.0.113.9')
  expect(response.status).toBe(503)
  return response.json()
}

test('while no process is well, the proxy answers as a busy server does', async () => {
  const [call, page, rest] = ANSWERS
  expect(ANSWERS.map(({ status }) => status)).toEqual([503, 503, 503])
  expect(page?.body).toBe(sentenceFor('busy'))
  const { error } = JSON.parse(call?.body ?? '')
  const own = await refusal('/trpc/search.providers')
  expect(own).toEqual({
    error: { ...error, data: { ...error.data, requestId: expect.any(String) } },
  })
  const shown = await refusal('/v1/doctor/specializations')
  expect(shown).toMatchObject(JSON.parse(rest?.body ?? ''))
})
