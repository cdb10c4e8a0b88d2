import { createServer, type RequestListener } from 'node:http'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { ProfessionalBody } from '#contract/base/people.ts'
import { UpstreamError } from '#server/kernel/errors.ts'
import { makeRegisters, registrationStatusOf } from './registers.ts'

/** An external register on this machine, with a fake clock. */
async function upstream(listener: RequestListener, path = '/look-up') {
  const asked: string[] = []
  const server = createServer((request, response) => {
    asked.push(request.url ?? '')
    listener(request, response)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  const url = `http://127.0.0.1:${address.port}${path}`
  const clock = { now: Date.parse('2026-03-02T09:00:00Z') }
  const registers = makeRegisters({
    urls: { GMC: url, GDC: null, NPI: url },
    table: () => Promise.resolve(null),
    now: () => clock.now,
  })
  return {
    asked,
    clock,
    registers,
    ask: (number = '7000001', body: ProfessionalBody = 'GMC') => registers.lookUp(body, number),
    [Symbol.asyncDispose]: () =>
      new Promise<void>((done) => {
        server.closeAllConnections()
        server.close(() => done())
      }),
  }
}

const entry = {
  Name: 'Amara Bennett',
  registration_number: '7000001',
  standing: 'Registered with licence to practise',
}

function json(value: unknown, status = 200): RequestListener {
  return (_request, response) => {
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(JSON.stringify(value))
  }
}

test('parses the documented response, with its registration status', async () => {
  await using register = await upstream(json(entry))
  expect(await register.ask()).toEqual({
    name: 'Amara Bennett',
    registration_number: '7000001',
    status_text: 'Registered with licence to practise',
    standing: 'good',
    source: expect.stringMatching(/^127\.0\.0\.1:\d+$/) as unknown,
  })
  expect(register.asked).toEqual(['/look-up?number=7000001'])
})

test('puts the number where the URL template has its placeholder', async () => {
  await using register = await upstream(json(entry), '/of/{number}/now?key=1')
  await register.ask()
  expect(register.asked).toEqual(['/of/7000001/now?key=1'])
})

test('queries NPPES with its version, and parses the response', async () => {
  const basic = { first_name: 'DANIEL', last_name: 'RIVERA', middle_name: 'J', status: 'A' }
  const found = { number: '2000000006', enumeration_type: 'NPI-1', basic }
  await using register = await upstream(json({ result_count: 1, results: [found] }), '/api/')
  expect(await register.ask('2000000006', 'NPI')).toMatchObject({
    name: 'DANIEL RIVERA',
    registration_number: '2000000006',
    standing: 'good',
  })
  expect(register.asked).toEqual(['/api/?number=2000000006&version=2.1'])
})

test('an unknown number is null, for NPPES an empty list', async () => {
  await using plain = await upstream(json(null))
  expect(await plain.ask()).toBeNull()
  await using nppes = await upstream(json({ result_count: 0, results: [] }))
  expect(await nppes.ask('2000000006', 'NPI')).toBeNull()
})

const hostile: [string, RequestListener][] = [
  [
    'a redirect to another host',
    (_request, response) => {
      response.writeHead(302, { location: 'http://127.0.0.1:1/' })
      response.end()
    },
  ],
  ['not found: that may be a wrong address', json({}, 404)],
  ['a failure', json(entry, 500)],
  ['another success', json(entry, 203)],
  ['no JSON', (_request, response) => response.end('<html>Welcome</html>')],
  ['JSON of another shape', json({ name: 'Amara Bennett' })],
  ['a name that is no text', json({ ...entry, Name: { $ne: null } })],
  ['a name without end', json({ ...entry, Name: 'A'.repeat(201) })],
  ['no standing', json({ ...entry, standing: undefined })],
  ['a list', json([entry])],
  ['nothing at all', (_request, response) => response.end()],
  ['a connection cut', (request) => request.socket.destroy()],
  [
    'two megabytes',
    (_request, response) => {
      response.write(JSON.stringify(entry))
      response.end(' '.repeat(2_000_000))
    },
  ],
]

test.each(hostile)('a malformed response is an upstream failure: %s', async (_what, listener) => {
  await using register = await upstream(listener)
  await expect(register.ask()).rejects.toThrow(UpstreamError)
  expect(register.asked).toHaveLength(1)
})

test.each([
  ['several answers to one number', { result_count: 2, results: [{}, {}] }],
  ['errors', { Errors: [{ description: 'Field contains special character(s)' }] }],
  ['nobody by name', { result_count: 1, results: [{ number: '1', basic: { status: 'A' } }] }],
])('a malformed NPPES response is an upstream failure: %s', async (_what, answer) => {
  await using register = await upstream(json(answer))
  await expect(register.ask('2000000006', 'NPI')).rejects.toThrow(UpstreamError)
})

test('a register that never responds times out', { timeout: 120_000 }, async () => {
  await using register = await upstream(() => undefined)
  await expect(register.ask()).rejects.toThrow(UpstreamError)
})

test('five failures in a row open the circuit breaker; a minute later one call probes', async () => {
  // The breaker reads the time of the machine.
  vi.useFakeTimers({ toFake: ['Date'] })
  onTestFinished(() => void vi.useRealTimers())
  let isDown = true
  await using register = await upstream((request, response) => {
    json(entry, isDown ? 503 : 200)(request, response)
  })
  const outcomes: boolean[] = []
  const ask = () =>
    register.ask().then(
      () => outcomes.push(true),
      () => outcomes.push(false),
    )
  for (let count = 0; count < 8; count += 1) await ask()
  expect(register.asked).toHaveLength(5)
  vi.advanceTimersByTime(59_000)
  await ask()
  expect(register.asked).toHaveLength(5)
  vi.advanceTimersByTime(1_000)
  await ask()
  await ask()
  expect(register.asked).toHaveLength(6)
  isDown = false
  vi.advanceTimersByTime(60_000)
  await ask()
  expect(outcomes).toEqual([...Array.from({ length: 11 }, () => false), true])
})

test('a result is cached for a day, also an unknown number; the nightly check bypasses the cache', async () => {
  await using register = await upstream(json(null))
  await register.ask()
  register.clock.now += 24 * 3_600_000
  await register.ask()
  expect(register.asked).toHaveLength(1)
  await register.ask('7000002')
  await register.registers.lookUp('GMC', '7000001', { isFresh: true })
  expect(register.asked).toHaveLength(3)
  register.clock.now += 24 * 3_600_000 + 1
  await register.ask()
  expect(register.asked).toHaveLength(4)
})

test('a register without a URL is the imported table, at its own pace', async () => {
  await using register = await upstream(json(entry))
  expect(await register.ask('12345', 'GDC')).toBeNull()
  expect(register.asked).toEqual([])
  expect([register.registers.paceOf('GDC'), register.registers.paceOf('GMC')]).toEqual([null, 20])
})

test.each([
  ['GMC', ' registered  with Licence to practise', 'good'],
  ['GMC', 'Registered with Licence', 'good'],
  ['GMC', 'Registered without a licence to practise', 'no_licence'],
  ['GMC', 'Registered with licence to practise; with conditions or undertakings', 'conditions'],
  ['GMC', 'Provisionally registered with licence', 'provisional'],
  ['GMC', 'Suspended', 'suspended'],
  ['GMC', 'Not Registered - Erased after Fitness to Practise panel hearing', 'struck_off'],
  ['GMC', 'Not Registered - deceased', 'not_registered'],
  ['GMC', 'Registered', 'unknown'],
  ['GDC', 'Registered', 'good'],
  ['GDC', 'Registered with conditions', 'conditions'],
  ['NPI', 'A', 'good'],
  ['NPI', 'D', 'deactivated'],
  ['NPI', 'Deactivated', 'deactivated'],
  ['NPI', 'Registered', 'unknown'],
] as const)('%s says "%s": %s', (body, text, standing) => {
  expect(registrationStatusOf(body, text)).toBe(standing)
})
