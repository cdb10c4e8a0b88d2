import * as fc from 'fast-check'
import type { RequestDraft } from './requests.ts'
import { NASTY } from './texts.ts'

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND']

const HEADERS: Readonly<Record<string, readonly string[]>> = {
  'content-type': [
    ['text/plain', 'text/html', 'application/x-www-form-urlencoded', 'application/json;a', ';', ''],
    ['multipart/form-data', 'multipart/form-data; boundary=x', 'application/jsonx', 'image/png'],
    ['APPLICATION/JSON; charset=utf-16'],
  ].flat(),
  'idempotency-key': ['k', 'same-key-as-before', 'x'.repeat(300), ' '],
  origin: ['https://evil.example', 'null', 'x'],
  cookie: ['access_token=x', '=;=;', 'a'.repeat(9_000)],
  authorization: ['Bearer', 'Bearer a.b.c', 'Basic eDp5', 'apo_x'],
  'if-none-match': ['*', 'W/"x"', ','],
  'x-forwarded-for': ['1.2.3.4', '::1', 'x, y', ',,'],
  'content-length': ['0', '99999999', '-1', 'x'],
  'content-encoding': ['gzip', 'br', 'x'],
  'accept-encoding': ['gzip', 'br;q=0', '*', 'x;q=y'],
  'user-agent': NASTY.map((text) => encodeURIComponent(text.toWellFormed())),
}

/** Ways to corrupt a body. */
const BODIES: readonly ((text: string) => string)[] = [
  (text) => `\uFEFF${text}`,
  (text) => `${text}${text}`,
  (text) => text.replace('{', '{"a":1,"a":2,'),
  (text) => text.replace('{', '{"__proto__":{"role":"superuser"},'),
  (text) => ' '.repeat(70_000).concat(text),
  ...['null', 'true', '0', '""', '[]', 'NaN', 'undefined'].map((text) => () => text),
  ...['[', '{"a":'].flatMap((text) => [10, 900, 20_000].map((n) => () => text.repeat(n))),
]

function more(path: string, pair: string): string {
  return `${path}${path.includes('?') ? '&' : '?'}${pair}`
}

/** Ways to corrupt a path. */
const PATHS: readonly ((path: string) => string)[] = [
  ...['input=%7B', 'input=%ff', 'input=1', 'input=', '%=%', 'batch=1', '&&=&', '%00=%00'].map(
    (pair) => (path: string) => more(path, pair),
  ),
  ...['//', '/./', '/%2e%2e/', '/;/'].map((to) => (path: string) => path.replace('/', to)),
  ...['/', '%', '%ff', '%00', '.x'].map((to) => (path: string) => path.replace('?', `${to}?`)),
  (path) => more(path, path.split('?')[1] ?? 'a=1&a=2'),
  ...[0, 1, 5, 11].map((times) => (path: string) => {
    return more(path.replace('?', `${',auth.me'.repeat(times)}?`), 'batch=1')
  }),
]

/** The text with up to four bytes of it changed. */
function broken(text: string): fc.Arbitrary<Uint8Array<ArrayBuffer>> {
  const bytes = Uint8Array.from(Buffer.from(text))
  if (bytes.length === 0) return fc.constant(bytes)
  const change = fc.tuple(
    fc.nat({ max: bytes.length - 1 }),
    fc.constantFrom(0, 0x80, 0xc0, 0xfe, 0xff, 0x22, 0x5c),
  )
  return fc
    .array(change, { minLength: 1, maxLength: 4 })
    .map((changes) => changes.reduce((copy, [at, byte]) => copy.with(at, byte), bytes))
}

/** The same request with a fault in its method, headers, body or path. */
function mutatedRequest(sketch: RequestDraft): fc.Arbitrary<RequestDraft> {
  const { path, headers, body } = sketch
  const text = typeof body === 'string' ? body : '{"a":1}'
  const method = sketch.method === 'GET' ? 'POST' : sketch.method
  const header = fc
    .constantFrom(...Object.entries(HEADERS))
    .chain(([name, values]) =>
      fc.constantFrom(...values).map((value) => ({ ...headers, [name]: value })),
    )
  const otherBody = fc.oneof(
    fc.constantFrom(...BODIES).map((change) => change(text)),
    fc.nat({ max: text.length }).map((length) => text.slice(0, length)),
    broken(text),
  )
  return fc.oneof(
    {
      weight: 1,
      arbitrary: fc.constantFrom(...METHODS).map((one) => ({ ...sketch, method: one })),
    },
    { weight: 11, arbitrary: header.map((one) => ({ ...sketch, headers: one })) },
    { weight: 9, arbitrary: otherBody.map((one) => ({ ...sketch, method, body: one })) },
    {
      weight: 7,
      arbitrary: fc.constantFrom(...PATHS).map((change) => ({ ...sketch, path: change(path) })),
    },
  )
}

/** Sometimes corrupted, rarely more than once. */
export function maybeMutatedRequest(sketch: RequestDraft): fc.Arbitrary<RequestDraft> {
  return fc.oneof(
    { weight: 20, arbitrary: fc.constant(sketch) },
    { weight: 4, arbitrary: mutatedRequest(sketch) },
    { weight: 1, arbitrary: mutatedRequest(sketch).chain(mutatedRequest) },
  )
}

/** The request, or null where no client at all could send it. */
export function requestOf({ method, path, headers, body }: RequestDraft): Request | null {
  const isBare = method === 'GET' || method === 'HEAD'
  try {
    const init: RequestInit = { method, headers }
    if (!isBare && body !== null) init.body = typeof body === 'string' ? body.toWellFormed() : body
    return new Request(`http://localhost:3000${path}`, init)
  } catch {
    return null
  }
}
