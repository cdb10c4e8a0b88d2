import * as fc from 'fast-check'
import type { ProcedureTarget, RestTarget, Target } from './targets.ts'
import {
  type ExistingValues,
  isRecord,
  NASTY,
  NUMBERS,
  PLAUSIBLE,
  percent,
  withExistingValues,
} from './values.ts'

function nested(depth: number): unknown {
  let value: unknown = 'deep'
  for (let level = 0; level < depth; level++) value = level % 2 === 0 ? [value] : { a: value }
  return value
}

/** Adds a field with any name: `__proto__` in an object literal would set the prototype. */
function withField(value: object, name: string, field: unknown): unknown {
  return Object.fromEntries([...Object.entries(value), [name, field]])
}

/** Replacements for a value: some for any type, some for its own. */
function mutationsOf(value: unknown): unknown[] {
  const any = [null, undefined, [value], { value }, JSON.stringify(value)]
  if (typeof value === 'number') return [...any, -value, value + 0.5]
  if (Array.isArray(value)) return [...any, Array(60).fill(value[0]), Array(1_500).fill(value[0])]
  if (typeof value !== 'string') return any
  const changed = [value.toUpperCase(), value.slice(1), value.repeat(60)]
  return [...any, Number(value), `${value}\0`, `${value}\uD83E`, ...changed]
}

function replacedValue(value: unknown): fc.Arbitrary<unknown> {
  return fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(...mutationsOf(value)) },
    { weight: 2, arbitrary: fc.constantFrom(...NASTY) },
    { weight: 1, arbitrary: fc.constantFrom(...NUMBERS) },
    { weight: 1, arbitrary: fc.jsonValue({ stringUnit: 'binary' }) },
    { weight: 1, arbitrary: fc.constantFrom(3, 30, 90, 3_000).map(nested) },
  )
}

/** An object with one field added, removed or renamed. */
function reshapedObject(value: Record<string, unknown>): fc.Arbitrary<unknown> {
  const entries = Object.entries(value)
  const name = fc.constantFrom('extra', 'role', 'id', 'is_admin', '', ...NASTY)
  return fc.oneof(
    fc
      .tuple(name, fc.constantFrom(1, ...NASTY))
      .map(([key, field]) => withField(value, key, field)),
    fc.constantFrom(
      withField(value, '__proto__', { role: 'superuser' }),
      withField(value, 'constructor', { prototype: { role: 'superuser' } }),
      [value, value],
      Object.fromEntries(entries.map(([key, one]) => [key.toUpperCase(), one])),
    ),
    fc.nat({ max: entries.length }).map((at) => Object.fromEntries(entries.toSpliced(at, 1))),
  )
}

/** A copy with one invalid change anywhere. */
function mutated(value: unknown): fc.Arbitrary<unknown> {
  const whole = isRecord(value)
    ? fc.oneof(reshapedObject(value), replacedValue(value))
    : replacedValue(value)
  const keys = typeof value === 'object' && value !== null ? Object.keys(value) : []
  if (keys.length === 0) return whole
  const inside = fc.constantFrom(...keys).chain((key) => {
    if (isRecord(value)) return mutated(value[key]).map((one) => withField(value, key, one))
    const list: unknown[] = Array.isArray(value) ? value : []
    return mutated(list[Number(key)]).map((one) => list.with(Number(key), one))
  })
  return fc.oneof({ weight: 2, arbitrary: inside }, { weight: 1, arbitrary: whole })
}

/** Corrupted once or twice in a percentage of the runs, otherwise unchanged. */
function maybeMutated(value: unknown, share: number): fc.Arbitrary<unknown> {
  const twice = mutated(value).chain(mutated)
  return percent(share).chain((is) =>
    is
      ? fc.oneof({ weight: 3, arbitrary: mutated(value) }, { weight: 1, arbitrary: twice })
      : fc.constant(value),
  )
}

/** A request before it is sent: the parameters of a `Request`, which can still be corrupted. */
export type RequestDraft = {
  method: string
  path: string
  headers: Record<string, string>
  body: string | Uint8Array<ArrayBuffer> | FormData | null
}

const JSON_TYPE = { 'content-type': 'application/json' }

/** A picture of one pixel. */
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
  'base64',
)

/** JSON text; a lone surrogate is kept as an escape. */
function jsonOf(value: unknown): string {
  return JSON.stringify(value) ?? ''
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : jsonOf(value)
}

/** The example, or a value the schema accepts, with or without existing ids; sometimes corrupted. */
function exampleOrDrawn(
  example: unknown,
  drawn: fc.Arbitrary<unknown> | null,
  living: ExistingValues,
): fc.Arbitrary<unknown> {
  const asShown = withExistingValues(example, living)
  if (drawn === null) return asShown.chain((value) => maybeMutated(value, 60))
  const alive = drawn.chain((value) => withExistingValues(value, living))
  return fc.oneof(
    { weight: 2, arbitrary: asShown.chain((value) => maybeMutated(value, 60)) },
    { weight: 1, arbitrary: alive.chain((value) => maybeMutated(value, 40)) },
    { weight: 1, arbitrary: drawn.chain((value) => maybeMutated(value, 40)) },
  )
}

