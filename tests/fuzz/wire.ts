import type { Dice } from './dice.ts'
import type { Sketch } from './requests.ts'
import { NASTY } from './texts.ts'

type Twist = (sketch: Sketch, dice: Dice) => Sketch

const TYPES = [
  ['text/plain', 'text/html', 'application/x-www-form-urlencoded', 'application/json;a', ';', ''],
  ['multipart/form-data', 'multipart/form-data; boundary=x', 'application/jsonx', 'image/png'],
  ['APPLICATION/JSON; charset=utf-16'],
].flat()

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND']

function textIn({ body }: Sketch): string {
  return typeof body === 'string' ? body : '{"a":1}'
}

function withHeader(sketch: Sketch, name: string, value: string): Sketch {
  return { ...sketch, headers: { ...sketch.headers, [name]: value } }
}

function withBody(sketch: Sketch, body: Sketch['body']): Sketch {
  const method = sketch.method === 'GET' ? 'POST' : sketch.method
  return { ...sketch, method, body }
}

function withPath(sketch: Sketch, change: (path: string) => string): Sketch {
  return { ...sketch, path: change(sketch.path) }
}

function more(path: string, pair: string): string {
  return `${path}${path.includes('?') ? '&' : '?'}${pair}`
}

function broken(text: string, dice: Dice): Uint8Array<ArrayBuffer> {
  const bytes = Uint8Array.from(Buffer.from(text))
  for (let times = 1 + dice.below(4); times > 0 && bytes.length > 0; times--) {
    bytes[dice.below(bytes.length)] = dice.one([0, 0x80, 0xc0, 0xfe, 0xff, 0x22, 0x5c])
  }
  return bytes
}

/** What can be wrong with a request around what it says. */
const TWISTS: readonly Twist[] = [
  (sketch, dice) => ({ ...sketch, method: dice.one(METHODS) }),
  (sketch, dice) => withHeader(sketch, 'content-type', dice.one(TYPES)),
  (sketch, dice) =>
    withBody(sketch, textIn(sketch).slice(0, dice.below(textIn(sketch).length + 1))),
  (sketch, dice) => withBody(sketch, broken(textIn(sketch), dice)),
  (sketch) => withBody(sketch, `\uFEFF${textIn(sketch)}`),
  (sketch) => withBody(sketch, `${textIn(sketch)}${textIn(sketch)}`),
  (sketch, dice) => withBody(sketch, dice.one(['[', '{"a":']).repeat(dice.one([10, 900, 20_000]))),
  (sketch) => withBody(sketch, textIn(sketch).replace('{', '{"a":1,"a":2,')),
  (sketch) => withBody(sketch, textIn(sketch).replace('{', '{"__proto__":{"role":"superuser"},')),
  (sketch) => withBody(sketch, ' '.repeat(70_000).concat(textIn(sketch))),
  (sketch, dice) =>
    withBody(sketch, dice.one(['null', 'true', '0', '""', '[]', 'NaN', 'undefined'])),
  (sketch, dice) =>
    withPath(sketch, (path) => more(path, `input=${dice.one(['%7B', '%ff', '1', ''])}`)),
  (sketch) => withPath(sketch, (path) => more(path, path.split('?')[1] ?? 'a=1&a=2')),
  (sketch, dice) =>
    withPath(sketch, (path) => more(path, dice.one(['%=%', 'batch=1', '&&=&', '%00=%00']))),
  (sketch) => withPath(sketch, (path) => path.replace('?', '/?')),
  (sketch, dice) =>
    withPath(sketch, (path) => path.replace('/', dice.one(['//', '/./', '/%2e%2e/', '/;/']))),
  (sketch, dice) =>
    withPath(sketch, (path) => path.replace('?', `${dice.one(['%', '%ff', '%00', '.x'])}?`)),
  (sketch, dice) =>
    withPath(sketch, (path) =>
      more(path.replace('?', `${',auth.me'.repeat(dice.below(12))}?`), 'batch=1'),
    ),
  (sketch, dice) =>
    withHeader(
      sketch,
      'idempotency-key',
      dice.one(['k', 'same-key-as-before', 'x'.repeat(300), ' ']),
    ),
  (sketch, dice) => withHeader(sketch, 'origin', dice.one(['https://evil.example', 'null', 'x'])),
  (sketch, dice) =>
    withHeader(sketch, 'cookie', dice.one(['access_token=x', '=;=;', 'a'.repeat(9_000)])),
  (sketch, dice) =>
    withHeader(
      sketch,
      'authorization',
      dice.one(['Bearer', 'Bearer a.b.c', 'Basic eDp5', 'apo_x']),
    ),
  (sketch, dice) => withHeader(sketch, 'if-none-match', dice.one(['*', 'W/"x"', ','])),
  (sketch, dice) =>
    withHeader(sketch, 'x-forwarded-for', dice.one(['1.2.3.4', '::1', 'x, y', ',,'])),
  (sketch, dice) => withHeader(sketch, 'content-length', dice.one(['0', '99999999', '-1', 'x'])),
  (sketch, dice) => withHeader(sketch, 'content-encoding', dice.one(['gzip', 'br', 'x'])),
  (sketch, dice) =>
    withHeader(sketch, 'accept-encoding', dice.one(['gzip', 'br;q=0', '*', 'x;q=y'])),
  (sketch, dice) =>
    withHeader(sketch, 'user-agent', encodeURIComponent(dice.one(NASTY).toWellFormed())),
]

/** The same request with something wrong around it. */
export function twist(sketch: Sketch, dice: Dice): Sketch {
  return dice.one(TWISTS)(sketch, dice)
}

/** The request, or null where no client at all could send it. */
export function requestOf({ method, path, headers, body }: Sketch): Request | null {
  const isBare = method === 'GET' || method === 'HEAD'
  try {
    const init: RequestInit = { method, headers }
    if (!isBare && body !== null) init.body = typeof body === 'string' ? body.toWellFormed() : body
    return new Request(`http://localhost:3000${path}`, init)
  } catch {
    return null
  }
}
