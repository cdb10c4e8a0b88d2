import { validate } from '@hyperjump/json-schema/openapi-3-1'
import { Validator } from '@seriousme/openapi-schema-validator'
import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { scopeFacts } from '#contract/access-tokens.ts'
import { MAX_HOLDS, MAX_UPCOMING, MAX_UPCOMING_WITH_PROVIDER } from '#contract/booking.ts'
import { MAX_UNPAID_HOLDS } from '#server/booking/rules.ts'
import { attemptLimits } from '#server/kernel/limits/attempts.ts'
import { limits } from '#server/kernel/limits/rate-limit.ts'
import { accessTo, procedures } from '#server/procedures.ts'
import { isOwnCall, type RestCall } from '#server/rest/call.ts'
import { restCalls } from '#server/rest/calls.ts'
import { curlOf } from '#server/rest/examples.ts'
import { openApiOf } from '#server/rest/openapi.ts'
import { read } from '#tests/arch/repository.ts'
import { Program } from '#tests/harness/servers/rest.ts'
import { makeTestApp } from '#tests/harness/test-app.ts'

async function pageOf(path: string): Promise<Response> {
  const testApp = await makeTestApp()
  try {
    return await new Program(testApp).fetch(`GET ${path}`)
  } finally {
    await testApp[Symbol.asyncDispose]()
  }
}

const Document = z.object({
  openapi: z.string(),
  info: z.object({ description: z.string() }),
  paths: z.record(
    z.string(),
    z.record(z.string(), z.object({ operationId: z.string(), description: z.string() })),
  ),
})

const Paths = z.record(z.string(), z.record(z.string(), z.unknown()))

test('the OpenAPI document has each path and each procedure for tokens, with a unique name', async () => {
  const response = await pageOf('/openapi.json')
  const document = Document.parse(await response.json())
  expect(document.openapi).toBe('3.1.0')
  const described = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  )
  const forTokens = [...procedures].filter(([, { meta }]) => meta.scope !== undefined)
  expect(described.toSorted()).toEqual(
    [
      ...restCalls.map(({ method, path }) => `${method} ${path}`),
      ...forTokens.map(([path, { kind }]) => `${kind === 'query' ? 'GET' : 'POST'} /trpc/${path}`),
    ].toSorted(),
  )
  const names = Object.values(document.paths).flatMap((methods) =>
    Object.values(methods).map(({ operationId }) => operationId),
  )
  expect(new Set(names).size).toBe(names.length)
})

test('the document and the page are fetched again only after a change', async () => {
  await using testApp = await makeTestApp()
  for (const path of ['/openapi.json', '/api/docs']) {
    const program = new Program(testApp)
    const tag = (await program.fetch(`GET ${path}`)).headers.get('etag') ?? ''
    const headers = { 'if-none-match': tag }
    expect((await program.fetch(`GET ${path}`, { headers })).status).toBe(304)
  }
})

test('the page and its files come from our own site, without inline scripts', async () => {
  await using testApp = await makeTestApp()
  const program = new Program(testApp)
  const html = await (await program.fetch('GET /api/docs')).text()
  const fetched = [...html.matchAll(/\s(?:src|href)="([^"]*)"/g)].map(([, address = '']) => address)
  expect(fetched.length).toBeGreaterThan(3)
  expect(fetched.filter((address) => !/^\/[a-z]/.test(address))).toEqual([])
  expect(html).not.toMatch(/<script(?![^>]* src=)|<style|\sstyle="|\son[a-z]+="/)
})

test('every call is described with its example and who may make it, after the guide', async () => {
  const document = Document.parse(await (await pageOf('/openapi.json')).json())
  const guide = read('docs/api.md')
  expect(document.info.description).toBe(guide)
  for (const call of restCalls) {
    const { description = '' } = document.paths[call.path]?.[call.method.toLowerCase()] ?? {}
    expect(description).toMatch(/\n\nFor [a-z]/)
    const isSigned = isOwnCall(call) && call.method === 'POST'
    expect(description.includes(curlOf(call))).toBe(!isSigned)
  }
})