function draftTrpc(target: ProcedureTarget, living: ExistingValues): fc.Arbitrary<RequestDraft> {
  const { method, sample, values } = target
  const path = `/trpc/${target.path}`
  return exampleOrDrawn(sample, values, living).map((input) => {
    const text = jsonOf(input)
    if (method === 'POST') return { method, path, headers: JSON_TYPE, body: text }
    const query = encodeURIComponent(text.toWellFormed())
    return { method, path: `${path}?input=${query}`, headers: {}, body: null }
  })
}

function fillPath({ call }: RestTarget, living: ExistingValues): fc.Arbitrary<string> {
  const { params = {} } = call.example
  const names = [...call.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
  const parts = names.map((name) =>
    fc.oneof(
      { weight: 4, arbitrary: withExistingValues(params[name] ?? 'x', living).map(textOf) },
      { weight: 1, arbitrary: fc.constantFrom(...NASTY, ...PLAUSIBLE) },
    ),
  )
  return fc.tuple(...parts).map((all) => {
    const left = all.map((one) => encodeURIComponent(one.toWellFormed()) || '%20')
    return call.path.replaceAll(/\{\w+\}/g, () => left.shift() ?? '')
  })
}

function queryOf({ call, query }: RestTarget, living: ExistingValues): fc.Arbitrary<string> {
  return exampleOrDrawn(call.example.query ?? {}, query, living).map((value) => {
    if (!isRecord(value)) return ''
    const search = new URLSearchParams()
    for (const [name, one] of Object.entries(value)) {
      search.append(name.toWellFormed(), textOf(one).toWellFormed())
    }
    return search.size === 0 ? '' : `?${search.toString()}`
  })
}

const FILE = fc.record({
  bytes: fc.oneof(
    fc.constant(PNG),
    fc.constantFrom(...NASTY).map((text) => Buffer.from(text)),
  ),
  type: fc.constantFrom('image/png', 'image/png', 'image/webp', 'text/html', ''),
  field: fc.constantFrom('image', 'images', 'profile_image', 'file', 'photo', 'modal_image'),
  name: fc.constantFrom('a.png', '../../a.png', 'a\0.png'),
})

function formOf(value: unknown): fc.Arbitrary<FormData> {
  const fields = Object.entries(isRecord(value) ? value : {})
  const again = fc.array(percent(10), { minLength: fields.length, maxLength: fields.length })
  return fc.tuple(again, fc.option(FILE)).map(([twice, file]) => {
    const form = new FormData()
    for (const [at, [name, one]] of fields.entries()) {
      form.append(name.toWellFormed(), textOf(one).toWellFormed())
      if (twice[at] === true) form.append(name.toWellFormed(), 'again')
    }
    if (file === null) return form
    form.append(file.field, new Blob([file.bytes], { type: file.type }), file.name)
    return form
  })
}

type Body = Pick<RequestDraft, 'headers' | 'body'>

function bodyOf({ call, body }: RestTarget, living: ExistingValues): fc.Arbitrary<Body> {
  const { body: example } = call.example
  const json = (value: unknown): Body => ({ headers: JSON_TYPE, body: jsonOf(value) })
  if (call.method === 'GET' || (body.length === 0 && example === undefined)) {
    return fc.constant({ headers: {}, body: null })
  }
  if (body.length === 0) return exampleOrDrawn(example, null, living).map(json)
  return fc.constantFrom(...body).chain(([kind, drawn]) => {
    const value = exampleOrDrawn(example ?? {}, drawn, living)
    if (kind === 'json') return value.map(json)
    if (kind === 'form') return value.chain(formOf).map((form) => ({ headers: {}, body: form }))
    return value.map((text) => ({ headers: { 'content-type': 'text/plain' }, body: textOf(text) }))
  })
}

function draftRest(target: RestTarget, living: ExistingValues): fc.Arbitrary<RequestDraft> {
  return fc
    .tuple(fillPath(target, living), queryOf(target, living), bodyOf(target, living))
    .map(([path, query, body]) => ({ method: target.call.method, path: path + query, ...body }))
}

function draftUpload(path: string): fc.Arbitrary<RequestDraft> {
  const types = ['image/png', 'image/webp', 'application/pdf', 'text/html', 'image/png;x']
  const starts = ['%PDF-1.7\n', 'RIFF\0\0\0\0WEBP', '<svg/>', ''].map((text) => Buffer.from(text))
  const bytes = fc.oneof(fc.constant(PNG), fc.constantFrom(...starts))
  return fc.tuple(fc.constantFrom(...types), bytes).map(([type, body]) => {
    return { method: 'POST', path, headers: { 'content-type': type }, body: Uint8Array.from(body) }
  })
}

/** Requests to a target: valid or nearly valid ones. */
export function draftRequest(target: Target, living: ExistingValues): fc.Arbitrary<RequestDraft> {
  if (target.kind === 'trpc') return draftTrpc(target, living)
  return target.kind === 'rest' ? draftRest(target, living) : draftUpload(target.path)
}

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
