import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { attemptLimits } from '#server/kernel/attempts.ts'
import { limits } from '#server/kernel/rate-limit.ts'
import type { RestCall } from '#server/rest/call.ts'
import { isOwnCall } from '#server/rest/call.ts'
import { restCalls } from '#server/rest/calls.ts'
import { anchorOf } from '#server/rest/docs/call-section.ts'
import { curlOf } from '#server/rest/docs/curl.ts'
import { Program } from '#tests/harness/rest.ts'
import { makeWorld } from '#tests/harness/world.ts'

async function pageOf(path: string): Promise<Response> {
  const world = await makeWorld()
  try {
    return await new Program(world).fetch(`GET ${path}`)
  } finally {
    await world[Symbol.asyncDispose]()
  }
}

const Document = z.object({
  openapi: z.string(),
  paths: z.record(z.string(), z.record(z.string(), z.looseObject({ operationId: z.string() }))),
})

test('the OpenAPI document has each call of the table, under a name of its own', async () => {
  const response = await pageOf('/openapi.json')
  const document = Document.parse(await response.json())
  expect(document.openapi).toBe('3.1.0')
  const described = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  )
  expect(described.toSorted()).toEqual(
    restCalls.map(({ method, path }) => `${method} ${path}`).toSorted(),
  )
  const names = Object.values(document.paths).flatMap((methods) =>
    Object.values(methods).map(({ operationId }) => operationId),
  )
  expect(new Set(names).size).toBe(names.length)
})

test('the document and the page are fetched anew only when they have changed', async () => {
  await using world = await makeWorld()
  for (const path of ['/openapi.json', '/api/docs']) {
    const program = new Program(world)
    const tag = (await program.fetch(`GET ${path}`)).headers.get('etag') ?? ''
    const headers = { 'if-none-match': tag }
    expect((await program.fetch(`GET ${path}`, { headers })).status).toBe(304)
  }
})

test('the page asks no other server for anything, and runs nothing of its own', async () => {
  const html = await (await pageOf('/api/docs')).text()
  const fetched = [...html.matchAll(/(?:src|srcset|action)="([^"]*)"|<link[^>]* href="([^"]*)"/g)]
  const addresses = fetched.map(([, source, link]) => source ?? link ?? '')
  expect(addresses.length).toBeGreaterThan(3)
  expect(addresses.filter((address) => !/^\/[a-z]/.test(address))).toEqual([])
  expect(html).not.toMatch(/<script(?![^>]* src=)|<style|\sstyle="|\son[a-z]+="/)
})

test('the page has an anchor and an example for every call, and the table of contents leads there', async () => {
  const html = await (await pageOf('/api/docs')).text()
  for (const call of restCalls) {
    expect(html).toContain(`id="${anchorOf(call)}"`)
    expect(html).toContain(`href="#${anchorOf(call)}"`)
  }
  const ids = [...html.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id)
  expect(new Set(ids).size).toBe(ids.length)
  const linked = [...html.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id)
  expect(linked.filter((id) => !ids.includes(id))).toEqual([])
})

test('every limit that runs is on the page with its numbers (ASVS 6.1.1)', async () => {
  const html = await (await pageOf('/api/docs')).text()
  const row = (name: string) => new RegExp(`<tr>(?:(?!</tr>).)*<code>${name}</code></td></tr>`)
  for (const [name, { calls }] of Object.entries(limits)) {
    expect(html).toMatch(row(name))
    expect(row(name).exec(html)?.[0]).toContain(`<td>${calls.toLocaleString('en-GB')}</td>`)
  }
  for (const [name, { count }] of Object.entries(attemptLimits)) {
    expect(row(name).exec(html)?.[0]).toContain(`<td>${count.toLocaleString('en-GB')}</td>`)
  }
})

test('commands are written for a shell: variables are filled in, everything else is as it stands', () => {
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

test('an installation that is no demo says so before its commands are tried', async () => {
  await using world = await makeWorld({
    config: { demo: false, publicUrl: 'https://care.example' },
  })
  const html = await (await new Program(world).fetch('GET /api/docs')).text()
  expect(html).toContain('This installation is no demo')
  expect(html).toContain('BASE=https://care.example')
})