test('only those whom the server admits are named, also where a call needs several procedures', () => {
  const { paths } = Document.parse(documentOf())
  const whoOf = (method: string, path: string) =>
    /\n\nFor ([^\n]+)\.\n\n```/.exec(paths[path]?.[method]?.description ?? '')?.[1]
  expect(whoOf('post', '/user/verify-payment/')).toBe('patients')
  expect(whoOf('patch', '/admin/membership-number-verification/{id}/')).toBe('superusers or admins')
  expect(whoOf('post', '/api/gmc_verification/')).toBe('providers, superusers or admins')
  expect(whoOf('post', '/admin-gallery/{id}/')).toBe('all staff')
})

test('a procedure is described with who may call it, its scope, its input and its output', () => {
  const { paths } = z.object({ paths: Paths }).parse(documentOf())
  const visits = JSON.stringify(paths['/trpc/booking.visits']?.['get'])
  expect(visits).toContain('For patients. Access tokens need `visits:read`.')
  expect(visits).toContain('"name":"input","in":"query","required":true')
  const hold = JSON.stringify(paths['/trpc/booking.hold']?.['post'])
  expect(hold).toContain('"required":["providerId"')
  expect(hold).toContain('"required":["result"]')
  expect(paths['/trpc/auth.signIn']).toBeUndefined()
})

test('an idempotency key is documented only where it has an effect', () => {
  const { paths } = z.object({ paths: Paths }).parse(documentOf())
  const takesKey = (path: string) =>
    JSON.stringify(paths[path]?.['post'] ?? {}).includes('parameters/IdempotencyKey')
  expect(takesKey('/trpc/visits.cancel')).toBe(true)
  expect(takesKey('/admin-gallery/{id}/')).toBe(true)
  // Codes are secret: each request sends another one.
  expect(takesKey('/user/user-otp-verification/{userId}/')).toBe(false)
})

test('calls with a response of their own are described with the statuses they have', () => {
  const { paths } = z.object({ paths: Paths }).parse(documentOf())
  const responsesOf = (path: string, method: string) =>
    z.object({ responses: z.record(z.string(), z.unknown()) }).parse(paths[path]?.[method])
      .responses
  expect(Object.keys(responsesOf('/webhooks/stripe', 'post'))).toEqual(
    expect.arrayContaining(['200', '400', '413', '429', '503']),
  )
  expect(Object.keys(responsesOf('/openapi.json', 'get'))).toContain('429')
  const unwell = JSON.stringify(responsesOf('/healthz', 'get')['503'])
  expect(unwell).toContain('{"status":"unavailable"}')
  expect(unwell).not.toContain('Refusal')
})

const UNITS: Record<string, number> = {
  second: 1_000,
  minute: 60_000,
  hour: 3_600_000,
  day: 86_400_000,
}

/** Milliseconds of a duration such as `minute` or `15 minutes`. */
function msOf(words: string): number {
  const [, count = '1', unit = ''] = /^(?:(\d+) )?([a-z]+?)s?$/.exec(words) ?? []
  return Number(count) * (UNITS[unit] ?? Number.NaN)
}

test('every limit is in the guide with its numbers (ASVS 6.1.1)', () => {
  const rows = read('docs/api.md').matchAll(/^\| [^|]+ \| ([\d,]+) \| ([^|]+) \| `(\w+)` \|$/gm)
  const listed = [...rows].map(([, count = '', span = '', name = '']) => {
    return [name, { count: Number(count.replaceAll(',', '')), perMs: msOf(span) }] as const
  })
  const ofCalls = Object.entries(limits).map(([name, { calls: count, perMs }]) => {
    return [name, { count, perMs }] as const
  })
  expect(Object.fromEntries(listed)).toEqual({ ...Object.fromEntries(ofCalls), ...attemptLimits })
})

test('the guide gives the caps on unpaid holds', () => {
  const { patient, networkOfProvider, network, provider } = MAX_UNPAID_HOLDS
  const guide = read('docs/api.md')
  expect(guide).toContain(`${patient} times a day for each patient`)
  expect(guide).toContain(
    `${networkOfProvider} at one moment from one IPv4 address or IPv6 /56 with one provider`,
  )
  expect(guide).toContain(`${network} at one moment from that network`)
  expect(guide).toContain(`${provider} at one moment of one provider`)
  expect(guide).toContain(`at most ${MAX_HOLDS} times at once`)
  expect(guide).toContain(`at most ${MAX_UPCOMING} upcoming visits`)
  expect(guide).toContain(`${MAX_UPCOMING_WITH_PROVIDER} of them with one provider`)
})

test('the page for older clients lists each documented call that requires more than documented', () => {
  const page = read('docs/legacy-clients.md')
  const demanding = restCalls.filter((call) => {
    const takesProof = call.procedures.some((name) => accessTo(name).stepUp === 'always')
    return (
      call.source === 'documented' && (takesProof || call.refusals.includes('captcha_required'))
    )
  })
  expect(demanding.length).toBeGreaterThan(6)
  for (const { method, path } of demanding) expect(page).toContain(`\`${method} ${path}\``)
  const { contact_provider: perProvider } = attemptLimits
  expect([limits.search.calls, limits.contact.calls, perProvider.count]).toEqual([120, 5, 20])
})

