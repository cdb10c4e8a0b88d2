import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { errorMessage } from '#contract/sentences.ts'
import { AppError } from '#server/kernel/errors.ts'
import { makeTestApp } from '#tests/harness/test-app.ts'
import { makeApp } from './app.ts'

const FILE = readFileSync(join(import.meta.dirname, '../../deploy/Caddyfile'), 'utf8')

/** The proxy's own responses, in the order of the file. */
const PROXY_RESPONSES = [...FILE.matchAll(/respond (?:`(.*)`|"(.*)") (\d+)/g)].map(
  ([, json, text, status]) => ({ status: Number(status), body: json ?? text ?? '' }),
)

/** The response of a busy server on a path, without the request id, which the proxy cannot know. */
async function busyResponse(path: string): Promise<string> {
  await using testApp = await makeTestApp()
  const { limiter } = testApp.services
  const take: typeof limiter.take = () => {
    throw new AppError('busy', { retryAfterSeconds: 2 })
  }
  const app = makeApp({ ...testApp.services, limiter: { ...limiter, take } })
  const response = await app.fetch(new Request(`http://localhost:3000${path}`), '203.0.113.9')
  expect(response.status).toBe(503)
  return (await response.text()).replace(/("request_?[iI]d":)"\w+"/, '$1""')
}

test('while no process is well, the proxy answers as a busy server does', async () => {
  const [call, page, rest] = PROXY_RESPONSES
  expect(PROXY_RESPONSES.map(({ status }) => status)).toEqual([503, 503, 503])
  expect(page?.body).toBe(errorMessage('busy'))
  expect(await busyResponse('/trpc/search.providers')).toBe(call?.body)
  expect(await busyResponse('/v1/doctor/specializations')).toBe(rest?.body)
})
