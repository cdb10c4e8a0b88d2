import { expect, test } from 'vitest'
import { type NewSpan, NO_TRACING, type Tracing } from '#server/kernel/telemetry.ts'
import { makeTestApp } from '#tests/harness/test-app.ts'
import { makeApp } from './app.ts'

/** Tracing that records its calls. */
function makeRecorder() {
  const begun: NewSpan[] = []
  const names: string[] = []
  const failed: string[] = []
  const tracing: Tracing = {
    ...NO_TRACING,
    isOn: true,
    run: (of, work) => {
      begun.push(of)
      return work({
        rename: (name) => void names.push(name),
        setAttributes() {},
        fail: (type) => void failed.push(type),
      })
    },
  }
  return { tracing, begun, names, failed }
}

const HEADERS = { traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01' }

test('only a proxy that is trusted says of which trace a request is part', async () => {
  await using testApp = await makeTestApp({ config: { trustedProxies: ['10.0.0.0/8'] } })
  const { tracing, begun } = makeRecorder()
  const app = makeApp({ ...testApp.services, tracing })
  for (const peer of ['203.0.113.9', '10.1.2.3']) {
    await app.fetch(new Request('http://localhost:3000/nowhere', { headers: HEADERS }), peer)
  }
  expect(begun.map(({ headers }) => headers)).toEqual([{}, HEADERS])
})

test('a request is named by its route, whatever stands in its address', async () => {
  await using testApp = await makeTestApp()
  const { tracing, names } = makeRecorder()
  const app = makeApp({ ...testApp.services, tracing })
  const ask = (path: string) => app.fetch(new Request(`http://localhost:3000${path}`), '127.0.0.1')
  await ask('/trpc/ann@mail.example?input=%7B%22postcode%22%3A%22SE1%206ET%22%7D')
  await ask('/api/doctors/prv_ann')
  await ask('/api/doctors/prv_ann/ann@mail.example')
  await ask('/ann@mail.example')
  expect(names.join('\n')).not.toMatch(/ann|SE1/)
  expect(names.slice(0, 2)).toEqual(['GET /trpc/*', 'GET /api/doctors/:id'])
})