test('every access token scope is in the guide, with its calls and accounts', () => {
  const guide = read('docs/api.md')
  for (const [scope, { words, kinds }] of Object.entries(scopeFacts)) {
    expect(guide).toContain(`| \`${scope}\` | ${words} | ${kinds.join(', ')} |`)
  }
})

test('example commands expand variables and keep everything else literal', () => {
  const base = restCalls.find(
    (call): call is Exclude<RestCall, { make: unknown }> => !isOwnCall(call),
  )
  if (base === undefined) throw new Error('The table is empty.')
  const example = {
    as: 'patient' as const,
    params: { id: '$PROVIDER' },
    query: { name: "O'Neil & Sons", date: '$DATE', page: '1' },
    keep: { FIRST: '_id' },
    answer: {},
  }
  expect(curlOf({ ...base, method: 'GET', path: '/api/doctors/{id}', example })).toBe(
    [
      'ANSWER=$(curl -sG "$BASE/api/doctors/$PROVIDER" \\',
      '  -H "Authorization: Bearer $PATIENT_TOKEN" \\',
      `  --data-urlencode 'name=O'\\''Neil & Sons' \\`,
      '  --data-urlencode "date=$DATE" \\',
      '  --data-urlencode page=1',
      ')',
      'echo "$ANSWER"',
      'FIRST=$(echo "$ANSWER" | field _id)',
    ].join('\n'),
  )
})

test('a real installation says so above its example commands', async () => {
  await using testApp = await makeTestApp({
    config: { demo: false, publicUrl: 'https://care.example' },
  })
  const { info } = Document.parse(
    await (await new Program(testApp).fetch('GET /openapi.json')).json(),
  )
  expect(info.description).toContain('This installation is not a demo')
  expect(info.description).toContain('BASE=https://care.example')
})

// Two independent validators: one on ajv, one with its own implementation of JSON Schema.

const JsonDocument = z.record(z.string(), z.json())
type JsonDocument = z.infer<typeof JsonDocument>

/** The document after a JSON round trip, which drops what JSON cannot express. */
function documentOf(): JsonDocument {
  return JsonDocument.parse(JSON.parse(JSON.stringify(openApiOf(restCalls, 'A guide.'))))
}

const validators: [string, (document: JsonDocument) => Promise<boolean>][] = [
  [
    '@seriousme/openapi-schema-validator',
    async (document) => (await new Validator().validate({ ...document })).valid,
  ],
  [
    '@hyperjump/json-schema',
    async (document) => {
      const schema = 'https://spec.openapis.org/oas/3.1/schema-base'
      return (await validate(schema, document)).valid
    },
  ],
]

test.each(validators)('the document is valid according to %s', async (_name, isValid) => {
  expect(await isValid(documentOf())).toBe(true)
})

const broken: [string, JsonDocument][] = [
  ['without a title', { info: { version: '1' } }],
  ['with a method nobody knows', { paths: { '/a': { fetch: {} } } }],
  ['with a schema of a type nobody knows', { components: { schemas: { A: { type: 'text' } } } }],
]

test.each(validators)('a broken document is invalid according to %s', async (_name, isValid) => {
  for (const [what, change] of broken) {
    expect([what, await isValid({ ...documentOf(), ...change })]).toEqual([what, false])
  }
})
